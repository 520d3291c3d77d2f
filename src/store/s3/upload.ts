import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'minio';
import { contentTypeOf } from '../content-type.js';
import type { ByteRange, NewObject } from '../port.js';
import type { Bucket } from './bucket.js';
import { demandsMd5, isKeyTaken, noAnswer } from './errors.js';
import { abortMultipartUploads } from './multipart-uploads.js';
import { bytesPerMegabyte } from '../../base/units.js';

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
