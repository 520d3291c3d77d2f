import { ServiceError } from '../base/errors/catalogue.js';
import { badConfiguration } from '../base/errors/operator.js';
import type { ObjectStore } from '../store/port.js';
import { readSentinel, sentinelKey, writeSentinel } from '../store/sentinel.js';
import type { StoreDescription } from './store-description.js';

export interface SentinelParts {
  readonly store: Pick<ObjectStore, 'get' | 'put' | 'check'>;
  readonly description: StoreDescription;
  readonly instanceId: string;
}

/**
 * Writes the sentinel of a store that has none, for a database without images.
 * @param scratch folder for the file before it is stored. @throws OperatorError (78, 69).
 */
export async function ensureSentinel(parts: SentinelParts, scratch: string): Promise<void> {
  const { store, description, instanceId } = parts;
  await explainFailures(description, async () => {
    const owner = await readSentinel(store);
    if (owner !== undefined && owner !== instanceId) throw foreign(description, owner);
    await writeSentinel(store, instanceId, scratch);
  });
}

/**
 * Verifies that the store is present and belongs to this installation: the empty folder of a
 * missing mount must not be mistaken for it.
 * @throws OperatorError (78, 69).
 */
export async function requireSentinel({
  store,
  description,
  instanceId,
}: SentinelParts): Promise<void> {
  await explainFailures(description, async () => {
    const owner = await readSentinel(store);
    if (owner === undefined) throw unmarked(description, instanceId);
    if (owner !== instanceId) throw foreign(description, owner);
    await store.check();
  });
}

const foreign = ({ name, setting }: StoreDescription, owner: string) =>
  badConfiguration(`${name} belongs to another installation (${owner}).`, {
    setting,
    remedy: `Choose another ${setting}, or the database.url that this store was created with.`,
  });

const unmarked = ({ name, setting, remark }: StoreDescription, id: string) =>
  badConfiguration(`${name} is not the store of this installation: it has no ${sentinelKey}.`, {
    setting,
    remedy: remark(id),
  });

/** Rethrows failures of the store explained for the operator. */
async function explainFailures(
  { explain }: StoreDescription,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof ServiceError ? explain(error) : error;
  }
}
