import { mkdir } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Config } from '../../base/config/options.js';
import { badConfiguration, wrongUsage } from '../../base/errors/operator.js';
import { openBucket, type BucketConfig } from '../../store/s3/bucket.js';
import { explainS3 } from '../../store/s3/operator-errors.js';
import { S3Store } from '../../store/s3/s3-store.js';
import { bucketConfigOf, namesS3 } from '../../store/s3/settings.js';
import type { Repository } from './repository.js';

/** Backups in a bucket, or in a part of one. */
export class BucketRepository implements Repository {
  readonly #store: S3Store;

  private constructor(
    readonly name: string,
    readonly staging: string,
    bucketConfig: BucketConfig,
  ) {
    const signer = { sign: refuseSigning, signIn: refuseSigning };
    this.#store = new S3Store({ bucket: openBucket(bucketConfig), instanceId: '', signer });
  }

  /** @param url `s3://BUCKET/PREFIX`. @throws OperatorError 2, 78. */
  static async open(url: string, config: Config, staging: string): Promise<BucketRepository> {
    const bucketConfig = bucketOf(url, config);
    await mkdir(staging, { recursive: true, mode: 0o700 });
    return new BucketRepository(url, staging, bucketConfig);
  }

  size(path: string): Promise<number | undefined> {
    return this.#explained(async () => (await this.#store.stat(path))?.bytes);
  }

  read(path: string): Promise<Readable | undefined> {
    return this.#explained(async () => (await this.#store.get(path))?.stream);
  }

  fileAt(): undefined {
    return undefined;
  }

  put(path: string, file: string): Promise<void> {
    return this.#explained(async () => {
      // Objects of a store are never overwritten, but files of a killed run may be.
      if (await this.#store.stat(path)) await this.#store.delete([path]);
      await this.#store.put([{ key: path, path: file }]);
    });
  }

  async adopt(): Promise<undefined> {
    return undefined;
  }

  async *list(prefix: string): AsyncGenerator<{ path: string; bytes: number }> {
    try {
      for await (const { key: path, bytes } of this.#store.list(prefix)) yield { path, bytes };
    } catch (error) {
      throw explainS3(error, `listing ${this.name}`);
    }
  }

  remove(paths: readonly string[]): Promise<void> {
    return this.#explained(() => this.#store.delete(paths));
  }

  async flush(): Promise<void> {
    // An object is durable once the server has acknowledged it.
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw explainS3(error, `using ${this.name}`);
    }
  }
}

function refuseSigning(): never {
  throw new Error('files of backups have no signed URLs');
}

const urlShape = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.-]+(?:\/[\w.-]+)*))?\/?$/;

/** The bucket of an `s3://` URL, with the settings of backups, or else those of the store. */
function bucketOf(url: string, config: Config): BucketConfig {
  const [, bucket, path] = urlShape.exec(url) ?? [];
  if (bucket === undefined) {
    throw wrongUsage(`${url} is not s3://BUCKET or s3://BUCKET/PREFIX.`, { setting: 'DIR' });
  }
  const prefix = path === undefined ? '' : `${path}/`;
  const own = config['backup.s3_endpoint'].length > 0;
  if (!own && !namesS3(config)) {
    throw badConfiguration(`No S3 server is set for the bucket ${bucket}.`, {
      setting: 'backup.s3_endpoint',
      remedy:
        'Set backup.s3_endpoint, backup.s3_access_key, and backup.s3_secret_key in config.yaml, or IMGSTORE_BACKUP_S3_ENDPOINT and so on in the environment.',
    });
  }
  if (!own) {
    const store = bucketConfigOf(config);
    const ownPrefix = store.prefix ?? '';
    if (store.bucket === bucket && (ownPrefix.startsWith(prefix) || prefix.startsWith(ownPrefix))) {
      throw wrongUsage(`${url} is where the objects themselves are stored.`, {
        setting: 'DIR',
        remedy: 'Choose another bucket: an accident that deletes one must not affect the other.',
      });
    }
    return { ...store, bucket, prefix };
  }
  return {
    bucket,
    prefix,
    endpoints: config['backup.s3_endpoint'],
    region: config['backup.s3_region'],
    accessKey: required(config, 'backup.s3_access_key'),
    secretKey: required(config, 'backup.s3_secret_key'),
  };
}

function required(config: Config, key: 'backup.s3_access_key' | 'backup.s3_secret_key'): string {
  const value = config[key];
  if (value !== undefined) return value;
  throw badConfiguration(`${key} is not set, but backup.s3_endpoint is.`, {
    setting: key,
    remedy: `Set it in config.yaml or as IMGSTORE_${key.replace('.', '_').toUpperCase()}.`,
  });
}
