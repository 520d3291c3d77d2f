import { randomBytes, createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, mkdir, open, readFile, stat, lstat } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { Home } from '../../base/config/home.js';
import { badConfiguration } from '../../base/errors/operator.js';
import { commandLine, programName } from '../../base/os/command-line.js';
import { errnoOf, replaceFile } from '../../base/os/files.js';
import { type Identity, run } from '../../base/os/run.js';

/** Maximum length of a Unix socket's path in bytes (Linux's sun_path without the final zero). */
const maxSocketPathBytes = 107;

const socketName = '.s.PGSQL.5432';

/**
 * The folder of the socket: the preferred one, or another if its path is too long, or has a comma,
 * by which libpq separates hosts.
 */
function socketDirectory(preferred: string): string {
  const fits = Buffer.byteLength(join(preferred, socketName)) <= maxSocketPathBytes;
  if (fits && !preferred.includes(',')) return preferred;
  const id = createHash('sha256').update(preferred).digest('hex').slice(0, 16);
  // Not os.tmpdir(): TMPDIR differs between terminals, and every process must find this again.
  return `/tmp/imgstore-${id}`;
}

/** Creates the folder, accessible only to the server's user. */
export async function makeSocketDirectory(
  dir: string,
  identity: Identity | undefined,
): Promise<void> {
  const made = await mkdir(dir, { recursive: true, mode: 0o700 });
  if (made && identity) await chown(dir, identity.uid, identity.gid);
  const found = await lstat(dir);
  // In /tmp, anyone could have put something in its place.
  if (!found.isDirectory() || found.uid !== (identity?.uid ?? process.getuid?.())) {
    throw badConfiguration(`${dir} is not a folder of the database server's user.`, {
      setting: 'home',
      remedy: `inspect it and remove it: rm -r ${dir}`,
    });
  }
  await chmod(dir, 0o700);
}

/**
 * Whether a server listens there, even one whose process is not visible, as in another container.
 */
export async function isListening(dir: string): Promise<boolean> {
  const socket = connect(join(dir, socketName));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // no socket, or nothing listening on it
  } finally {
    socket.destroy();
  }
}

/**
 * The user that a private server runs as; undefined means the current user. PostgreSQL refuses to
 * run as root, so root switches to the owner of an existing data directory, else to the `postgres`
 * user.
 * @throws OperatorError 78 if root finds no such user.
 */
export async function serverIdentity(dataDir: string): Promise<Identity | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataDir).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const [uid, gid] = await Promise.all([
    run('id', ['-u', 'postgres']),
    run('id', ['-g', 'postgres']),
  ]);
  if (uid.code === 0 && gid.code === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  throw badConfiguration('PostgreSQL does not run as root, and there is no user "postgres".', {
    remedy: 'useradd --system --shell /usr/sbin/nologin postgres, or run imgstore as another user',
  });
}

/**
 * Verifies that the server's user can enter `dir`.
 * @throws OperatorError 78 that names the inaccessible folder.
 */
async function checkReachable(dir: string, identity: Identity | undefined): Promise<void> {
  if (!identity || (await canEnter(dir, identity))) return;
  const above = [dir];
  while (above[0] !== undefined && above[0] !== '/') above.unshift(dirname(above[0]));
  for (const folder of above) {
    if (await canEnter(folder, identity)) continue;
    throw badConfiguration(
      `The database server's user (uid ${identity.uid}) cannot enter ${folder}.`,
      {
        setting: 'home',
        remedy: `chmod o+x ${folder}, or choose a home elsewhere with --home, e.g. /var/lib/imgstore`,
      },
    );
  }
}

async function canEnter(dir: string, as: Identity): Promise<boolean> {
  return (await run('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], { as })).code === 0;
}

/** Paths of the parts of a home's private cluster. */
export interface ClusterFiles {
  readonly data: string;
  readonly log: string;
  readonly password: string;
  /** Held by all processes of a server, and by who creates or replaces its files meanwhile. */
  readonly lock: string;
  /** Shared by the processes that use the server, which ends when nobody holds it. */
  readonly users: string;
  readonly socketDir: string;
}

export function clusterFiles(home: Home): ClusterFiles {
  return {
    data: join(home.database, 'cluster'),
    log: join(home.database, 'postgres.log'),
    password: join(home.secrets, 'database.password'),
    lock: join(home.run, 'database.lock'),
    users: join(home.run, 'database.users'),
    socketDir: socketDirectory(join(home.run, 'postgresql')),
  };
}

/** Files that the operator may have changed in a cluster. */
export const settingFiles = [
  'postgresql.conf',
  'postgresql.auto.conf',
  'pg_hba.conf',
  'pg_ident.conf',
];

/** The PostgreSQL major version of an existing cluster; undefined if there is none. */
export async function clusterMajor(files: ClusterFiles): Promise<number | undefined> {
  try {
    return Number((await readFile(join(files.data, 'PG_VERSION'), 'utf8')).trim());
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') return undefined;
    if (code !== 'EACCES') throw error;
    throw badConfiguration(`The database in ${files.data} belongs to another user.`, {
      setting: 'home',
      remedy:
        `run imgstore as the user that ran "${commandLine('init')}" (sudo ${programName()} …); ` +
        `if the home was copied: sudo chown -R ${process.getuid?.()}:${process.getgid?.()} ${dirname(dirname(files.data))}`,
      cause: error,
    });
  }
}

/**
 * PostgreSQL accepts only data that its own user owns; a copy made without `cp -a` loses the owner.
 * @throws OperatorError 78 with the command that restores it.
 */
export async function checkDataOwner(
  files: ClusterFiles,
  identity: Identity | undefined,
): Promise<void> {
  const owner = await stat(files.data).catch(() => undefined);
  const { uid, gid } = identity ?? { uid: process.getuid?.(), gid: process.getgid?.() };
  if (!owner || uid === undefined || owner.uid === uid) return;
  const home = dirname(dirname(files.data));
  throw badConfiguration(
    `The database in ${files.data} belongs to uid ${owner.uid}, but its server runs as uid ${uid}.`,
    {
      setting: 'home',
      remedy: identity
        ? `If the home was copied: chown -R ${uid}:${gid} ${dirname(files.data)}, or, if another user ran the original: chown -R USER: ${home}`
        : `If the home was copied: sudo chown -R ${uid}:${gid} ${home}; otherwise run imgstore as uid ${owner.uid}`,
    },
  );
}

/**
 * Creates the folders and the log for a server that runs as `identity`, and checks that it can
 * access them.
 */
export async function prepareFiles(
  files: ClusterFiles,
  identity: Identity | undefined,
): Promise<void> {
  for (const dir of [dirname(files.data), dirname(files.lock)]) {
    const made = await mkdir(dir, { recursive: true });
    if (made && identity) await chmod(dir, 0o711);
    await checkReachable(dir, identity);
  }
  const log = await open(files.log, 'a', 0o600);
  if (identity) await log.chown(identity.uid, identity.gid);
  await log.close();
}

/** Creates a folder that only the server's user can access. */
export async function makePrivateDirectory(
  dir: string,
  identity: Identity | undefined,
): Promise<void> {
  await mkdir(dir, { mode: 0o700 });
  if (identity) await chown(dir, identity.uid, identity.gid);
}

/** The password of the private server; generated on first use if `create`. */
export async function clusterPassword(files: ClusterFiles, create: boolean): Promise<string> {
  const read = () => readFile(files.password, 'utf8');
  // Earlier versions left an empty file if they were killed, or the disk was full.
  if (create && !(await read().catch(() => '')).trim()) {
    await mkdir(dirname(files.password), { recursive: true, mode: 0o700 });
    await replaceFile(files.password, `${randomBytes(24).toString('base64url')}\n`, 0o600);
  }
  const text = await read().catch((cause: unknown) => {
    throw badConfiguration(`Cannot read the database password: ${files.password}.`, {
      setting: 'home',
      remedy: 'restore the file from a backup, or run as the user that owns it',
      cause,
    });
  });
  return text.trim();
}
