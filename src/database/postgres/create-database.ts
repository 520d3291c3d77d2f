import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { failure } from '../../base/errors/operator.js';
import { guarded } from '../../base/guarded.js';
import type { ClusterFiles } from './cluster-files.js';
import { acceptsLogin, asSuperuser, databaseName, role, socketUrl, superuser } from './connect.js';
import { requiredExtensions, type Engine } from './engine.js';
import { endServer, hasEnded, launchPostmaster, removeStaleFiles } from './postmaster.js';
import { lastLines, type Identity } from '../../base/os/run.js';
import { makeSocketDirectory } from './socket-directory.js';
import { minuteMs } from '../../base/units.js';

const startTimeoutMs = minuteMs;

export interface NewCluster {
  readonly files: ClusterFiles;
  readonly engine: Engine;
  readonly identity: Identity | undefined;
  readonly password: string;
  /** Stops the server and the work. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates the role, database, and extensions of a new cluster, through a temporary server. (Not in
 * single-user mode: objects created there get ids that PostgreSQL reserves for itself, and pg_dump
 * omits them; see docs/adr/0001.) Nobody else can connect: the socket's folder is open only to the
 * server's user, and only this process knows the password yet.
 * @throws OperatorError 1 with the reason.
 */
export async function createDatabase({
  files,
  engine,
  identity,
  password,
  signal,
}: NewCluster): Promise<void> {
  signal?.throwIfAborted();
  await makeSocketDirectory(files.socketDir, identity);
  await removeStaleFiles(files.data, files.socketDir);
  const server = await launchPostmaster(files, engine, identity);
  server.ref();
  const fail = (): void => undefined; // it has ended already
  const stop = guarded(fail, () => void server.kill('SIGQUIT'));
  signal?.addEventListener('abort', stop, { once: true });
  const on = (database: string) =>
    socketUrl(files.socketDir, password, { user: superuser, database });
  try {
    await untilReady(server, on('postgres'), signal);
    await asSuperuser(on('postgres'), [
      `CREATE ROLE ${role} LOGIN CREATEDB PASSWORD ${pg.escapeLiteral(password)}`,
      `CREATE DATABASE ${databaseName} OWNER ${role}`,
    ]);
    await asSuperuser(
      on(databaseName),
      requiredExtensions.map((name) => `CREATE EXTENSION ${name}`),
    );
    await endServer(server, 'SIGINT'); // PostgreSQL's fast shutdown
    if (server.exitCode !== 0) throw new Error(`the server exited with ${server.exitCode}`);
  } catch (error) {
    await endServer(server, 'SIGQUIT');
    signal?.throwIfAborted();
    const log = lastLines(await readFile(files.log, 'utf8'));
    const why = `The new database could not be set up: ${(error as Error).message}\n${log}`;
    throw failure(why, { cause: error });
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

async function untilReady(
  server: ChildProcess,
  url: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const deadline = Date.now() + startTimeoutMs; !(await acceptsLogin(url)); await delay(20)) {
    signal?.throwIfAborted();
    if (hasEnded(server)) throw new Error('the server does not start');
    if (Date.now() > deadline) throw new Error('the server does not respond');
  }
}
