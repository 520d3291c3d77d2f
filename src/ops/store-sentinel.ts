import { join } from 'node:path';
import type { Home } from '../base/config/home.js';
import type { Config } from '../base/config/options.js';
import { ServiceError } from '../base/errors/catalogue.js';
import { badConfiguration, dependencyDown, type OperatorError } from '../base/errors/operator.js';
import type { StoreKind } from '../database/instance.js';
import type { ObjectStore } from '../store/port.js';
import { explainS3 } from '../store/s3/operator-errors.js';
import { readSentinel, sentinelKey, writeSentinel } from '../store/sentinel.js';
import { notWritable } from './home.js';

/** A store as the operator knows it. */
interface StoreDescription {
  /** Starts a sentence: "The store in /var/lib/imgstore/store". */
  readonly name: string;
  /** The setting that determines which store it is. */
  readonly setting: string;
  /** The remedy for a store that lost its sentinel. */
  readonly remark: (instanceId: string) => string;
  /** Explains a failure of the store to the operator. */
  readonly explain: (failure: Error) => OperatorError;
}

export const describeStore = (kind: StoreKind, home: Home, config: Config): StoreDescription =>
  kind === 'local' ? describeLocalStore(home) : describeBucket(config);

const describeLocalStore = (home: Home): StoreDescription => ({
  name: `The store in ${home.store}`,
  setting: 'home',
  remark: (id) =>
    'Mount its file system, or restore the store from a backup. To use the existing store as it is: ' +
    `echo '{"instance_id":"${id}"}' > '${join(home.store, sentinelKey)}'`,
  explain: (failure) => {
    const cause = failure.cause as NodeJS.ErrnoException | undefined;
    if (['EACCES', 'EPERM', 'EROFS'].includes(cause?.code ?? '')) {
      return notWritable(home.store, cause);
    }
    return dependencyDown(`The store in ${home.store} cannot be used: ${cause?.message}`, {
      setting: 'home',
      remedy: `Check the disk: df -h '${home.store}' && ls -la '${home.store}'`,
      cause,
    });
  },
});

const describeBucket = (config: Config): StoreDescription => ({
  name: `The bucket ${config['s3.bucket']}`,
  setting: 's3.bucket',
  remark: (id) =>
    'Set the bucket that this installation was created with. To use the existing bucket as it is, put ' +
    `{"instance_id":"${id}"} into it as ${sentinelKey}.`,
  explain: (failure) => explainS3(failure, `checking the bucket ${config['s3.bucket']}`),
});

interface SentinelParts {
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
    code: 'foreign',
    setting,
    remedy: `Choose another ${setting}, or the database.url that this store was created with.`,
  });

const unmarked = ({ name, setting, remark }: StoreDescription, id: string) =>
  badConfiguration(`${name} is not the store of this installation: it has no ${sentinelKey}.`, {
    code: 'missing',
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
