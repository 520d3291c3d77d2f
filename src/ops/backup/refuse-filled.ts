import { failure } from '../../base/errors/operator.js';
import { archiveMarkPath, markPath } from './repository.js';
import type { Repository } from './repository.js';

/** The type of a repository, by its marker file; undefined if it has none. */
export async function repositoryTypeOf(
  repository: Repository,
): Promise<'backups' | 'archive' | undefined> {
  if ((await repository.size(markPath)) !== undefined) return 'backups';
  return (await repository.size(archiveMarkPath)) === undefined ? undefined : 'archive';
}

/** @throws OperatorError 1 if there is anything except files of an interrupted command. */
export async function refuseFilled(repository: Repository): Promise<void> {
  const { name } = repository;
  const kind = await repositoryTypeOf(repository);
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
