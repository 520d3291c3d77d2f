import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { join } from 'node:path';
import pg from 'pg';
import type { Home } from '../src/base/config/home.js';
import { PrivateCluster } from '../src/database/postgres/cluster.js';
import {
  clusterFiles,
  clusterPassword,
  makePrivateDirectory,
  prepareFiles,
  type ClusterFiles,
  serverIdentity,
} from '../src/database/postgres/cluster-files.js';
import { acceptsLogin, socketUrl } from '../src/database/postgres/connect.js';
import { findEngine } from '../src/database/postgres/ensure-engine.js';
import type { Engine } from '../src/database/postgres/engine.js';
import { launchPostmaster } from '../src/database/postgres/postmaster.js';
import { run, type Identity } from '../src/base/os/run.js';
import { eventually } from './eventually.js';
import { newHome } from './command.js';
import { homeWithCluster } from './copied-home.js';
import type { Scope } from './scope.js';

/** The URL with the superuser as login, who can pause replication. */
const asSuperuser = (url: string): string => url.replace('://imgstore:', '://postgres:');

async function ask<Row extends object>(url: string, sql: string): Promise<Row> {
  const client = new pg.Client({ connectionString: asSuperuser(url) });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows[0] as Row;
  } finally {
    await client.end();
  }
}

/** A standby server that streams from a primary, on Unix sockets only. */
export class TestReplica {
  #server: ChildProcess | undefined;
  readonly url: string;

  constructor(
    readonly primary: string,
    private readonly files: ClusterFiles,
    private readonly engine: Engine,
    private readonly identity: Identity | undefined,
    password: string,
  ) {
    this.url = socketUrl(files.socketDir, password);
  }

  async start(): Promise<void> {
    this.#server = await launchPostmaster(this.files, this.engine, this.identity);
    await eventually('the replica answers', () => acceptsLogin(this.url));
  }

  /** @param signal SIGINT is an orderly shutdown; SIGQUIT ends like a crash. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    server.ref(); // otherwise the test process could end first
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  }

  /** Stops applying changes; the replica still receives them. */
  pause = () => ask(this.url, 'SELECT pg_wal_replay_pause()');
  resume = () => ask(this.url, 'SELECT pg_wal_replay_resume()');

  /** Waits until it has replayed everything that the primary has. */
  async catchUp(): Promise<void> {
    const { lsn } = await ask<{ lsn: string }>(
      this.primary,
      'SELECT pg_current_wal_flush_lsn() lsn',
    );
    const sql = `SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS there`;
    await eventually(
      'it is up to date',
      async () => (await ask<{ there: boolean }>(this.url, sql)).there,
    );
  }

  /** The number of its connections whose last statement matches the pattern. */
  async ran(pattern: string): Promise<number> {
    const sql = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'imgstore' AND query LIKE '${pattern}'`;
    return (await ask<{ n: number }>(this.url, sql)).n;
  }
}

/** A primary with one replica. @param scope ends in reverse order of starting. */
export async function replicated(scope: Scope): Promise<TestReplica> {
  const home = await homeWithCluster(scope);
  const engine = await findEngine(join(home.database, 'engine'));
  if (!engine) throw new Error('there is no PostgreSQL: run tests by "npm test"');
  const cluster = new PrivateCluster(home, async () => engine);
  await cluster.create();
  const lease = await cluster.open();
  const standby = await newHome(scope, 'standby');
  const replica = await copyOf(home, lease.url, standby, engine);
  scope.after(async () => {
    await replica.end('SIGQUIT');
    await lease.close();
  });
  await replica.start();
  return replica;
}

async function copyOf(primary: Home, url: string, standby: Home, engine: Engine) {
  const from = clusterFiles(primary);
  const files = clusterFiles(standby);
  const identity = await serverIdentity(from.data);
  const password = await clusterPassword(from, false);
  await prepareFiles(files, identity);
  await makePrivateDirectory(files.data, identity);
  const source = `host=${from.socketDir} user=postgres`;
  const args = ['-d', source, '-D', files.data, '-R', '-X', 'stream', '-c', 'fast'];
  const env = { ...engine.env, PGPASSWORD: password };
  const { code, output } = await run(join(engine.bin, 'pg_basebackup'), args, {
    as: identity,
    env,
  });
  if (code !== 0) throw new Error(output);
  return new TestReplica(url, files, engine, identity, password);
}
