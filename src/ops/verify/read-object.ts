import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { VersionRow } from '../../library/reclaim/version-objects.js';
import type { VersionObject } from '../../store/object-key.js';
import type { ObjectStore } from '../../store/port.js';
import { objectFinding } from './findings.js';
import type { Finding } from './findings.js';
import { sizeFits, sizeOf } from './objects.js';

/** The content of an object. */
interface Contents {
  readonly bytes: number;
  readonly hash: Buffer;
  readonly head: Buffer;
  readonly tail: Buffer;
}

interface ReadObject {
  readonly bytes: number;
  readonly finding: Finding | undefined;
}

/**
 * Reads an object and checks its bytes. @throws ServiceError `unavailable` if the whole store is
 * unavailable.
 */
export async function readObject(
  store: Pick<ObjectStore, 'get' | 'check'>,
  version: VersionRow,
  object: VersionObject,
): Promise<ReadObject> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const contents = await contentsOf(store, object.key);
      return { bytes: contents?.bytes ?? 0, finding: judge(version, object, contents) };
    } catch (error) {
      await store.check();
      // The connection may just have been lost.
      if (attempt === 1) continue;
      return { bytes: 0, finding: objectFinding('object_unreadable', object.key, reasonOf(error)) };
    }
  }
}

function reasonOf(error: unknown): { reason: string } {
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  return { reason: cause instanceof Error ? cause.message : message };
}

function judge(
  version: VersionRow,
  { role, key }: VersionObject,
  contents: Contents | undefined,
): Finding | undefined {
  const expected = sizeOf(version, role);
  if (!contents) return objectFinding('object_missing', key, { expected });
  const { bytes, hash, head, tail } = contents;
  if (!sizeFits(expected, bytes))
    return objectFinding('object_size', key, { expected, found: bytes });
  const right = role === 'original' ? hash.equals(version.hash) : isWhole(key, head, tail, bytes);
  if (right) return undefined;
  const reason =
    role === 'original'
      ? `SHA-256 ${hash.toString('hex')}, not ${version.hash.toString('hex')}`
      : 'its beginning and end do not match its format';
  return objectFinding('object_damaged', key, { reason });
}

async function contentsOf(
  store: Pick<ObjectStore, 'get'>,
  key: string,
): Promise<Contents | undefined> {
  const body = await store.get(key);
  if (!body) return undefined;
  const hash = createHash('sha256');
  let bytes = 0;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  for await (const chunk of body.stream as Readable & AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    if (head.length < endBytes) head = Buffer.concat([head, chunk]).subarray(0, endBytes);
    tail = Buffer.concat([tail, chunk.subarray(-endBytes)]).subarray(-endBytes);
  }
  return { bytes, hash: hash.digest(), head, tail };
}

/** Bytes at either end of a file that show whether it is whole. */
export const endBytes = 12;

const pngEnd = Buffer.from('IEND\xae\x42\x60\x82', 'latin1');

/**
 * Whether the beginning and end of a file match its format; a WebP has its length in the header.
 */
const formats: ReadonlyMap<string, (head: Buffer, tail: Buffer, bytes: number) => boolean> =
  new Map([
    ['jpg', (head, tail) => head.readUInt16BE(0) === 0xffd8 && tail.readUInt16BE(10) === 0xffd9],
    [
      'png',
      (head, tail) =>
        head.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' && tail.subarray(4).equals(pngEnd),
    ],
    [
      'webp',
      (head, _tail, bytes) =>
        head.toString('latin1', 0, 4) === 'RIFF' &&
        head.toString('latin1', 8, 12) === 'WEBP' &&
        head.readUInt32LE(4) + 8 === bytes,
    ],
  ]);

/**
 * Whether beginning, end, and length of a rendition match its format: nothing more can be verified
 * without a recorded hash.
 * @param head the first {@link endBytes} bytes; `tail` the last ones.
 */
export function isWhole(key: string, head: Buffer, tail: Buffer, bytes: number): boolean {
  const check = formats.get(key.slice(key.lastIndexOf('.') + 1));
  if (!check) return bytes > 0;
  return bytes >= endBytes && check(head, tail, bytes);
}
