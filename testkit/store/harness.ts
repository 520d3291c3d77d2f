import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { NewObject, ObjectStore } from '../../src/store/port.js';
import { HeldWhileReading } from '../held-memory.js';

/** One adapter on a new empty store that is marked with an instance id, behind a server. */
export interface StoreHarness {
  readonly store: ObjectStore;
  /** The same store, opened as if by another instance. */
  readonly stranger: ObjectStore;
  /** Folder for files that are about to be put. */
  readonly incoming: string;
  readonly ttlSeconds: number;
  /** The URL that `store.sign` would have returned at that time. */
  readonly signAt: (key: string, at: Date) => string;
  /** Requests a signed URL, absolute or relative. */
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  cleanup(): Promise<void>;
}

/** An object key in imgstore's form, for a new image. */
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

/** Puts one object. @returns its key. */
export async function putBytes(
  harness: Pick<StoreHarness, 'incoming' | 'store'>,
  bytes: Buffer | string,
  key = newKey(),
): Promise<string> {
  await harness.store.put([await incomingFile(harness, key, bytes)]);
  return key;
}

/** The bytes of an object; undefined if it does not exist. */
export async function bytesOf(store: ObjectStore, key: string): Promise<Buffer | undefined> {
  const body = await store.get(key);
  return body && buffer(body.stream);
}

export async function listed(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys.sort();
}

/** Writes `bytes` random bytes chunk by chunk. @returns their SHA-256. */
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

/** Reads a stream to its end. @returns its hash, and the peak of held memory in bytes. */
export async function drain(stream: Readable): Promise<{ sha256: string; peak: number }> {
  const hash = createHash('sha256');
  const held = new HeldWhileReading();
  for await (const chunk of stream) {
    hash.update(chunk as Buffer);
    held.note(chunk as Buffer);
  }
  return { sha256: hash.digest('hex'), peak: held.peak };
}
