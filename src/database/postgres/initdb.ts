import type { ChildProcess } from 'node:child_process';
import { appendFile, chown, rename, rm, writeFile, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { failure } from '../../base/errors/operator.js';
import { guarded } from '../../base/guarded.js';
import { syncFolder } from '../../base/os/files.js';
import type { Lock } from '../../base/os/process-lock.js';
import { run, lastLines, type Identity } from '../../base/os/run.js';
import { minuteMs } from '../../base/units.js';
import { clusterPassword, makePrivateDirectory, type ClusterFiles } from './cluster-files.js';
import { superuser, acceptsLogin, asSuperuser, databaseName, role, socketUrl } from './connect.js';
import { type Engine, requiredExtensions } from './engine.js';
import { endServer, hasEnded, launchPostmaster } from './postmaster.js';

const startTimeoutMs = minuteMs;

interface NewCluster {
  readonly files: ClusterFiles;
  readonly engine: Engine;
  readonly identity: Identity | undefined;
  /** Of the files, which nobody uses. */
  readonly lock: Lock;
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
async function createDatabase(
  { files, engine, identity, lock, signal }: NewCluster,
  password: string,
): Promise<void> {
  signal?.throwIfAborted();
  const server = await launchPostmaster(files, engine, identity, lock);
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

/**
 * Settings of a private cluster for a small appliance: little memory at rest, no compromise on
 * durability. Written to its postgresql.conf once; the operator may change them afterward.
 */
export const clusterSettings = `
# imgstore: set once when the cluster was created. Yours to change; imgstore keeps your changes.
max_connections = 60
shared_buffers = 64MB            # touched pages only count; raise it with the data
work_mem = 8MB
maintenance_work_mem = 64MB
effective_cache_size = 1GB
random_page_cost = 1.1           # solid-state disks
jit = off                        # short statements: compiling costs more than it saves
max_wal_size = 1GB
wal_compression = on
autovacuum_max_workers = 2
dynamic_shared_memory_type = mmap  # containers have a /dev/shm of 64 MB
timezone = 'UTC'
log_timezone = 'UTC'
log_checkpoints = off
log_line_prefix = '%m [%p] '
fsync = on
synchronous_commit = on
full_page_writes = on
`;

/**
 * Creates the cluster, its role, database, and extensions in a draft folder next to it, which is
 * renamed only when everything is done: a crash in between leaves nothing that looks like a
 * cluster.
 * @throws OperatorError 1 with the end of the program's output.
 */
export async function createCluster(parts: NewCluster): Promise<void> {
  const { files, engine, identity, signal } = parts;
  const draft = `${files.data}.new`;
  await rm(draft, { recursive: true, force: true }); // of a killed process
  await makePrivateDirectory(draft, identity);
  const password = await clusterPassword(files, true);
  await initializeCluster(draft, engine, identity, password, signal);
  await appendFile(join(draft, 'postgresql.conf'), clusterSettings);
  await createDatabase({ ...parts, files: { ...files, data: draft } }, password);
  await rename(draft, files.data);
  await syncFolder(dirname(files.data));
}

/** Creates a plain cluster, with nothing of imgstore in it. */
export async function initializeCluster(
  dir: string,
  engine: Engine,
  identity: Identity | undefined,
  password: string,
  signal?: AbortSignal,
): Promise<void> {
  // initdb accepts passwords only from files; this one is in a folder of the server's user.
  const secretDir = `${dir}.secret`;
  await rm(secretDir, { recursive: true, force: true });
  await makePrivateDirectory(secretDir, identity);
  const secret = join(secretDir, 'password');
  try {
    await writeFile(secret, password, { mode: 0o600 });
    if (identity) await chown(secret, identity.uid, identity.gid);
    const { code, output } = await run(
      join(engine.bin, 'initdb'),
      [
        '--pgdata',
        dir,
        '--username',
        superuser,
        '--pwfile',
        secret,
        '--auth',
        'scram-sha-256',
        '--encoding',
        'UTF8',
        '--locale',
        'C.UTF-8',
        '--text-search-config',
        'simple',
        '--data-checksums',
      ],
      { as: identity, env: engine.env, signal },
    );
    if (code !== 0) throw failure(`initdb could not create the database:\n${lastLines(output)}`);
  } finally {
    await rm(secretDir, { recursive: true, force: true });
  }
}
