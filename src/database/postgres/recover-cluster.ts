import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  constants,
  lstat,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Home } from '../../base/config/home.js';
import { failure } from '../../base/errors/operator.js';
import { shellWord } from '../../base/os/command-line.js';
import { syncFolder } from '../../base/os/files.js';
import type { Lock } from '../../base/os/process-lock.js';
import { apart, lastLines, run, type Identity } from '../../base/os/run.js';
import {
  clusterFiles,
  clusterPassword,
  makePrivateDirectory,
  prepareFiles,
  type ClusterFiles,
  serverIdentity,
  settingFiles,
} from './cluster-files.js';
import { acceptsLogin, asSuperuser, role, socketUrl, superuser } from './connect.js';
import type { Engine } from './engine.js';
import { endServer, hasEnded, launchPostmaster, withoutServer } from './postmaster.js';
import { initializeCluster, clusterSettings } from './initdb.js';

interface Recovery {
  readonly home: Home;
  /** Must have the version that wrote the WAL. */
  readonly engine: Engine;
  /** Writes a base backup, as tar.gz. */
  readonly writeBase: (into: Writable) => Promise<void>;
  /** Writes the segments since then into a folder. */
  readonly placeSegments: (folder: string) => Promise<void>;
  /** The instant to recover; the end of the WAL if undefined. */
  readonly at: Date | undefined;
  /** The instant that the end of the WAL must not precede. */
  readonly atLeast: Date | undefined;
  readonly signal: AbortSignal;
}

/** The outcome of a recovery. */
interface Recovered {
  /** Whether the WAL has a commit at or after these instants; otherwise, nothing was recovered. */
  readonly reached: boolean;
  /** When the last replayed transaction was committed. */
  readonly lastCommit: Date | undefined;
}

interface Draft {
  readonly files: ClusterFiles;
  readonly identity: Identity | undefined;
  /** Of the files, which nobody uses. */
  readonly lock: Lock;
  /** Folder of the segments that the server can read. */
  readonly segments: string;
}

/**
 * Creates a private cluster from a base backup and WAL, as of an instant, in a draft folder that is
 * renamed at the end. The home must not have a cluster yet; a new password is generated.
 * @throws OperatorError 1 with the end of the server's log.
 */
export async function recoverCluster(recovery: Recovery): Promise<Recovered> {
  const own = clusterFiles(recovery.home);
  const identity = await serverIdentity(own.data);
  await prepareFiles(own, identity);
  return withoutServer(own, recovery.signal, async (lock) => {
    const data = `${own.data}.recovering`;
    const files = { ...own, data, log: `${data}.log` };
    const draft = { files, identity, lock, segments: `${data}.wal` };
    await clear(draft); // of a killed process
    try {
      await prepareFiles(files, identity);
      await makePrivateDirectory(data, identity);
      await unpack(recovery, draft);
      const recovered = await replay(recovery, draft);
      if (recovered.reached) {
        await rename(data, own.data);
        await syncFolder(dirname(own.data));
      }
      return recovered;
    } finally {
      await clear(draft);
    }
  });
}

async function clear({ files, segments }: Draft): Promise<void> {
  for (const path of [files.data, files.log, segments]) {
    await rm(path, { recursive: true, force: true });
  }
}

/**
 * Unpacks the base backup and places the segments, both for the server's user. Nothing is run yet,
 * and no settings of the backup remain: they name commands and libraries.
 */
async function unpack(recovery: Recovery, draft: Draft): Promise<void> {
  const { engine, placeSegments, signal } = recovery;
  const { files, identity } = draft;
  await untar(recovery, draft);
  await chmod(files.data, 0o700); // the archive may have set another mode
  await refuseLinks(files.data);
  if (await stat(join(files.data, 'backup_manifest')).catch(() => undefined)) {
    const args = ['--no-parse-wal', '--quiet', files.data];
    const program = join(engine.bin, 'pg_verifybackup');
    const { code, output } = await run(program, args, { as: identity, env: engine.env, signal });
    if (code !== 0)
      throw failure(`The base backup is damaged:\n${lastLines(output, 3)}`, {
        code: 'damaged',
        setting: 'DIR',
      });
  }
  await useOwnSettings(recovery, draft);
  await makePrivateDirectory(draft.segments, identity);
  await placeSegments(draft.segments);
  for (const name of identity ? await readdir(draft.segments) : []) {
    await chownFile(join(draft.segments, name), identity);
  }
}

/** Runs as the server's user, which can write nowhere else. */
async function untar({ writeBase, signal }: Recovery, draft: Draft): Promise<void> {
  const { files, identity } = draft;
  const tar = spawn('tar', ['-xz', '-C', files.data, '--no-same-owner'], {
    ...apart({ as: identity, signal }),
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = Promise.all([text(tar.stderr), once(tar, 'close')]);
  ended.catch(() => undefined); // awaited below
  const written = writeBase(tar.stdin).catch((error: unknown) => error);
  const [output] = await ended;
  const error = await written;
  if (tar.exitCode !== 0) {
    throw failure(`The base backup cannot be unpacked:\n${lastLines(output, 3)}`, {
      code: 'damaged',
      setting: 'DIR',
    });
  }
  if (error) throw error as Error;
}

/** A cluster of imgstore has no tablespaces, which are links; nothing else in one is a link. */
async function refuseLinks(data: string): Promise<void> {
  for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || (entry.isFile() && (await lstat(path)).nlink === 1)) continue;
    throw failure(`The base backup contains a link or a special file: ${path.slice(data.length)}`, {
      code: 'damaged',
      setting: 'DIR',
    });
  }
}

const foreignFiles = [
  'recovery.conf',
  'recovery.done',
  'recovery.signal',
  'standby.signal',
  'tablespace_map',
  'backup_manifest',
  'postmaster.pid',
  'postmaster.opts',
  'pg_wal',
  'pg_replslot',
];

/** Replaces the settings with those of a new cluster; removes what else would direct the server. */
async function useOwnSettings({ engine, signal }: Recovery, draft: Draft): Promise<void> {
  const { files, identity } = draft;
  const fresh = `${files.data}.settings`;
  await rm(fresh, { recursive: true, force: true });
  try {
    await makePrivateDirectory(fresh, identity);
    await initializeCluster(fresh, engine, identity, randomBytes(24).toString('hex'), signal);
    await appendFile(join(fresh, 'postgresql.conf'), clusterSettings);
    for (const name of foreignFiles) {
      await rm(join(files.data, name), { recursive: true, force: true });
    }
    for (const dir of ['pg_wal', 'pg_wal/archive_status', 'pg_replslot']) {
      await makePrivateDirectory(join(files.data, dir), identity);
    }
    for (const name of settingFiles) {
      await rm(join(files.data, name), { recursive: true, force: true });
      await rename(join(fresh, name), join(files.data, name));
    }
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Changes the owner of a file itself, not of what a link leads to. */
async function chownFile(path: string, identity: Identity | undefined): Promise<void> {
  if (!identity) return;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  await file.chown(identity.uid, identity.gid).finally(() => file.close());
}

const settingsFile = 'postgresql.auto.conf';
const accessFile = 'recovery_hba.conf';

/** @see https://www.postgresql.org/docs/current/runtime-config-wal.html#RUNTIME-CONFIG-WAL-ARCHIVE-RECOVERY */
const settingsOf = ({ at, engine }: Recovery, { files, segments }: Draft): string =>
  [
    ['restore_command', `cp ${shellWord(segments).replaceAll('%', '%%')}/%f %p`],
    ...(at ? [['recovery_target_time', at.toISOString().replace('Z', '+00')]] : []),
    ['recovery_target_action', 'promote'],
    ['recovery_target_timeline', 'current'],
    ['hot_standby', 'off'],
    ...(engine.major >= 17 ? [['event_triggers', 'off']] : []), // no code of the backup runs
    // The former password is unknown; only the server's user can access the socket's folder.
    ['hba_file', join(files.data, accessFile)],
  ]
    .map(([name = '', value = '']) => `${name} = '${value.replaceAll("'", "''")}'\n`)
    .join('');

/**
 * Starts the server, which replays the WAL and opens for writing, sets the new password, and stops
 * it.
 */
async function replay(recovery: Recovery, draft: Draft): Promise<Recovered> {
  const { engine, at: target, atLeast = new Date(0), signal } = recovery;
  const { files, identity, lock, segments } = draft;
  const at = (name: string): string => join(files.data, name);
  const settings = await readFile(at(settingsFile), 'utf8');
  await appendFile(at(settingsFile), settingsOf(recovery, draft));
  await rm(at(accessFile), { recursive: true, force: true });
  for (const [name, content] of [
    [accessFile, 'local all all trust\n'],
    ['recovery.signal', ''],
  ] as const) {
    await writeFile(at(name), content, { mode: 0o600, flag: 'wx' });
    await chownFile(at(name), identity);
  }
  const server = await launchPostmaster(files, engine, identity, lock);
  server.ref();
  try {
    const promoted = await untilPromoted(server, files, signal);
    const log = await readFile(files.log, 'utf8');
    if (!promoted && !log.includes('before configured recovery target was reached')) {
      throw failure(`The WAL cannot be replayed:\n${lastLines(log)}`, { setting: 'DIR' });
    }
    if (promoted) await setPassword(files);
    await endServer(server, 'SIGINT');
    await writeFile(at(settingsFile), settings);
    await rm(at(accessFile));
    const lastCommit = lastCommitIn(log);
    const whole = target !== undefined || (lastCommit ?? new Date(0)) >= atLeast;
    return { reached: promoted && whole, lastCommit };
  } finally {
    await endServer(server, 'SIGQUIT');
    await rm(segments, { recursive: true, force: true });
  }
}

/** @returns false if the server has ended instead. */
async function untilPromoted(
  server: ChildProcess,
  files: ClusterFiles,
  signal: AbortSignal,
): Promise<boolean> {
  while (!(await acceptsLogin(trustedUrl(files)))) {
    if (hasEnded(server)) return false;
    await delay(50, undefined, { signal });
  }
  return true;
}

/** The server asks nobody for a password yet. */
const trustedUrl = ({ socketDir }: ClusterFiles): string =>
  socketUrl(socketDir, 'none', { user: superuser, database: 'postgres' });

async function setPassword(files: ClusterFiles): Promise<void> {
  const password = pg.escapeLiteral(await clusterPassword(files, true));
  const names = [superuser, role];
  await asSuperuser(
    trustedUrl(files),
    names.map((name) => `ALTER ROLE ${name} PASSWORD ${password}`),
  );
}

function lastCommitIn(log: string): Date | undefined {
  const found = [...log.matchAll(/last completed transaction was at log time (\S+ \S+)/g)].at(-1);
  const [, time = ''] = found ?? [];
  const date = new Date(`${time.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
