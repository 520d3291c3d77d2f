import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'minio';
import { contentTypeOf } from '../content-type.js';
import type { ByteRange, NewObject } from '../port.js';
import type { Bucket } from './bucket.js';
import { isKeyTaken } from './errors.js';
import { abortMultipartUploads } from './multipart-uploads.js';
import { bytesPerMegabyte } from '../../units.js';

/**
 * Larger files are uploaded in parts of this size in bytes, so that a broken connection costs one
 * part.
 */
const partSize = 64 * bytesPerMegabyte;

/** Stores a file as an object, atomically. @throws if the key is already taken. */
export async function upload(bucket: Bucket, { key, path }: NewObject): Promise<void> {
  const { size } = await stat(path);
  const name = bucket.prefix + key;
  if (size > partSize) await uploadParts(bucket, name, { path, size });
  else await uploadWhole(bucket, name, { path, size });
}

interface File {
  readonly path: string;
  readonly size: number;
}

async function uploadWhole(bucket: Bucket, key: string, file: File): Promise<void> {
  await bucket.endpoints.call(async (client, attempt) => {
    try {
      await send(client, {
        bucketName: bucket.name,
        objectName: key,
        headers: { 'content-type': contentTypeOf(key), 'if-none-match': '*' },
        file,
        range: { start: 0, end: file.size - 1 },
      });
    } catch (error) {
      // An earlier attempt may have succeeded although its response was lost.
      const ours = attempt > 1 && isKeyTaken(error);
      if (!ours || !(await hasSize(client, bucket.name, key, file.size))) throw error;
    }
  });
}

const hasSize = async (client: Client, bucket: string, key: string, size: number) =>
  (await client.statObject(bucket, key)).size === size;

/** Uploads the parts one by one; the parts of a failed upload are removed. */
async function uploadParts(bucket: Bucket, key: string, file: File): Promise<void> {
  const { name, endpoints } = bucket;
  const headers = { 'content-type': contentTypeOf(key) };
  const uploadId = await endpoints.call(async (client, attempt) => {
    // An earlier attempt may have started an upload although its response was lost.
    if (attempt > 1)
      await abortMultipartUploads(bucket, [key.slice(bucket.prefix.length)]).catch(() => undefined);
    return client.initiateNewMultipartUpload(name, key, headers);
  });
  try {
    const etags: { part: number; etag: string }[] = [];
    for (let start = 0; start < file.size; start += partSize) {
      const part = etags.length + 1;
      const range = { start, end: Math.min(start + partSize, file.size) - 1 };
      const query = `partNumber=${part}&uploadId=${encodeURIComponent(uploadId)}`;
      const answer = await endpoints.call((client) =>
        send(client, { bucketName: name, objectName: key, query, headers: {}, file, range }),
      );
      etags.push({ part, etag: (answer.headers.etag ?? '').replaceAll('"', '') });
    }
    await endpoints.call((client, attempt) =>
      client.completeMultipartUpload(name, key, uploadId, etags).catch(async (error: unknown) => {
        if (attempt === 1 || !(await hasSize(client, name, key, file.size))) throw error;
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
  readonly bucketName: string;
  readonly objectName: string;
  readonly query?: string;
  readonly headers: Record<string, string>;
  readonly file: File;
  readonly range: ByteRange;
}

/**
 * PUTs a range of a file as a stream. (The client's own putObject reads up to 64 MB into memory.)
 * Without TLS, the signature includes the hash of the bytes.
 */
async function send(
  client: Client,
  { file, range, ...request }: Sending,
): Promise<IncomingMessage> {
  const bytes = range.end - range.start + 1;
  const hash = client.enableSHA256 ? await sha256(file.path, range) : '';
  const answer = await client.makeRequestStreamAsync(
    {
      ...request,
      method: 'PUT',
      query: request.query ?? '',
      headers: { ...request.headers, 'content-length': bytes },
    },
    bytes === 0 ? '' : createReadStream(file.path, range),
    hash,
    [200],
    '',
  );
  answer.resume();
  return answer;
}

async function sha256(path: string, range: ByteRange): Promise<string> {
  const hash = createHash('sha256');
  if (range.end >= range.start) await pipeline(createReadStream(path, range), hash);
  return hash.digest('hex');
}
