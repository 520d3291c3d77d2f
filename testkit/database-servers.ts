import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { run, type Identity } from '../src/base/os/run.js';
import {
  clusterFiles,
  clusterPassword,
  makePrivateDirectory,
  prepareFiles,
  serverIdentity,
  type ClusterFiles,
} from '../src/database/postgres/cluster-files.js';
import { PrivateCluster } from '../src/database/postgres/cluster.js';
import { type Lock, waitForLock } from '../src/base/os/process-lock.js';
import { acceptsLogin, socketUrl, superuser } from '../src/database/postgres/connect.js';
import type { Engine } from '../src/database/postgres/engine.js';
import { findEngine } from '../src/database/postgres/ensure-engine.js';
import { endServer, launchPostmaster } from '../src/database/postgres/postmaster.js';
import { newHome } from './command.js';
import { homeWithCluster } from './copied-home.js';
import { eventually } from './eventually.js';
import { Relay } from './relay.js';
import type { Scope } from './scope.js';

interface ServerParts {
  readonly files: ClusterFiles;
  readonly engine: Engine;
  readonly identity: Identity | undefined;
  readonly password: string;
}

/** A PostgreSQL server with a database of imgstore, on a Unix socket only. */
export class DatabaseServer {
  #process: ChildProcess | undefined;
  /** Without it, the server would end. */
  #use: Lock | undefined;
  /** URL of the database, on the socket. */
  readonly url: string;

  private constructor(private readonly parts: ServerParts) {
    this.url = socketUrl(parts.files.socketDir, parts.password);
  }

  /** A new one, which runs until `scope` ends. */
  static async create(scope: Scope): Promise<DatabaseServer> {
    const home = await homeWithCluster(scope);
    const engine = await findEngine(join(home.database, 'engine'));
    if (!engine) throw new Error('there is no PostgreSQL: run tests by "npm test"');
    await new PrivateCluster(home, async () => engine).create();
    const files = clusterFiles(home);
    const [identity, password] = [
      await serverIdentity(files.data),
      await clusterPassword(files, false),
    ];
    return new DatabaseServer({ files, engine, identity, password }).#begin(scope);
  }

  /** A standby server that streams from this one, and runs until `scope` ends. */
  async standby(scope: Scope): Promise<DatabaseServer> {
    const files = clusterFiles(await newHome(scope, 'standby'));
    const { engine, identity, password } = this.parts;
    await prepareFiles(files, identity);
    await makePrivateDirectory(files.data, identity);
    const source = `host=${this.socketDir} user=${superuser}`;
    const args = ['-d', source, '-D', files.data, '-R', '-X', 'stream', '-c', 'fast'];
    const env = { ...engine.env, PGPASSWORD: password };
    const program = join(engine.bin, 'pg_basebackup');
    const { code, output } = await run(program, args, { as: identity, env });
    if (code !== 0) throw new Error(output);
    return new DatabaseServer({ ...this.parts, files }).#begin(scope);
  }

  get password(): string {
    return this.parts.password;
  }

  get socketDir(): string {
    return this.parts.files.socketDir;
  }

  async #begin(scope: Scope): Promise<this> {
    scope.after(() => this.end('SIGQUIT'));
    await this.start();
    return this;
  }

  async start(): Promise<void> {
    const { files, engine, identity } = this.parts;
    this.#use ??= await waitForLock(files.users, 'shared');
    const lock = await waitForLock(files.lock, 'exclusive');
    this.#process = await launchPostmaster(files, engine, identity, lock);
    await lock.release();
    await eventually('the server answers', () => acceptsLogin(this.url));
  }

  /** @param signal SIGINT is an orderly shutdown; SIGQUIT ends like a crash. */
  async end(signal: NodeJS.Signals): Promise<void> {
    this.#process?.ref(); // otherwise the test process could end first
    if (this.#process) await endServer(this.#process, signal);
  }

  /** Runs statements as the superuser. @returns the first row of the last. */
  async ask<Row extends object>(...statements: readonly string[]): Promise<Row> {
    const url = this.url.replace('://imgstore:', `://${superuser}:`);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      let found: Row | undefined;
      for (const sql of statements) found = (await client.query<Row>(sql)).rows[0];
      return found as Row;
    } finally {
      await client.end();
    }
  }

  /** Waits until a standby has replayed everything that this server has. */
  async replicatedTo(standby: DatabaseServer): Promise<void> {
    const { lsn } = await this.ask<{ lsn: string }>('SELECT pg_current_wal_flush_lsn() AS lsn');
    const sql = `SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS there`;
    await eventually(
      'it is up to date',
      async () => (await standby.ask<{ there: boolean }>(sql)).there,
    );
  }
}

/** A server, and the relay on TCP through which a service reaches it. */
export interface Reachable {
  readonly server: DatabaseServer;
  readonly relay: Relay;
}

export interface Pair {
  readonly primary: Reachable;
  readonly standby: Reachable;
  /** URL that names both hosts. */
  readonly url: string;
}

/** A primary with a standby, for services that find the one that takes writes. */
export async function pairOfServers(scope: Scope): Promise<Pair> {
  const server = await DatabaseServer.create(scope);
  const primary = await reachable(scope, server);
  const standby = await reachable(scope, await server.standby(scope));
  const hosts = [primary, standby].map(({ relay }) => new URL(relay.url).host).join();
  const login = `imgstore:${encodeURIComponent(server.password)}`;
  const url = `postgresql://${login}@${hosts}/imgstore?target_session_attrs=read-write`;
  return { primary, standby, url };
}

async function reachable(scope: Scope, server: DatabaseServer): Promise<Reachable> {
  const relay = await Relay.toSocket(join(server.socketDir, '.s.PGSQL.5432'));
  scope.after(() => relay.cut());
  return { server, relay };
}
