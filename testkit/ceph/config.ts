import { randomUUID } from 'node:crypto';

/** The size of a Ceph stack. */
export interface CephShape {
  readonly monitors: number;
  readonly osds: number;
  readonly gateways: number;
  /** Copies of every object. */
  readonly copies: number;
}

export interface CephSettings {
  readonly dir: string;
  readonly fsid: string;
  /** One port per monitor. */
  readonly monitorPorts: readonly number[];
}

export const newCephSettings = (dir: string, monitorPorts: readonly number[]): CephSettings => ({
  dir,
  fsid: randomUUID(),
  monitorPorts,
});

/** The endpoint of a monitor in the format of ceph.conf and monmaptool. */
export const monitorEndpoint = (port: number): string => `[v2:127.0.0.1:${port}]`;

/**
 * A ceph.conf for a stack in one directory, on loopback, with timeouts that detect dead daemons in seconds.
 */
export const cephConf = ({ dir, fsid, monitorPorts }: CephSettings, shape: CephShape): string => `
[global]
fsid = ${fsid}
mon host = ${monitorPorts.map(monitorEndpoint).join(',')}
mon initial members = ${monitorPorts.map((_, i) => `m${i}`).join(',')}
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind msgr1 = false
ms bind port min = 16800
ms bind port max = 17300
keyring = ${dir}/keyring
run dir = ${dir}/run
admin socket = ${dir}/run/$name.asok
pid file =
log file = ${dir}/log/$name.log
mon cluster log file = ${dir}/log/cluster.log
log to stderr = false
crash dir = ${dir}/crash
osd pool default size = ${shape.copies}
osd pool default min size = ${shape.copies > 2 ? 2 : 1}
osd pool default pg num = 8
osd pool default pgp num = 8
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon data avail crit = 1
mon osd min down reporters = 1
mon osd min in ratio = 0.3
mon osd down out interval = 20
osd heartbeat interval = 2
osd heartbeat grace = 8
paxos propose interval = 0.1
[mon]
mon data = ${dir}/$name
[osd]
osd data = ${dir}/$name
osd objectstore = bluestore
osd memory target = 1Gi
bluestore block size = 34359738368
bluestore fsck on mkfs = false
bdev aio poll ms = 10
[client]
rgw data = ${dir}/$name
rgw thread pool size = 64
rgw override bucket index max shards = 1
rgw gc obj min wait = 5
rgw gc processor period = 30
`;
