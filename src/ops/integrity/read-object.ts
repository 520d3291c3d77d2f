import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { VersionRow } from '../../library/reclaim/version-objects.js';
import type { VersionObject } from '../../store/object-key.js';
import type { ObjectStore } from '../../store/port.js';
import { sizeFits, sizeOf } from './check-version.js';
import { finding } from './findings.js';
import type { Finding } from './findings.js';
import { endBytes, isWhole } from './rendition-ends.js';

/** The content of an object. */
interface Contents {
  readonly bytes: number;
  readonly hash: Buffer;
  readonly head: Buffer;
  readonly tail: Buffer;
}

export interface ReadObject {
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
      return { bytes: 0, finding: finding('object_unreadable', object.key, reasonOf(error)) };
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
  if (!contents) return finding('object_missing', key, { expected });
  const { bytes, hash, head, tail } = contents;
  if (!sizeFits(expected, bytes)) return finding('object_size', key, { expected, found: bytes });
  const right = role === 'original' ? hash.equals(version.hash) : isWhole(key, head, tail, bytes);
  if (right) return undefined;
  const reason =
    role === 'original'
      ? `SHA-256 ${hash.toString('hex')}, not ${version.hash.toString('hex')}`
      : 'its beginning and end do not match its format';
  return finding('object_damaged', key, { reason });
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
