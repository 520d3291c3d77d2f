import { join } from 'node:path';
import type { Home } from '../base/config/home.js';
import type { Config } from '../base/config/options.js';
import type { StoreKind } from '../database/instance.js';
import { dependencyDown } from '../base/errors/operator.js';
import type { OperatorError } from '../base/errors/operator.js';
import { explainS3 } from '../store/s3/operator-errors.js';
import { sentinelKey } from '../store/sentinel.js';
import { notWritable } from './home-directories.js';

/** A store as the operator knows it. */
export interface StoreDescription {
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
