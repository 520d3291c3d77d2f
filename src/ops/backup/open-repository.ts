import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Home } from '../../base/config/home.js';
import type { Config } from '../../base/config/options.js';
import { wrongUsage } from '../../base/errors/operator.js';
import { DirectoryRepository } from './directory-repository.js';
import type { Repository } from './repository.js';

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
  const name = createHash('sha256').update(location).digest('hex').slice(0, 16);
  return BucketRepository.open(location, config, join(home.backups, name));
}

/** The same for a directory alone. */
export async function openDirectory(
  location: string,
  { home, create }: { home: Home; create: boolean },
): Promise<DirectoryRepository> {
  if (create) refuseStore(resolve(location), home);
  return DirectoryRepository.open(location, create);
}

/** Every file in the store counts as an object. */
function refuseStore(dir: string, home: Home): void {
  if (dir !== home.store && !dir.startsWith(`${home.store}/`)) return;
  throw wrongUsage(`${dir} is in the store itself.`, {
    setting: 'DIR',
    remedy: `Choose a directory outside of ${home.store}, best on another disk.`,
  });
}
