import { LEGAL_HOLD_STATUS } from 'minio/dist/esm/helpers.mjs';
import { forEachLimited } from '../../base/concurrency.js';
import type { LegalHolds } from '../port.js';
import type { Bucket } from './bucket.js';
import { versionsOf } from './delete-objects.js';
import { isDenied, s3CodeOf, s3StoreError } from './errors.js';

/** Objects that are held at a time. */
const parallelHolds = 8;

/** The legal holds of a bucket with object lock. */
export class BucketLegalHolds implements LegalHolds {
  readonly place: string;
  #lock: ReturnType<LegalHolds['lock']> | undefined;

  constructor(private readonly bucket: Bucket) {
    this.place = `${bucket.name}/${bucket.prefix}`;
  }

  /** A bucket cannot get or lose object lock unless its owner asks for that: this asks once. */
  async lock(): ReturnType<LegalHolds['lock']> {
    try {
      const lock = await (this.#lock ??= this.#ask());
      if (lock === 'unknown') this.#lock = undefined;
      return lock;
    } catch (error) {
      this.#lock = undefined;
      throw s3StoreError(error);
    }
  }

  async #ask(): ReturnType<LegalHolds['lock']> {
    const { endpoints, name } = this.bucket;
    try {
      // Its types say that it may return nothing.
      await endpoints.call(
        (client) => client.getObjectLockConfig(name) as unknown as Promise<unknown>,
      );
      return 'on';
    } catch (error) {
      if (s3CodeOf(error) === 'AccessDenied') return 'unknown';
      // What knows no object lock says so in other ways.
      const isNone = s3CodeOf(error) === 'ObjectLockConfigurationNotFoundError';
      if (isNone || isDenied(error)) return 'off';
      throw error;
    }
  }

  /** By their versions: one that was to be deleted may be hidden. */
  async set(keys: readonly string[], held: boolean): Promise<void> {
    const { endpoints, name, prefix } = this.bucket;
    const status = held ? LEGAL_HOLD_STATUS.ENABLED : LEGAL_HOLD_STATUS.DISABLED;
    try {
      const versions = (await versionsOf(this.bucket, keys)).filter(({ hides }) => !hides);
      await forEachLimited(versions, parallelHolds, ({ key, version: versionId }) =>
        endpoints.call(async (client) => {
          // Its types say that it returns nothing, but it does so later.
          const options = { versionId, status };
          await (client.setObjectLegalHold(
            name,
            prefix + key,
            options,
          ) as unknown as Promise<void>);
        }),
      );
    } catch (error) {
      throw s3StoreError(error);
    }
  }
}
