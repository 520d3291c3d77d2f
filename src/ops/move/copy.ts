import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { hashOf, type ObjectStore } from '../../store/port.js';

export interface CopyParts {
  readonly from: ObjectStore;
  readonly to: ObjectStore;
  /** Folder for objects in transit. */
  readonly scratch: string;
}

/** `missing`: the object is in neither store. */
export type CopyOutcome = 'copied' | 'present' | 'missing';

/**
 * Copies an object and reads the copy back: it is kept only if both have the same SHA-256. The copy
 * of an object that is deleted in the meantime is removed, too.
 * @param sha256 of the object, where a row has it. @throws Error when the copy differs; ServiceError
 * `unavailable`.
 */
export async function copyObject(
  parts: CopyParts,
  key: string,
  sha256?: string,
): Promise<CopyOutcome> {
  const { from, to, scratch } = parts;
  const path = join(scratch, randomUUID());
  try {
    const wanted = await fetchObject(from, { key, sha256 }, path);
    if (wanted === undefined) return (await to.stat(key)) ? 'present' : 'missing';
    // Left by a move that was interrupted before it could record the copy.
    const present = await hashOf(to, key);
    if (present !== wanted) {
      if (present !== undefined) await to.delete([key]);
      await to.put([{ key, path, sha256: wanted }]);
      await compare(to, key, wanted);
    }
    if (!(await from.stat(key))) await to.delete([key]);
    return present === wanted ? 'present' : 'copied';
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * Reads an object into a file. What differs from its row is read again: either a bit changed on the
 * way, or the object is damaged and reads the same. Such an object is copied; `verify` reports it.
 * @returns the SHA-256 of what was read; undefined without an object.
 */
async function fetchObject(
  from: ObjectStore,
  { key, sha256 }: { readonly key: string; readonly sha256: string | undefined },
  path: string,
): Promise<string | undefined> {
  for (let former: string | undefined; ;) {
    const body = await from.get(key);
    if (!body) return undefined;
    const hash = createHash('sha256');
    await pipeline(body.stream, tee(hash), createWriteStream(path));
    const read = hash.digest('hex');
    if (read === (sha256 ?? read) || read === former) return read;
    if (former !== undefined) throw new Error(`${key} has other bytes each time it is read`);
    former = read;
  }
}

/** Removes a copy that differs. */
async function compare(store: ObjectStore, key: string, wanted: string): Promise<void> {
  const got = await hashOf(store, key);
  if (got === wanted) return;
  await store.delete([key]);
  throw new Error(`The copy of ${key} has SHA-256 ${got}, but the object has ${wanted}.`);
}

/** Passes chunks through and hashes them. */
const tee = (hash: { update(chunk: Buffer): unknown }) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk);
      yield chunk;
    }
  };
