import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'minio';
import { bytesPerMegabyte } from '../../base/units.js';
import { contentTypeOf } from '../object-key.js';
import type { ByteRange, NewObject, UnfinishedUpload } from '../port.js';
import type { Bucket } from './bucket.js';
import { demandsMd5, isKeyTaken, noAnswer, isUploadMissing, S3AnswerError } from './errors.js';

interface MultipartUpload extends UnfinishedUpload {
  readonly uploadId: string;
}

/** Multipart uploads that were neither completed nor aborted. */
export async function* listMultipartUploads(
  bucket: Bucket,
  prefix: string,
): AsyncGenerator<MultipartUpload> {
  const { endpoints, name, prefix: own } = bucket;
  let listed = new Set<string>();
  for (let after = { key: '', uploadId: '' }; ;) {
    const page = await endpoints.call((client) =>
      client.listIncompleteUploadsQuery(name, own + prefix, after.key, after.uploadId, ''),
    );
    // Some servers begin a page with the last item of the previous one.
    const fresh = page.uploads.filter(({ uploadId }) => !listed.has(uploadId));
    for (const { key, uploadId } of fresh) yield { key: key.slice(own.length), uploadId };
    if (!page.isTruncated) return;
    // The last one, since the client does not return NextUploadIdMarker.
    const { key, uploadId } = page.uploads.at(-1) ?? { key: page.nextKeyMarker, uploadId: '' };
    if (key < after.key || (key === after.key && fresh.length === 0)) {
      throw new S3AnswerError('InvalidAnswer', `the list of uploads does not go on after ${key}`);
    }
    listed = new Set(page.uploads.map((upload) => upload.uploadId));
    after = { key, uploadId };
  }
}

/**
 * Aborts the unfinished uploads of these keys: their parts are freed, and none can become an
 * object.
 */
export async function abortMultipartUploads(
  bucket: Bucket,
  keys: readonly string[],
): Promise<void> {
  const [only = ''] = keys;
  for await (const { key, uploadId } of listMultipartUploads(
    bucket,
    keys.length === 1 ? only : '',
  )) {
    if (!keys.includes(key)) continue;
    await bucket.endpoints
      .call((client) => client.abortMultipartUpload(bucket.name, bucket.prefix + key, uploadId))
      .catch((error: unknown) => {
        // An earlier attempt whose answer was lost aborted it, or another node.
        if (!isUploadMissing(error)) throw error;
      });
  }
}

/**
 * Larger files are uploaded in parts of this size in bytes, so that a broken connection costs one
 * part.
 */
const partSize = 64 * bytesPerMegabyte;

/**
 * Stores a file as an object, atomically. @param largestWhole size in bytes above which it goes in
 * parts. @throws if the key is already taken.
 */
export async function upload(
  bucket: Bucket,
  { key, path, sha256 }: NewObject,
  largestWhole = partSize,
): Promise<void> {
  const { size } = await stat(path);
  const name = bucket.prefix + key;
  const read = (range?: ByteRange): Readable => createReadStream(path, range);
  if (size > largestWhole) await uploadParts(bucket, name, { read, size });
  else await uploadWhole(bucket, name, { read, size, ...(sha256 && { sha256 }) });
}

/** Stores a few bytes as an object. */
export const uploadBytes = (bucket: Bucket, key: string, bytes: Buffer): Promise<void> =>
  uploadWhole(bucket, bucket.prefix + key, {
    read: () => Readable.from(bytes, { objectMode: false }),
    size: bytes.length,
  });

/** What is stored as an object. */
interface Source {
  readonly read: (range?: ByteRange) => Readable;
  readonly size: number;
  /** Of all of it. */
  readonly sha256?: string;
}

async function uploadWhole(bucket: Bucket, key: string, source: Source): Promise<void> {
  await bucket.endpoints.call(async (client, attempt) => {
    try {
      await send(bucket, client, {
        objectName: key,
        headers: { 'content-type': contentTypeOf(key), 'if-none-match': '*' },
        source,
        range: { start: 0, end: source.size - 1 },
      });
    } catch (error) {
      // An earlier attempt may have succeeded although its response was lost.
      const ours = attempt > 1 && isKeyTaken(error);
      if (!ours || !(await hasSize(client, bucket.name, key, source.size))) throw error;
    }
  });
}

const hasSize = async (client: Client, bucket: string, key: string, size: number) =>
  (await client.statObject(bucket, key)).size === size;

/** Uploads the parts one by one; the parts of a failed upload are removed. */
async function uploadParts(bucket: Bucket, key: string, source: Source): Promise<void> {
  const { name, endpoints } = bucket;
  const { size } = source;
  const headers = { 'content-type': contentTypeOf(key) };
  const uploadId = await endpoints.call(async (client, attempt) => {
    // An earlier attempt may have started an upload although its response was lost.
    if (attempt > 1)
      await abortMultipartUploads(bucket, [key.slice(bucket.prefix.length)]).catch(() => undefined);
    return client.initiateNewMultipartUpload(name, key, headers);
  });
  try {
    const etags: { part: number; etag: string }[] = [];
    for (let start = 0; start < size; start += partSize) {
      const part = etags.length + 1;
      const range = { start, end: Math.min(start + partSize, size) - 1 };
      const query = `partNumber=${part}&uploadId=${encodeURIComponent(uploadId)}`;
      const etag = await endpoints.call((client) =>
        send(bucket, client, { objectName: key, query, headers: {}, source, range }),
      );
      etags.push({ part, etag });
    }
    await endpoints.call((client, attempt) =>
      client.completeMultipartUpload(name, key, uploadId, etags).catch(async (error: unknown) => {
        // The client fails like this on a document that is neither a result nor an error.
        if (error instanceof TypeError) throw noAnswer('a CompleteMultipartUploadResult');
        if (attempt === 1 || !(await hasSize(client, name, key, size))) throw error;
      }),
    );
  } catch (error) {
    await endpoints
      .call((client) => client.abortMultipartUpload(name, key, uploadId))
      .catch(() => undefined); // report the original failure
    throw error;
  }
}

interface Sending {
  readonly objectName: string;
  readonly query?: string;
  readonly headers: Record<string, string>;
  readonly source: Source;
  readonly range: ByteRange;
}

/** Sends a range, in the way that the bucket demands. @returns the ETag. */
async function send(bucket: Bucket, client: Client, sending: Sending): Promise<string> {
  const answer = await put(bucket, client, sending).catch((error: unknown) => {
    if (bucket.demands.md5 || !demandsMd5(error)) throw error;
    bucket.demands.md5 = true;
    return put(bucket, client, sending);
  });
  answer.resume();
  const etag = (answer.headers.etag ?? '').replaceAll('"', '');
  // Such as a 200 of a website or a proxy that stores nothing.
  if (etag === '') throw noAnswer('an ETag');
  return etag;
}

/**
 * PUTs a range as a stream. (The client's own putObject reads up to 64 MB into memory.)
 * The signature includes the SHA-256 of the bytes, so the server rejects any others.
 */
async function put(
  bucket: Bucket,
  client: Client,
  { source, range, ...request }: Sending,
): Promise<IncomingMessage> {
  const bytes = range.end - range.start + 1;
  const read = () => (bytes === 0 ? Readable.from([]) : source.read(range));
  const whole = bytes === source.size ? source.sha256 : undefined;
  const sha256 = whole ?? (await digestOf(read(), 'sha256', 'hex'));
  const md5 = bucket.demands.md5 && (await digestOf(read(), 'md5', 'base64'));
  return client.makeRequestStreamAsync(
    {
      ...request,
      bucketName: bucket.name,
      method: 'PUT',
      query: request.query ?? '',
      headers: {
        ...request.headers,
        'content-length': bytes,
        ...(md5 && { 'content-md5': md5 }),
      },
    },
    bytes === 0 ? '' : read(),
    sha256,
    [200],
    '',
  );
}

async function digestOf(
  bytes: Readable,
  algorithm: 'sha256' | 'md5',
  encoding: 'hex' | 'base64',
): Promise<string> {
  const hash = createHash(algorithm);
  await pipeline(bytes, hash);
  return hash.digest(encoding);
}
