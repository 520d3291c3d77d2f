import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'minio';
import { bytesPerMegabyte } from '../../base/units.js';
import { contentTypeOf } from '../object-key.js';
import type { ByteRange, NewObject, UnfinishedUpload } from '../port.js';
import type { Bucket } from './bucket.js';
import {
  isHashRefused,
  isKeyTaken,
  isTransient,
  isUploadMissing,
  noAnswer,
  S3AnswerError,
} from './errors.js';

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
  uploadWhole(bucket, bucket.prefix + key, sourceOf(bytes));

const sourceOf = (bytes: Buffer): Source => ({
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

/** What one request sends, with the hashes by which servers check it. */
interface Piece {
  readonly read: () => Readable;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly md5: string;
}

async function pieceOf(
  { read, size, sha256 }: Source,
  range: ByteRange = { start: 0, end: size - 1 },
): Promise<Piece> {
  const bytes = range.end - range.start + 1;
  const readPiece = () => (bytes === 0 ? Readable.from([]) : read(range));
  const known = bytes === size ? sha256 : undefined;
  return {
    read: readPiece,
    bytes,
    sha256: known ?? (await digestOf(readPiece(), 'sha256')),
    md5: await digestOf(readPiece(), 'md5'),
  };
}

async function digestOf(bytes: Readable, algorithm: 'sha256' | 'md5'): Promise<string> {
  const hash = createHash(algorithm);
  await pipeline(bytes, hash);
  return hash.digest('hex');
}

async function uploadWhole(bucket: Bucket, key: string, source: Source): Promise<void> {
  const piece = await pieceOf(source);
  const headers = { 'content-type': contentTypeOf(key), 'if-none-match': '*' };
  await bucket.endpoints.call(async (client, attempt) => {
    try {
      const etag = await send(bucket, client, { objectName: key, headers }, piece);
      if (await isIntact(bucket, client, { key, etag, piece })) return;
    } catch (error) {
      if (attempt === 1 || !isKeyTaken(error)) throw error;
      // An earlier attempt may have succeeded although its response was lost.
      const { size, etag } = await client.statObject(bucket.name, key);
      if (size === piece.bytes && (await isIntact(bucket, client, { key, etag, piece }))) return;
      throw error;
    }
    await client.removeObject(bucket.name, key); // it would be in the way of the next attempt
    throw changedBytes();
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
  let checked = true;
  try {
    const etags: { part: number; etag: string }[] = [];
    for (let start = 0; start < size; start += partSize) {
      const part = etags.length + 1;
      const piece = await pieceOf(source, { start, end: Math.min(start + partSize, size) - 1 });
      const query = `partNumber=${part}&uploadId=${encodeURIComponent(uploadId)}`;
      await endpoints.call(async (client) => {
        const etag = await send(bucket, client, { objectName: key, query, headers: {} }, piece);
        checked &&= etag === piece.md5 || (await checksHashes(bucket, client));
        etags.push({ part, etag });
      });
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
  if (checked) return;
  const stored = await endpoints.call((client) => md5Stored(bucket, client, key));
  if (stored === (await digestOf(source.read(), 'md5'))) return;
  await endpoints.call((client) => client.removeObject(name, key));
  throw changedBytes();
}

interface Target {
  readonly objectName: string;
  readonly query?: string;
  readonly headers: Record<string, string>;
}

/**
 * PUTs a piece as a stream. (The client's own putObject reads up to 64 MB into memory.)
 * The signature includes the SHA-256 of the bytes, so the server rejects any others; buckets with
 * object lock want their MD5, too. @returns the ETag.
 */
async function send(
  bucket: Bucket,
  client: Client,
  { query = '', headers, objectName }: Target,
  { read, bytes, sha256, md5 }: Piece,
): Promise<string> {
  const answer = await client.makeRequestStreamAsync(
    {
      objectName,
      bucketName: bucket.name,
      method: 'PUT',
      query,
      headers: {
        ...headers,
        'content-length': bytes,
        'content-md5': Buffer.from(md5, 'hex').toString('base64'),
      },
    },
    bytes === 0 ? '' : read(),
    sha256,
    [200],
    '',
  );
  answer.resume();
  const etag = (answer.headers.etag ?? '').replaceAll('"', '');
  // Such as a 200 of a website or a proxy that stores nothing.
  if (etag === '') throw noAnswer('an ETag');
  return etag;
}

/** Tried again, like the refusal of a server that checks hashes. */
const changedBytes = (): S3AnswerError =>
  new S3AnswerError('BadDigest', 'the server stored other bytes than it was sent');

/**
 * Whether the server has the bytes that it was sent. Its ETag says so if it is their MD5. If not, as
 * with some kinds of encryption, a server that checks hashes has them; any other is asked for them.
 */
async function isIntact(
  bucket: Bucket,
  client: Client,
  { key, etag, piece }: { readonly key: string; readonly etag: string; readonly piece: Piece },
): Promise<boolean> {
  if (etag === piece.md5 || (await checksHashes(bucket, client))) return true;
  return (await md5Stored(bucket, client, key)) === piece.md5;
}

const md5Stored = async ({ name }: Bucket, client: Client, key: string): Promise<string> =>
  digestOf(await client.getObject(name, key), 'md5');

/** Whether the server refuses bytes that differ from their hashes. It is tried once. */
function checksHashes(bucket: Bucket, client: Client): Promise<boolean> {
  bucket.learned.checksHashes ??= tryWrongHashes(bucket, client).catch((error: unknown) => {
    bucket.learned.checksHashes = undefined;
    throw error;
  });
  return bucket.learned.checksHashes;
}

async function tryWrongHashes(bucket: Bucket, client: Client): Promise<boolean> {
  const objectName = `${bucket.prefix}trial/${randomUUID()}.json`;
  const { read } = sourceOf(Buffer.from('[]'));
  const piece = { ...(await pieceOf(sourceOf(Buffer.from('{}')))), read };
  try {
    await send(bucket, client, { objectName, headers: {} }, piece);
  } catch (error) {
    if (isHashRefused(error)) return true;
    if (isTransient(error)) throw error;
    return false;
  }
  await client.removeObject(bucket.name, objectName);
  return false;
}
