import type { ChildProcess } from 'node:child_process';
import {
  appendFile,
  chown,
  copyFile,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Home } from '../config/home.js';
import { failure } from '../errors/operator.js';
import { shellWord } from '../os/command-line.js';
import { lastLines, run } from '../os/run.js';
import type { Identity } from '../os/run.js';
import {
  clusterFiles,
  clusterPassword,
  makePrivateDirectory,
  prepareFiles,
} from './cluster-files.js';
import type { ClusterFiles } from './cluster-files.js';
import { asSuperuser, role, socketUrl, superuser } from './connect.js';
import type { Engine } from './engine.js';
import {
  endProcesses,
  endServer,
  findPostmaster,
  hasEnded,
  launchPostmaster,
  removeStaleFiles,
} from './postmaster.js';
import { serverIdentity } from './server-user.js';
import { makeSocketDirectory } from './socket-directory.js';

export interface Recovery {
  readonly home: Home;
  /** Must have the version that wrote the WAL. */
  readonly engine: Engine;
  /** A base backup, as tar.gz. */
  readonly base: string;
  /** Folder of the segments since then, as written by pg_receivewal. */
  readonly segments: string;
  /** The instant to recover; the end of the WAL if undefined. */
  readonly at: Date | undefined;
  readonly signal: AbortSignal;
}

/** The outcome of a recovery. */
export interface Recovered {
  /** Whether the WAL has a commit at or after the instant; without one, nothing was recovered. */
  readonly reached: boolean;
  /** When the last replayed transaction was committed. */
  readonly lastCommit: Date | undefined;
}

interface Draft {
  readonly files: ClusterFiles;
  readonly identity: Identity | undefined;
  /** Folder of the segments that the server can read. */
  readonly segments: string;
}

/**
 * Creates a private cluster from a base backup and WAL, as of an instant, in a draft folder that is
 * renamed at the end. The home must not have a cluster yet; a new password is generated.
 * @throws OperatorError 1 with the end of the server's log.
 */
export async function recoverCluster(recovery: Recovery): Promise<Recovered> {
  const { home } = recovery;
  const own = clusterFiles(home);
  const identity = await serverIdentity(own.data);
  const data = `${own.data}.recovering`;
  const files = { ...own, data, log: `${data}.log` };
  const draft = { files, identity, segments: `${data}.wal` };
  await clear(draft);
  try {
    await prepareFiles(own, identity);
    await prepareFiles(files, identity);
    await makePrivateDirectory(data, identity);
    await unpack(recovery, draft);
    const recovered = await replay(recovery, draft);
    if (recovered.reached) {
      await rename(data, own.data);
      const folder = await open(dirname(own.data));
      await folder.sync();
      await folder.close();
    }
    return recovered;
  } finally {
    await clear(draft);
  }
}

/** Removes a draft, and its server if a killed process left one. */
async function clear({ files, identity, segments }: Draft): Promise<void> {
  if (await stat(files.data).catch(() => undefined)) await endProcesses(files.data, identity);
  for (const path of [files.data, files.log, segments]) {
    await rm(path, { recursive: true, force: true });
  }
}

/** Unpacks the base backup for the server's user, and makes the segments readable for it. */
async function unpack({ base, segments, signal }: Recovery, draft: Draft): Promise<void> {
  const { files, identity } = draft;
  const tar = ['-xzf', base, '-C', files.data, '--no-same-owner'];
  const { code, output } = await run('tar', tar, { signal });
  if (code !== 0) throw failure(`The base backup cannot be unpacked:\n${lastLines(output, 3)}`);
  await makePrivateDirectory(draft.segments, identity);
  const names = await readdir(segments);
  const [whole] = names.filter((name) => /^[0-9A-F]{24}$/.test(name));
  const size = whole && (await stat(join(segments, whole))).size;
  for (const name of names) {
    signal.throwIfAborted();
    const from = join(segments, name);
    // The last segment is allocated at full size before it is filled, unless a kill prevented that.
    if (name.endsWith('.partial') && size && (await stat(from)).size !== size) continue;
    const to = join(draft.segments, name.replace(/\.partial$/, ''));
    await (identity ? copyFile(from, to) : symlink(from, to));
  }
  if (identity) {
    const owner = `${identity.uid}:${identity.gid}`;
    await run('chown', ['-R', owner, files.data, draft.segments], { signal });
  }
}

const settingsFile = 'postgresql.auto.conf';
const accessFile = 'recovery_hba.conf';

/** @see https://www.postgresql.org/docs/current/runtime-config-wal.html#RUNTIME-CONFIG-WAL-ARCHIVE-RECOVERY */
const settingsOf = ({ at }: Recovery, { files, segments }: Draft): string =>
  [
    ['restore_command', `cp ${shellWord(segments).replaceAll('%', '%%')}/%f %p`],
    ...(at ? [['recovery_target_time', at.toISOString().replace('Z', '+00')]] : []),
    ...[
      ['recovery_target_action', 'promote'],
      ['recovery_target_timeline', 'current'],
      ['hot_standby', 'off'],
      // The former password is unknown; only the server's user can access the socket's folder.
      ['hba_file', join(files.data, accessFile)],
    ],
  ]
    .map(([name = '', value = '']) => `${name} = '${value.replaceAll("'", "''")}'\n`)
    .join('');

/**
 * Starts the server, which replays the WAL and opens for writing, sets the new password, and stops
 * it.
 */
async function replay(recovery: Recovery, draft: Draft): Promise<Recovered> {
  const { engine, signal } = recovery;
  const { files, identity, segments } = draft;
  const at = (name: string): string => join(files.data, name);
  const settings = await readFile(at(settingsFile), 'utf8');
  await appendFile(at(settingsFile), settingsOf(recovery, draft));
  await writeFile(at(accessFile), 'local all all trust\n', { mode: 0o600 });
  await writeFile(at('recovery.signal'), '', { mode: 0o600 });
  if (identity) {
    for (const name of [accessFile, 'recovery.signal']) {
      await chown(at(name), identity.uid, identity.gid);
    }
  }
  await makeSocketDirectory(files.socketDir, identity);
  await removeStaleFiles(files.data, files.socketDir);
  const server = await launchPostmaster(files, engine, identity);
  server.ref();
  try {
    const promoted = await untilPromoted(server, files, identity, signal);
    const log = await readFile(files.log, 'utf8');
    if (!promoted && !log.includes('before configured recovery target was reached')) {
      throw failure(`The WAL cannot be replayed:\n${lastLines(log)}`, { setting: 'DIR' });
    }
    if (promoted) await setPassword(files);
    await endServer(server, 'SIGINT');
    await writeFile(at(settingsFile), settings);
    await rm(at(accessFile));
    return { reached: promoted, lastCommit: lastCommitIn(log) };
  } finally {
    await endServer(server, 'SIGQUIT');
    await rm(segments, { recursive: true, force: true });
  }
}

/** @returns false if the server has ended instead. */
async function untilPromoted(
  server: ChildProcess,
  { data }: ClusterFiles,
  identity: Identity | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  while (!(await findPostmaster(data, identity))?.ready) {
    if (hasEnded(server)) return false;
    await delay(50, undefined, { signal });
  }
  return true;
}

async function setPassword(files: ClusterFiles): Promise<void> {
  const password = pg.escapeLiteral(await clusterPassword(files, true));
  const url = socketUrl(files.socketDir, 'none', { user: superuser, database: 'postgres' });
  const names = [superuser, role];
  await asSuperuser(
    url,
    names.map((name) => `ALTER ROLE ${name} PASSWORD ${password}`),
  );
}

function lastCommitIn(log: string): Date | undefined {
  const found = [...log.matchAll(/last completed transaction was at log time (\S+ \S+)/g)].at(-1);
  const [, time = ''] = found ?? [];
  const date = new Date(`${time.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
