import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { NewObject, ObjectStore } from '../../src/store/port.js';
import { HeldWhileReading } from '../held-memory.js';

/** One adapter over an empty place of its own, marked with an instance id, with a server before it. */
export interface StoreHarness {
  readonly store: ObjectStore;
  /** The same place, opened as if by another instance. */
  readonly stranger: ObjectStore;
  /** Folder for files that are about to be put. */
  readonly incoming: string;
  readonly ttlSeconds: number;
  /** The address that `store.sign` would have given at that moment. */
  readonly signAt: (key: string, at: Date) => string;
  /** Requests a signed URL, absolute or not. */
  readonly fetch: (address: string, init?: RequestInit) => Promise<Response>;
  cleanup(): Promise<void>;
}

/** A key as imgstore makes them, of an image that nobody else has. */
export function newKey(name = 'original.jpg'): string {
  return `${randomUUID()}/${randomUUID()}/${randomUUID()}/0/${name}`;
}

/** A file in the incoming folder, ready to be put. */
export async function incomingFile(
  harness: Pick<StoreHarness, 'incoming'>,
  key: string,
  bytes: Buffer | string,
): Promise<NewObject> {
  const path = join(harness.incoming, randomUUID());
  await writeFile(path, bytes);
  return { key, path };
}

/** Puts one object and answers its key. */
export async function putBytes(
  harness: Pick<StoreHarness, 'incoming' | 'store'>,
  bytes: Buffer | string,
  key = newKey(),
): Promise<string> {
  await harness.store.put([await incomingFile(harness, key, bytes)]);
  return key;
}

/** The bytes of an object; undefined when it is not there. */
export async function bytesOf(store: ObjectStore, key: string): Promise<Buffer | undefined> {
  const body = await store.get(key);
  return body && buffer(body.stream);
}

export async function listed(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys.sort();
}

/** Writes `bytes` random bytes chunk by chunk; answers the SHA-256. */
export async function randomFile(path: string, bytes: number): Promise<string> {
  const hash = createHash('sha256');
  const chunks = function* (): Generator<Buffer> {
    for (let left = bytes; left > 0; left -= 1024 * 1024) {
      const chunk = randomBytes(Math.min(left, 1024 * 1024));
      hash.update(chunk);
      yield chunk;
    }
  };
  await writeFile(path, chunks());
  return hash.digest('hex');
}

/** Reads a stream to its end: its hash, and the most memory that was held on the way, in bytes. */
export async function drain(stream: Readable): Promise<{ sha256: string; peak: number }> {
  const hash = createHash('sha256');
  const held = new HeldWhileReading();
  for await (const chunk of stream) {
    hash.update(chunk as Buffer);
    held.note(chunk as Buffer);
  }
  return { sha256: hash.digest('hex'), peak: held.peak };
}
