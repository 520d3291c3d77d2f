import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Network } from './network.js';

/** Of a server, of Patroni's API, and of its Raft. */
export const ports = { server: 5432, api: 8008, raft: 2222 };

/** What docker/ has, and docs/nodes.md explains. */
const shipped = parse(readFileSync('docker/patroni/patroni.yml', 'utf8')) as {
  readonly bootstrap: { readonly dcs: object };
};

interface Local {
  /** Of the member. */
  readonly dir: string;
  readonly bin: string;
  readonly password: string;
}

/** The configuration of the Patroni of a machine among so many. */
export function configOf(machine: number, count: number, { dir, bin, password }: Local) {
  const at = (port: number, on = machine): string => `${Network.addressOf(on)}:${port}`;
  const others = Array.from({ length: count }, (_, n) => n + 1).filter((n) => n !== machine);
  return {
    scope: 'imgstore',
    name: `db${machine}`,
    log: { dir },
    restapi: { listen: at(ports.api), connect_address: at(ports.api) },
    raft: {
      data_dir: join(dir, 'raft'),
      self_addr: at(ports.raft),
      partner_addrs: others.map((other) => at(ports.raft, other)),
    },
    bootstrap: {
      dcs: shipped.bootstrap.dcs,
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
      pg_hba: [
        `host all all ${Network.range} scram-sha-256`,
        `host replication replicator ${Network.range} scram-sha-256`,
      ],
    },
    postgresql: {
      listen: at(ports.server),
      connect_address: at(ports.server),
      data_dir: join(dir, 'data'),
      bin_dir: bin,
      pgpass: join(dir, 'pgpass'), // instead of one in HOME
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'postgres', password },
      },
      parameters: { unix_socket_directories: dir },
    },
  };
}
