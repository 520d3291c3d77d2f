import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { Home } from '../../src/base/config/home.js';
import { PrivateCluster } from '../../src/database/postgres/cluster.js';
import { ensureEngine } from '../../src/database/postgres/ensure-engine.js';
import type { CephStack } from '../../testkit/ceph/stack.js';
import { mustRun } from '../package/throwaway-debian.js';
import { root } from '../package/tree.js';

/** Another database of the same server, with the extensions, which only a superuser can create. */
async function copyOfEmpty(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace('@/imgstore?', '@/postgres?') });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE imgstore`).finally(() => client.end());
}

export interface Database {
  readonly url: string;
  readonly urlOf: (name: string) => string;
  /** Refuses connections during some work. */
  readonly away: (doing: () => Promise<void>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * PostgreSQL on a TCP port: the tests' server has only a socket. @param others names of more
 * databases.
 */
export async function openDatabase(work: string, others: readonly string[]): Promise<Database> {
  const dir = join(work, 'database');
  mkdirSync(dir);
  const cluster = new PrivateCluster(new Home(dir), () =>
    ensureEngine(join(dir, 'engine'), () => undefined),
  );
  await cluster.create();
  const lease = await cluster.open();
  const url = new URL(lease.url.replace('@/', '@socket/')); // a URL needs a host
  for (const name of others) await copyOfEmpty(lease.url, name);
  const socket = join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const open = new Set<Socket>();
  const relay = createServer((near) => {
    const far = connect(socket);
    for (const end of [near, far]) {
      open.add(end);
      end.on('close', () => open.delete(end));
      end.on('error', () => [near, far].map((one) => one.destroy()));
    }
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { username, password, pathname } = url;
  const { port } = relay.address() as AddressInfo;
  const urlOf = (name: string): string =>
    `postgresql://${username}:${password}@127.0.0.1:${port}/${name}`;
  const leave = (): void => {
    relay.close();
    for (const end of open) end.destroy();
  };
  return {
    url: urlOf(pathname.slice(1)),
    urlOf,
    away: async (doing) => {
      leave();
      await doing().finally(() => once(relay.listen(port, '127.0.0.1'), 'listening'));
    },
    close: async () => {
      leave();
      await lease.close();
    },
  };
}

/** The secrets created by make-secrets.sh, with the URL and keys of these servers. */
export async function makeSecrets(
  work: string,
  { url, keys }: { readonly url: string; readonly keys: CephStack['keys'] },
): Promise<string> {
  const docker = join(work, 'docker');
  mkdirSync(docker);
  cpSync(join(root, 'docker/make-secrets.sh'), join(docker, 'make-secrets.sh'));
  await mustRun(join(docker, 'make-secrets.sh'));
  const made = join(docker, 'secrets');
  const ours = {
    'database.url': url,
    's3.access_key': keys.accessKey,
    's3.secret_key': keys.secretKey,
  };
  for (const [name, value] of Object.entries(ours)) {
    chmodSync(join(made, name), 0o600);
    writeFileSync(join(made, name), value);
    chmodSync(join(made, name), 0o444);
  }
  return made;
}
