import { ServiceError } from '../errors/catalogue.js';
import { badConfiguration } from '../errors/operator.js';
import type { ObjectStore } from '../store/port.js';
import { readSentinel, sentinelKey, writeSentinel } from '../store/sentinel.js';
import type { StorePlace } from './store-location.js';

export interface MarkParts {
  readonly store: Pick<ObjectStore, 'get' | 'put' | 'check'>;
  readonly place: StorePlace;
  readonly instanceId: string;
}

/**
 * Marks an unmarked store, for a database without images.
 * @param scratch folder for the file before it is stored. @throws OperatorError (78, 69).
 */
export async function markStore(parts: MarkParts, scratch: string): Promise<void> {
  const { store, place, instanceId } = parts;
  await told(place, async () => {
    const owner = await readSentinel(store);
    if (owner !== undefined && owner !== instanceId) throw foreign(place, owner);
    await writeSentinel(store, instanceId, scratch);
  });
}

/**
 * Verifies that the store is present and belongs to this instance: an empty folder in place of a
 * missing mount must not be mistaken for it.
 * @throws OperatorError (78, 69).
 */
export async function requireStore({ store, place, instanceId }: MarkParts): Promise<void> {
  await told(place, async () => {
    const owner = await readSentinel(store);
    if (owner === undefined) throw unmarked(place, instanceId);
    if (owner !== instanceId) throw foreign(place, owner);
    await store.check();
  });
}

const foreign = ({ name, setting }: StorePlace, owner: string) =>
  badConfiguration(`${name} belongs to another installation (${owner}).`, {
    setting,
    remedy: `Choose another ${setting}, or the database.url that this store was created with.`,
  });

const unmarked = ({ name, setting, remark }: StorePlace, id: string) =>
  badConfiguration(`${name} is not the store of this installation: it has no ${sentinelKey}.`, {
    setting,
    remedy: remark(id),
  });

/** Rethrows failures of the store explained for the operator. */
async function told({ explain }: StorePlace, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof ServiceError ? explain(error) : error;
  }
}
