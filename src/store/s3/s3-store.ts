import { randomUUID, createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { XMLParser } from 'fast-xml-parser';
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
} from '../port.js';
import { checkSentinel } from '../sentinel.js';
import type { Bucket } from './bucket.js';
import {
  isObjectMissing,
  isDenied,
  noAnswer,
  s3StoreError,
  isTransientCode,
  S3AnswerError,
} from './errors.js';
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

  constructor(private readonly options: S3StoreOptions) {}

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
      await this.delete([to]);
      throw new Error(`the copy of ${from} differs from it`);
    }
    await this.delete([from]);
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
    const reasons = new Map<string, string>();
    let firstCode = '';
    for (let start = 0; start < keys.length; start += maxDeleted) {
      const batch = keys.slice(start, start + maxDeleted);
      await this.#abortUploads(batch);
      const refused = await this.#withStoreErrors(() => deleteObjects(this.options.bucket, batch));
      for (const [key, { code, reason }] of refused) {
        reasons.set(key, reason);
        firstCode ||= code;
      }
    }
    if (reasons.size > 0) throw s3StoreError(new DeletionRefused(reasons, firstCode));
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
    await this.delete([key]);
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

/** Most keys that one request deletes; a limit of S3. */
const maxDeleted = 1000;

/** What the server answered for keys that it did not delete: `AccessDenied: …`. */
type Refusals = Map<string, { readonly code: string; readonly reason: string }>;

/**
 * Deletes at most 1,000 objects with one request. Such a request succeeds as a whole, so the answer
 * for each key is read: one that is not said to be deleted is not. (The client's own removeObjects
 * asks for failures alone, and takes any other document for none.)
 * @returns the code and reason of each key that was refused, after retries if they may help.
 */
async function deleteObjects(bucket: Bucket, keys: readonly string[]): Promise<Refusals> {
  const refused: Refusals = new Map();
  let pending = keys;
  try {
    await bucket.endpoints.call(async (client) => {
      const body = Buffer.from(requestOf(bucket, pending));
      const answer = await client.makeRequestAsync(
        {
          method: 'POST',
          bucketName: bucket.name,
          query: 'delete',
          headers: { 'content-md5': createHash('md5').update(body).digest('base64') },
        },
        body,
      );
      const outcome = outcomeOf(bucket, pending, await text(answer));
      for (const key of pending) refused.delete(key);
      for (const [key, refusal] of outcome) refused.set(key, refusal);
      pending = [...outcome].filter(([, { code }]) => isTransientCode(code)).map(([key]) => key);
      const [first = ''] = pending;
      const busy = refused.get(first);
      if (busy) throw new S3AnswerError(busy.code, busy.reason);
    });
  } catch (error) {
    // Every key was answered at least once: those that stay are in `refused`.
    if (!(error instanceof S3AnswerError) || refused.size === 0) throw error;
  }
  return refused;
}

/** Keys consist of characters that XML leaves alone. */
const requestOf = ({ prefix }: Bucket, keys: readonly string[]): string =>
  `<Delete>${keys.map((key) => `<Object><Key>${prefix}${key}</Key></Object>`).join('')}</Delete>`;

interface Answered {
  readonly Key?: string;
  readonly Code?: string;
  readonly Message?: string;
}

const parser = new XMLParser({
  parseTagValue: false,
  isArray: (name) => name === 'Deleted' || name === 'Error',
});

/** The keys that are still there. @throws S3AnswerError if this is no answer to the request. */
function outcomeOf({ prefix }: Bucket, keys: readonly string[], document: string): Refusals {
  const parsed = parser.parse(document) as {
    DeleteResult?: { Deleted?: Answered[]; Error?: Answered[] } | '';
    Error?: Answered[];
  };
  if (parsed.DeleteResult === undefined) {
    const { Code = 'InvalidAnswer', Message = 'not a DeleteResult' } = parsed.Error?.[0] ?? {};
    throw new S3AnswerError(Code, Message);
  }
  const { Deleted = [], Error: failed = [] } = parsed.DeleteResult || {};
  const gone = new Set(Deleted.map(({ Key }) => Key));
  const failures = new Map(failed.map((failure) => [failure.Key, failure]));
  const refused: Refusals = new Map();
  for (const key of keys) {
    const { Code: code = '', Message = '' } = failures.get(prefix + key) ?? {};
    if (code === 'NoSuchKey' || (code === '' && gone.has(prefix + key))) continue;
    const reason =
      code === '' ? 'the S3 server did not say whether it was deleted' : `${code}: ${Message}`;
    refused.set(key, { code, reason });
  }
  return refused;
}
