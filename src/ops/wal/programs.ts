import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { access, constants, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Home } from '../../base/config/home.js';
import { dependencyDown, failure } from '../../base/errors/operator.js';
import { apart, lastLines, run, signalChild } from '../../base/os/run.js';
import { withoutSecret } from '../../database/postgres/dump-programs.js';
import { engineFolder, type Engine } from '../../database/postgres/engine.js';
import { requireEngine } from '../../database/postgres/ensure-engine.js';
import type { DirectoryRepository } from '../backup/directory-repository.js';
import { Summing, type FileSum } from '../backup/repository.js';
import { stretchFile } from './archive.js';
import { segmentBytes } from './segments.js';

type Program = 'pg_basebackup' | 'pg_receivewal';

/** PostgreSQL's own programs for physical backups of a private server. */
export interface WalPrograms {
  readonly engine: Engine;
  /** URL for the superuser. */
  readonly url: string;
}

/** @throws OperatorError 69 with the package that contains them. */
export async function findWalPrograms(
  home: Home,
  major: number,
  url: string,
): Promise<WalPrograms> {
  const engine = await requireEngine(engineFolder(home), major);
  const programs: Program[] = ['pg_basebackup', 'pg_receivewal'];
  for (const program of programs) {
    await access(join(engine.bin, program), constants.X_OK).catch((cause: unknown) => {
      throw dependencyDown(`${program} of PostgreSQL ${major} is missing in ${engine.bin}.`, {
        remedy: `sudo apt-get install --no-install-recommends postgresql-client-${major}`,
        cause,
      });
    });
  }
  return { engine, url };
}

/** How to start one of them; the password is in the environment, which others cannot read. */
function invocation(
  { engine, url }: WalPrograms,
  program: Program,
  args: readonly string[],
): { file: string; args: string[]; env: Record<string, string> } {
  const connection = withoutSecret(url);
  return {
    file: join(engine.bin, program),
    args: [...args, '--no-password', `--dbname=${connection.url}`],
    env: { ...engine.env, ...connection.env },
  };
}

/**
 * Receives WAL into a folder with pg_receivewal, which confirms to the server what is safely on
 * disk.
 */
export class Receiver {
  #hasEnded = false;

  private constructor(
    private readonly child: ChildProcess,
    /** Its output, once it has ended for any reason. */
    readonly ended: Promise<string>,
  ) {
    void ended.then(() => {
      this.#hasEnded = true;
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  static async start(programs: WalPrograms, slot: string, dir: string): Promise<Receiver> {
    await removeTornSegment(dir);
    const { file, args, env } = invocation(programs, 'pg_receivewal', [
      `--slot=${slot}`,
      `--directory=${dir}`,
      '--synchronous',
      '--no-loop',
    ]);
    const child = spawn(file, args, { ...apart({ env }), stdio: ['ignore', 'ignore', 'pipe'] });
    await once(child, 'spawn');
    const closed = Promise.all([text(child.stderr), once(child, 'close')]);
    return new Receiver(
      child,
      closed.then(([output]) => lastLines(output, 3)),
    );
  }

  /** Stops it; the server retains the WAL that follows. */
  async stop(): Promise<void> {
    this.child.kill('SIGINT');
    await this.ended;
  }
}

/**
 * Removes a segment that a full disk or a kill left incompletely allocated: pg_receivewal would
 * refuse to resume. It has no contents yet, and the server still has its WAL.
 */
async function removeTornSegment(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!name.endsWith('.partial')) continue;
    const { size } = await stat(join(dir, name));
    if (size !== 0 && size !== segmentBytes) await rm(join(dir, name));
  }
}

/** Makes the server retain WAL from now on, until it has been received. */
export async function createSlot(programs: WalPrograms, slot: string): Promise<void> {
  const words = [`--slot=${slot}`, '--create-slot', '--if-not-exists'];
  const { file, args, env } = invocation(programs, 'pg_receivewal', words);
  const { code, output } = await run(file, args, { env });
  if (code === 0) return;
  throw failure(`The server does not provide its WAL:\n${lastLines(output, 3)}`, {
    setting: 'database.url',
    remedy: 'Check wal_level, max_wal_senders, and max_replication_slots of the database.',
  });
}

/**
 * Copies the files of a running server, with PostgreSQL's own manifest of them; they are usable only
 * with the WAL written meanwhile. @returns the sum of what the server sent, whatever the disk has.
 */
export async function takeBase(
  repository: DirectoryRepository,
  id: string,
  programs: WalPrograms,
  signal: AbortSignal,
): Promise<FileSum> {
  const draft = join(repository.staging, randomUUID());
  const { file, args, env } = invocation(programs, 'pg_basebackup', [
    '--pgdata=-',
    '--format=tar',
    '--gzip',
    '--compress=1',
    '--wal-method=none',
    '--checkpoint=fast',
    '--manifest-checksums=SHA256',
  ]);
  const child = spawn(file, args, { ...apart({ env, signal }), stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = Promise.all([text(child.stderr), once(child, 'close')]);
  const summing = new Summing();
  try {
    const target = createWriteStream(draft, { mode: 0o600, flags: 'wx' });
    await pipeline(child.stdout, summing.through, target).catch((error: unknown) => {
      signal.throwIfAborted();
      throw unfinished(repository, (error as Error).message);
    });
    const [output] = await ended;
    if (child.exitCode !== 0) throw unfinished(repository, output);
    await repository.put(stretchFile(id, 'base.tar.gz'), draft);
    return summing.sum();
  } finally {
    signalChild(child, 'SIGKILL');
    await ended.catch(() => undefined);
    await rm(draft, { force: true });
  }
}

const unfinished = ({ name }: DirectoryRepository, output: string) =>
  dependencyDown(`The database could not be copied:\n${lastLines(output, 3)}`, {
    setting: 'DIR',
    remedy: `Check the free space: df -h '${name}'. Then run the same command again.`,
  });
