import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Home } from '../../base/config/home.js';
import type { Config } from '../../base/config/options.js';
import { wrongUsage, failure, type OperatorError } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { DirectoryRepository } from './directory-repository.js';
import { archiveMarkPath, markPath, readJson, writeJson, type Repository } from './repository.js';

/**
 * Opens an existing repository; with `create`, creates a missing one.
 * @param location a directory or `s3://BUCKET/PREFIX`. @throws OperatorError.
 */
export async function openRepository(
  location: string,
  { home, config, create = false }: { home: Home; config: Config; create?: boolean },
): Promise<Repository> {
  if (!location.startsWith('s3://')) {
    return openDirectory(location, { home, create });
  }
  // Loaded only when used: the client and its dependencies take 15 MB.
  const { BucketRepository } = await import('./bucket-repository.js');
  return BucketRepository.open(location, config, join(home.backups, shortHash(location)));
}

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The same for a directory alone. */
export async function openDirectory(
  location: string,
  { home, create }: { home: Home; create: boolean },
): Promise<DirectoryRepository> {
  if (create) refuseStore(resolve(location), home);
  return DirectoryRepository.open(location, create);
}

/**
 * An empty folder in the home, where nobody else can write, for the lists of a run. Also empties that for files
 * in preparation, where a killed run may have left some.
 */
export async function makeListsFolder(
  home: Home,
  repository: Repository,
  { id }: Mark,
): Promise<string> {
  const { staging } = repository;
  const isLocal = repository.fileAt(markPath) !== undefined;
  const folder = isLocal ? join(home.backups, shortHash(id)) : join(staging, 'lists');
  await emptyFolder(staging);
  await emptyFolder(folder);
  return folder;
}

export async function emptyFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Every file in the store counts as an object. */
function refuseStore(dir: string, home: Home): void {
  if (dir !== home.store && !dir.startsWith(`${home.store}/`)) return;
  throw wrongUsage(`${dir} is in the store itself.`, {
    setting: 'DIR',
    remedy: `Choose a directory outside of ${home.store}, best on another disk.`,
  });
}

/** The type of a repository, by its marker file; undefined if it has none. */
export async function repositoryTypeOf(
  repository: Repository,
): Promise<'backups' | 'archive' | undefined> {
  if ((await repository.size(markPath)) !== undefined) return 'backups';
  return (await repository.size(archiveMarkPath)) === undefined ? undefined : 'archive';
}

/** @throws OperatorError 1 if there is anything except files of an interrupted command. */
export async function refuseFilled(repository: Repository): Promise<void> {
  const refusal = (why: string): OperatorError =>
    failure(`${repository.name} ${why}.`, {
      code: 'not_empty',
      setting: 'DIR',
      remedy: 'Choose an empty or a new directory.',
    });
  const kind = await repositoryTypeOf(repository);
  if (kind !== undefined) {
    const what = kind === 'backups' ? 'has backups' : 'is a WAL archive of "imgstore backup --wal"';
    throw refusal(`${what}; backups and WAL do not share a directory`);
  }
  for await (const { path } of repository.list('')) {
    if (path.startsWith('unfinished/')) continue;
    throw refusal(`is not empty: it contains ${path}`);
  }
}

const markSchema = z.object({
  format: z.literal(1),
  id: z.string(),
  instance_id: z.string(),
  /** The one platform whose backups these are; null for those of whole installations. */
  platform_id: z.string().nullable(),
});

/** The installation whose backups a repository has; `id` is that of the repository. */
export type Mark = z.infer<typeof markSchema>;

/** @throws OperatorError 1 if this is not a repository of backups. */
export async function readMark(repository: Repository): Promise<Mark> {
  const mark = await findMark(repository);
  if (mark) return mark;
  if ((await repositoryTypeOf(repository)) === 'archive') {
    throw failure(`${repository.name} is a WAL archive, not a directory of backups.`, {
      setting: 'DIR',
      remedy: `Choose another one; to test an archive, restore it elsewhere: ${commandLine('restore', repository.name, '--home', 'NEW')}`,
    });
  }
  throw failure(`There are no backups in ${repository.name}: it has no ${markPath}.`, {
    code: 'missing',
    setting: 'DIR',
    remedy: 'Correct the path, or mount its file system.',
  });
}

async function findMark(repository: Repository): Promise<Mark | undefined> {
  const found = await readJson(repository, markPath);
  if (found === undefined) return undefined;
  const { data, error: cause } = markSchema.safeParse(found);
  if (data) return data;
  throw failure(`${markPath} in ${repository.name} is damaged, or of a newer imgstore.`, {
    code: 'damaged',
    setting: 'DIR',
    remedy: 'Use a newer imgstore, or copy the file from another copy of these backups.',
    cause,
  });
}

/**
 * Marks an empty repository as this installation's.
 * @throws OperatorError 1 if it belongs to another one, or contains something else.
 */
export async function ensureMark(
  repository: Repository,
  { instanceId, platformId }: { instanceId: string; platformId: string | null },
): Promise<Mark> {
  const found = await findMark(repository);
  if (found?.instance_id === instanceId && found.platform_id === platformId) return found;
  if (found?.instance_id === instanceId) {
    const whose =
      found.platform_id === null ? 'all platforms' : `the platform ${found.platform_id}`;
    throw failure(`${repository.name} has backups of ${whose}.`, {
      setting: '--platform',
      remedy: 'Choose another directory or prefix: a restore takes the latest backup.',
    });
  }
  if (found) {
    throw failure(
      `${repository.name} has backups of another installation (${found.instance_id}).`,
      {
        code: 'foreign',
        setting: 'DIR',
        remedy: 'Choose a separate directory or prefix for each installation.',
      },
    );
  }
  await refuseFilled(repository);
  const mark: Mark = {
    format: 1,
    id: randomUUID(),
    instance_id: instanceId,
    platform_id: platformId,
  };
  await writeJson(repository, markPath, mark);
  return mark;
}
