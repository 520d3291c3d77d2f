import { join } from 'node:path';
import type { Home } from '../config/home.js';
import { ServiceError } from '../errors/catalogue.js';
import { badConfiguration, dependencyDown } from '../errors/operator.js';
import type { ObjectStore } from '../store/port.js';
import { readSentinel, sentinelKey, writeSentinel } from '../store/sentinel.js';
import { notWritable } from './layout.js';

type MarkedStore = Pick<ObjectStore, 'get' | 'put' | 'check'>;

/** Marks a store without one, for a database without images. @throws OperatorError (78, 69). */
export async function markStore(store: MarkedStore, id: string, home: Home): Promise<void> {
  await told(home, async () => {
    const owner = await readSentinel(store);
    if (owner !== undefined && owner !== id) throw foreign(home, owner);
    await writeSentinel(store, id, home.incoming);
  });
}

/**
 * Makes sure that the store is there, and the one of the instance `id`: an empty folder in place of
 * a missing mount must not be taken for it.
 * @throws OperatorError (78, 69).
 */
export async function requireStore(store: MarkedStore, home: Home, id: string): Promise<void> {
  await told(home, async () => {
    const owner = await readSentinel(store);
    if (owner === undefined) throw unmarked(home, id);
    if (owner !== id) throw foreign(home, owner);
    await store.check();
  });
}

const foreign = (home: Home, owner: string) =>
  badConfiguration(`The store in ${home.store} belongs to another installation (${owner}).`, {
    setting: 'home',
    remedy: 'Choose another --home, or the database.url that this store was made with.',
  });

const unmarked = (home: Home, id: string) => {
  const mark = join(home.store, sentinelKey);
  return badConfiguration(
    `${home.store} is not the store of this installation: it has no ${sentinelKey}.`,
    {
      setting: 'home',
      remedy:
        'Mount its file system, or bring the store back from a backup; to go on with what is ' +
        `there: echo '{"instance_id":"${id}"}' > '${mark}'`,
    },
  );
};

/** Tells failures of the file system in the operator's words. */
async function told(home: Home, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const cause = error.cause as NodeJS.ErrnoException | undefined;
    if (['EACCES', 'EPERM', 'EROFS'].includes(cause?.code ?? '')) {
      throw notWritable(home.store, cause);
    }
    throw dependencyDown(`The store in ${home.store} cannot be used: ${cause?.message}`, {
      setting: 'home',
      remedy: `Look at the disk: df -h '${home.store}' && ls -la '${home.store}'`,
      cause,
    });
  }
}
