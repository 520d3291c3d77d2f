import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dependencyDown } from '../../errors/operator.js';
import { lastLines, run } from '../../os/run.js';
import type { DirectoryRepository } from '../backup/directory-repository.js';
import { sumOfFile } from '../backup/lines.js';
import type { FileSum } from '../backup/lines.js';
import { stretchFile } from './archive.js';
import { invocation } from './programs.js';
import type { WalPrograms } from './programs.js';

/** Copies the files of a running server; they are usable only with the WAL written meanwhile. */
export async function takeBase(
  repository: DirectoryRepository,
  id: string,
  programs: WalPrograms,
  signal: AbortSignal,
): Promise<FileSum> {
  const draft = join(repository.staging, randomUUID());
  const { file, args, env } = invocation(programs, 'pg_basebackup', [
    ...[`--pgdata=${draft}`, '--format=tar', '--gzip', '--compress=1'],
    ...['--wal-method=none', '--checkpoint=fast', '--no-manifest'],
  ]);
  try {
    const { code, output } = await run(file, args, { env, signal });
    if (code !== 0) throw unfinished(repository, output);
    const path = stretchFile(id, 'base.tar.gz');
    await repository.put(path, join(draft, 'base.tar.gz'));
    return await sumOfFile(repository.fileAt(path));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const unfinished = ({ name }: DirectoryRepository, output: string) =>
  dependencyDown(`The database could not be copied:\n${lastLines(output, 3)}`, {
    setting: 'DIR',
    remedy: `Check the free space: df -h '${name}'. Then run the same command again.`,
  });
