import type { ObjectStore } from '../../store/port.js';
import { parseQuarantineKey } from '../../store/object-key.js';

/** Objects looked up at a time; limits memory use. */
export const batchSize = 500;

/** An object as a store lists it. */
export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
}

const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);

/**
 * Groups objects into batches of about `size`, at most twice as many. Consecutive objects of one
 * folder stay together within this limit; those of a version always do.
 */
export async function* inBatches(
  objects: AsyncIterable<ListedObject>,
  size: number,
): AsyncGenerator<ListedObject[]> {
  let batch: ListedObject[] = [];
  for await (const object of objects) {
    const last = batch.at(-1);
    const between = last && folderOf(last.key) !== folderOf(object.key);
    if ((between && batch.length >= size) || batch.length >= 2 * size) {
      yield batch;
      batch = [];
    }
    batch.push(object);
  }
  if (batch.length > 0) yield batch;
}

/** An object in quarantine. */
export interface Kept {
  /** Its key now. */
  readonly name: string;
  readonly day: string;
  /** The key that it had. */
  readonly key: string;
  readonly bytes: number;
}

/** Quarantined objects whose keys begin with `prefix`, in batches. */
export async function* keptBatches(
  store: Pick<ObjectStore, 'list'>,
  prefix: string,
): AsyncGenerator<Kept[]> {
  for await (const batch of inBatches(store.list(prefix), batchSize)) {
    yield batch.flatMap(({ key: name, bytes }) => {
      const parsed = parseQuarantineKey(name);
      return parsed ? [{ ...parsed, name, bytes }] : [];
    });
  }
}
