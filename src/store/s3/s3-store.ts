import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { forEachLimited } from '../../base/concurrency.js';
import { assertKey, assertPrefix } from '../object-key.js';
import {
  DeletionRefused,
  type ByteRange,
  type NewObject,
  type ObjectBody,
  type ObjectStat,
  type ObjectStore,
  type SignObject,
  type UnfinishedUpload,
  type UrlSigner,
  hashOf,
  refusalOf,
} from '../port.js';
import { checkSentinel } from '../sentinel.js';
import type { Bucket } from './bucket.js';
import { isObjectMissing, isDenied, noAnswer, s3StoreError } from './errors.js';
import { deleteObjects } from './delete-objects.js';
import { BucketLegalHolds } from './legal-holds.js';
import { abortMultipartUploads, listMultipartUploads, upload, uploadBytes } from './upload.js';

/** Files of one put that are sent concurrently. */
const parallelUploads = 4;

/** Most keys that one request lists; a limit of S3. */
const batchSize = 1000;

export interface S3StoreOptions {
  readonly bucket: Bucket;
  /** The installation whose sentinel `check` expects in the store. */
  readonly instanceId: string;
  /** Creates the URLs given to clients: presigned, or served by the API. */
  readonly signer: UrlSigner;
  /** Called when a put fails that follows one that did not. */
  readonly onPutFailed?: (() => void) | undefined;
}

/**
 * Stores objects in a bucket of any S3-compatible server. Server errors and failed connections
 * surface as ServiceError `unavailable` if retries did not help.
 */
export class S3Store implements ObjectStore {
  /** Whether the latest put of this process failed, or one of another since. */
  #putFailed = false;
  #trial: Promise<void> | undefined;
  readonly legalHolds: BucketLegalHolds;

  constructor(private readonly options: S3StoreOptions) {
    this.legalHolds = new BucketLegalHolds(options.bucket);
  }

  async put(objects: readonly NewObject[]): Promise<void> {
    for (const { key } of objects) assertKey(key);
    const { bucket } = this.options;
    try {
      await forEachLimited(objects, parallelUploads, (object) => upload(bucket, object));
      this.#putFailed = false;
    } catch (error) {
      if (!this.#putFailed) this.options.onPutFailed?.();
      this.#putFailed = true;
      throw s3StoreError(error);
    }
    for (const { path } of objects) await rm(path, { force: true });
  }

  async get(key: string, range?: ByteRange): Promise<ObjectBody | undefined> {
    assertKey(key);
    const { endpoints, name, prefix } = this.options.bucket;
    return this.#unlessAbsent(async () => {
      const stream = await endpoints.call((client) =>
        range
          ? client.getPartialObject(name, prefix + key, range.start, range.end - range.start + 1)
          : client.getObject(name, prefix + key),
      );
      const answer = stream as IncomingMessage;
      if (range && answer.statusCode !== 206) {
        answer.destroy();
        throw noAnswer('a Content-Range');
      }
      return bodyOf(answer);
    });
  }

  async stat(key: string): Promise<ObjectStat | undefined> {
    assertKey(key);
    const { endpoints, name, prefix } = this.options.bucket;
    return this.#unlessAbsent(async () => {
      const found = await endpoints.call((client) => client.statObject(name, prefix + key));
      return { bytes: found.size, modifiedAt: found.lastModified };
    });
  }

  async move(from: string, to: string): Promise<void> {
    assertKey(from);
    const fresh = (await this.stat(to)) === undefined;
    if (fresh) await this.#copy(from, to);
    const bytes = await hashOf(this, from);
    if (bytes === undefined || bytes !== (await hashOf(this, to))) {
      if (!fresh) throw new Error(`object exists: ${to}`);
      await this.deleteOrHide([to]);
      throw new Error(`the copy of ${from} differs from it`);
    }
    await this.deleteOrHide([from]);
  }

  /** Copies within the server, and keeps the content type. */
  async #copy(from: string, to: string): Promise<void> {
    const { endpoints, name, prefix } = this.options.bucket;
    await this.#withStoreErrors(() =>
      endpoints.call((client) => client.copyObject(name, prefix + to, `/${name}/${prefix}${from}`)),
    );
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) assertKey(key);
    await this.#abortUploads(keys);
    const refused = await this.#withStoreErrors(() => deleteObjects(this.options.bucket, keys));
    const [first] = refused.values();
    if (!first) return;
    const reasons = new Map([...refused].map(([key, { reason }]) => [key, reason]));
    throw s3StoreError(new DeletionRefused(reasons, first.code));
  }

  /** The same, but what the bucket locks may stay, hidden, until its lock ends. */
  async deleteOrHide(keys: readonly string[]): Promise<void> {
    try {
      await this.delete(keys);
    } catch (error) {
      for (const key of refusalOf(error)?.reasons.keys() ?? keys) {
        if (!refusalOf(error) || (await this.stat(key))) throw error;
      }
    }
  }

  async *list(prefix: string): AsyncGenerator<{ key: string; bytes: number }> {
    assertPrefix(prefix);
    const { endpoints, name, prefix: own } = this.options.bucket;
    // By the last key, not by a continuation token: any gateway can continue from it.
    for (let [last, token] = ['', '']; ;) {
      const page = await this.#withStoreErrors(() =>
        endpoints.call((client) =>
          client.listObjectsV2Query(name, own + prefix, token, '', batchSize, last),
        ),
      );
      const before = { last, token };
      for (const { name: key, size } of page.objects) {
        if (key === undefined) continue;
        last = key;
        yield { key: key.slice(own.length), bytes: size };
      }
      if (!page.isTruncated) return;
      // Only a page without any key needs the token.
      token = last === before.last ? page.nextContinuationToken : '';
      if (last === before.last && (token === before.token || page.objects.length > 0)) {
        throw s3StoreError(noAnswer(`keys after ${last}, although there are more`));
      }
    }
  }

  async *unfinished(): AsyncGenerator<UnfinishedUpload> {
    try {
      yield* listMultipartUploads(this.options.bucket, '');
    } catch (error) {
      throw s3StoreError(error);
    }
  }

  sign(key: string, name?: string): string {
    return this.options.signer.sign(key, name);
  }

  signIn(folder: string, base: string): SignObject {
    return this.options.signer.signIn(folder, base);
  }

  async check(): Promise<void> {
    await checkSentinel(this, this.options.instanceId);
  }

  async checkReady(): Promise<void> {
    await this.check();
    if (!this.#putFailed) return;
    // Probes come often, and one may outlast the next.
    this.#trial ??= this.#tryPut().finally(() => (this.#trial = undefined));
    await this.#trial;
  }

  distrust(): void {
    this.#putFailed = true;
  }

  /** Puts an object, and deletes it. */
  async #tryPut(): Promise<void> {
    const key = `trial/${randomUUID()}.json`;
    await this.#withStoreErrors(() => uploadBytes(this.options.bucket, key, Buffer.from('{}')));
    this.#putFailed = false;
    await this.deleteOrHide([key]);
  }

  /** Before their objects are deleted: an upload completed in between would bring one back. */
  async #abortUploads(keys: readonly string[]): Promise<void> {
    try {
      await abortMultipartUploads(this.options.bucket, keys);
    } catch (error) {
      // The permissions may predate this feature: leftover uploads must not prevent deleting
      // objects.
      if (!isDenied(error)) throw s3StoreError(error);
    }
  }

  async #unlessAbsent<T>(operation: () => Promise<T>): Promise<T | undefined> {
    try {
      return await operation();
    } catch (error) {
      if (isObjectMissing(error)) return undefined;
      throw s3StoreError(error);
    }
  }

  async #withStoreErrors<T>(operation: () => Promise<T>): Promise<T> {
    try {
      return await operation();
    } catch (error) {
      throw s3StoreError(error);
    }
  }
}

/** A GET response in the form of the port. */
function bodyOf(answer: IncomingMessage): ObjectBody {
  const { headers } = answer;
  const whole = headers['content-range']?.split('/')[1] ?? headers['content-length'];
  return {
    bytes: Number(whole),
    modifiedAt: new Date(headers['last-modified'] ?? NaN),
    stream: answer,
    sendTo: (destination, signal) => pipeline(answer, destination, { signal }),
  };
}
