import { failure } from '../../errors/operator.js';
import { archiveMarkPath, markPath } from './repository.js';
import type { Repository } from './repository.js';

/** What a repository is, by the file that marks it; undefined for what is neither. */
export async function kindOf(repository: Repository): Promise<'backups' | 'archive' | undefined> {
  if ((await repository.size(markPath)) !== undefined) return 'backups';
  return (await repository.size(archiveMarkPath)) === undefined ? undefined : 'archive';
}

/** @throws OperatorError 1 when there is anything but what an interrupted command left. */
export async function refuseFilled(repository: Repository): Promise<void> {
  const { name } = repository;
  const kind = await kindOf(repository);
  if (kind !== undefined) {
    const what = kind === 'backups' ? 'has backups' : 'is a WAL archive of "imgstore backup --wal"';
    throw failure(`${name} ${what}; backups and WAL do not share a directory.`, {
      setting: 'DIR',
      remedy: 'Choose an empty or a new directory.',
    });
  }
  for await (const { path } of repository.list('')) {
    if (path.startsWith('unfinished/')) continue;
    throw failure(`${name} is not empty: it contains ${path}.`, {
      setting: 'DIR',
      remedy: 'Choose an empty or a new directory.',
    });
  }
}
