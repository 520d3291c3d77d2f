import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { failure } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { repositoryTypeOf, refuseFilled } from './refuse-filled.js';
import { markPath } from './repository.js';
import type { Repository } from './repository.js';

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
    setting: 'DIR',
    remedy: 'Correct the path, or mount its file system.',
  });
}

async function findMark(repository: Repository): Promise<Mark | undefined> {
  const source = await repository.read(markPath);
  if (!source) return undefined;
  try {
    return markSchema.parse(JSON.parse(await text(source)));
  } catch (cause) {
    throw failure(`${markPath} in ${repository.name} is damaged, or of a newer imgstore.`, {
      setting: 'DIR',
      remedy: 'Use a newer imgstore, or copy the file from another copy of these backups.',
      cause,
    });
  }
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
      { setting: 'DIR', remedy: 'Choose a separate directory or prefix for each installation.' },
    );
  }
  await refuseFilled(repository);
  const mark: Mark = {
    format: 1,
    id: randomUUID(),
    instance_id: instanceId,
    platform_id: platformId,
  };
  const file = join(repository.staging, markPath);
  await writeFile(file, `${JSON.stringify(mark)}\n`, { mode: 0o600 });
  await repository.put(markPath, file);
  return mark;
}
