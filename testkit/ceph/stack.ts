import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { S3Keys } from '../../src/store/s3/bucket.js';
import {
  cephConf,
  monitorEndpoint,
  newCephSettings,
  type CephSettings,
  type CephShape,
} from './config.js';
import { ceph, Daemons } from './daemons.js';
import { temporaryDirectory, temporaryDisk } from '../temporary.js';

const smallest: CephShape = { monitors: 1, osds: 1, gateways: 1, copies: 1 };

/** A real S3 server: Ceph with its RADOS Gateway in a temporary directory, on loopback. */
export class CephStack {
  readonly keys: S3Keys = { accessKey: 'imgstoretest', secretKey: randomUUID() };
  readonly #daemons: Daemons;

  private constructor(
    private readonly settings: CephSettings,
    private readonly gatewayPorts: readonly number[],
  ) {
    this.#daemons = new Daemons(settings.dir);
  }

  /** Starts a stack and waits until it is ready. */
  static async start(shape: CephShape = smallest): Promise<CephStack> {
    // OSDs open their disks with direct I/O, which tmpfs supports on few kernels.
    const dir = await temporaryDirectory('ceph', temporaryDisk());
    const ports = await freePorts(shape.monitors + shape.gateways);
    const settings = newCephSettings(dir, ports.slice(0, shape.monitors));
    const stack = new CephStack(settings, ports.slice(shape.monitors));
    try {
      await stack.#up(shape);
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  get endpoints(): string[] {
    return this.gatewayPorts.map((port) => `http://127.0.0.1:${port}`);
  }

  /** Kills a daemon with SIGKILL: `mon.m0`, `osd.3`, `client.rgw1`. */
  kill(name: string): Promise<void> {
    return this.#daemons.kill(name);
  }

  /** Restarts a killed daemon. */
  run(name: string): void {
    const [type, id = ''] = name.split('.');
    if (type === 'mon') this.#startMonitor(Number(id.slice('m'.length)));
    else if (type === 'osd') this.#startOsd(Number(id));
    else this.#startGateway(Number(id.slice('rgw'.length)));
  }

  /** Ends everything and removes the directory. */
  async stop(): Promise<void> {
    await this.#daemons.killAll();
    await rm(this.settings.dir, { recursive: true, force: true });
  }

  async #up(shape: CephShape): Promise<void> {
    const { dir } = this.settings;
    for (const name of ['run', 'log', 'crash']) await mkdir(join(dir, name));
    await writeFile(join(dir, 'ceph.conf'), cephConf(this.settings, shape));
    await this.#makeKeyring(shape);
    await this.#makeMonitors();
    await Promise.all(upTo(shape.osds).map((i) => this.#makeOsd(i)));
    await this.#osdsUp(shape.osds);
    const { accessKey, secretKey } = this.keys;
    const user = ['--uid=imgstore', '--display-name=imgstore', `--access-key=${accessKey}`];
    await ceph(dir, 'radosgw-admin', 'user', 'create', ...user, `--secret-key=${secretKey}`);
    for (const i of upTo(shape.gateways)) {
      await mkdir(join(dir, `client.rgw${i}`));
      this.#startGateway(i);
    }
    await Promise.all(this.endpoints.map(answers));
  }

  async #makeKeyring({ osds, gateways }: CephShape): Promise<void> {
    const { dir } = this.settings;
    const keyring = join(dir, 'keyring');
    const make = (...args: string[]) => ceph(dir, 'ceph-authtool', keyring, '-g', ...args);
    await ceph(dir, 'ceph-authtool', keyring, '-C');
    await make('-n', 'mon.', '--cap', 'mon', 'allow *');
    await make('-n', 'client.admin', '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *');
    for (const i of upTo(osds)) {
      await make('-n', `osd.${i}`, '--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *');
    }
    for (const i of upTo(gateways)) {
      const caps = ['--cap', 'mon', 'allow rw', '--cap', 'osd', 'allow rwx'];
      await make('-n', `client.rgw${i}`, ...caps);
    }
  }

  async #makeMonitors(): Promise<void> {
    const { dir, fsid, monitorPorts } = this.settings;
    const map = join(dir, 'monmap');
    const members = monitorPorts.flatMap((port, i) => ['--addv', `m${i}`, monitorEndpoint(port)]);
    await ceph(dir, 'monmaptool', '--create', '--fsid', fsid, ...members, map);
    for (const i of monitorPorts.keys()) {
      await mkdir(join(dir, `mon.m${i}`));
      const keyring = join(dir, 'keyring');
      await ceph(dir, 'ceph-mon', '--mkfs', '-i', `m${i}`, '--monmap', map, '--keyring', keyring);
      this.#startMonitor(i);
    }
  }

  async #makeOsd(i: number): Promise<void> {
    const { dir } = this.settings;
    const uuid = randomUUID();
    await ceph(dir, 'ceph', 'osd', 'new', uuid, String(i));
    await mkdir(join(dir, `osd.${i}`));
    await ceph(dir, 'ceph-osd', '-i', String(i), '--mkfs', '--osd-uuid', uuid);
    this.#startOsd(i);
  }

  #startMonitor(i: number): void {
    const socketAddress = `127.0.0.1:${this.settings.monitorPorts[i]}`;
    this.#daemons.start(`mon.m${i}`, 'ceph-mon', ['-i', `m${i}`, '--public-addr', socketAddress]);
  }

  #startOsd(i: number): void {
    const location = `root=default host=node${i}`;
    this.#daemons.start(`osd.${i}`, 'ceph-osd', ['-i', String(i), '--crush-location', location]);
  }

  #startGateway(i: number): void {
    const frontend = `beast endpoint=127.0.0.1:${this.gatewayPorts[i]} tcp_nodelay=1`;
    const args = ['-n', `client.rgw${i}`, `--rgw-frontends=${frontend}`];
    this.#daemons.start(`client.rgw${i}`, 'radosgw', args);
  }

  /** Resolves when all OSDs are up; a monitor reports this only when asked. */
  async #osdsUp(count: number): Promise<void> {
    await eventually('the OSDs are not up', async () => {
      const status = await ceph(this.settings.dir, 'ceph', 'osd', 'stat');
      return status.startsWith(`${count} osds: ${count} up`);
    });
  }
}

const upTo = (count: number): number[] => [...Array(count).keys()];

/** Resolves when an HTTP server at `url` answers anything. */
const answers = (url: string): Promise<void> =>
  eventually(`${url} does not respond`, () =>
    fetch(url).then(
      async (answer) => (await answer.text(), true),
      () => false,
    ),
  );

/** For daemons that do not notify: polls ten times a second, for up to three minutes. */
async function eventually(otherwise: string, done: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 180_000; Date.now() < end; await delay(100)) {
    if (await done()) return;
  }
  throw new Error(otherwise);
}

/** Distinct ports that are currently free. */
async function freePorts(count: number): Promise<number[]> {
  const servers = upTo(count).map(() => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
