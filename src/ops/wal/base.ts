import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { dependencyDown } from '../../base/errors/operator.js';
import { lastLines } from '../../base/os/run.js';
import type { DirectoryRepository } from '../backup/directory-repository.js';
import { Summing } from '../backup/lines.js';
import type { FileSum } from '../backup/lines.js';
import { stretchFile } from './archive.js';
import { invocation } from './programs.js';
import type { WalPrograms } from './programs.js';

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
  const child = spawn(file, args, {
    cwd: '/',
    detached: true, // Ctrl-C in our terminal must not reach it
    env: { ...process.env, LC_ALL: 'C', LANGUAGE: 'C', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
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
    child.kill('SIGKILL');
    await ended.catch(() => undefined);
    await rm(draft, { force: true });
  }
}

const unfinished = ({ name }: DirectoryRepository, output: string) =>
  dependencyDown(`The database could not be copied:\n${lastLines(output, 3)}`, {
    setting: 'DIR',
    remedy: `Check the free space: df -h '${name}'. Then run the same command again.`,
  });
