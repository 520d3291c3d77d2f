// What was chosen on a page, kept in this browser: files until they have arrived, and of those that have
// come through a link, that they did. Where the browser keeps nothing, it lasts as long as the page.

export interface Kept {
  /** Made by the page. */
  readonly key: string;
  /** Where it was chosen: the path of a link's page, or a library of the console. */
  readonly place: string;
  readonly name: string;
  readonly at: number;
  /** Undefined once it has arrived or was refused, and if it is too large to be kept. */
  readonly file?: Blob | undefined;
  /** What stands for it on the server. */
  readonly receipt?: string | undefined;
  /** Why it was refused. */
  readonly refusal?: string | undefined;
}

const store = 'pictures';

let opening: Promise<IDBDatabase | undefined> | undefined;

const opened = (): Promise<IDBDatabase | undefined> =>
  (opening ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open('imgstore', 1);
      request.onupgradeneeded = () =>
        request.result.createObjectStore(store, { keyPath: 'key' }).createIndex('place', 'place');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  }));

/** @returns undefined where nothing is kept, or when there is no room. */
async function run<T>(
  mode: IDBTransactionMode,
  work: (pictures: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  const db = await opened();
  return new Promise((resolve) => {
    if (!db) return resolve(undefined);
    const request = work(db.transaction(store, mode).objectStore(store));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(undefined);
    return undefined;
  });
}

/** What was chosen in a place, or in all that begin with words, the oldest first. */
export async function readKept<K extends Kept>(place: string | IDBKeyRange): Promise<K[]> {
  const found = await run(
    'readonly',
    (pictures) => pictures.index('place').getAll(place) as IDBRequest<K[]>,
  );
  return (found ?? []).sort((a, b) => a.at - b.at);
}

/** All places that begin with these words. */
export const placesOf = (words: string): IDBKeyRange => IDBKeyRange.bound(words, `${words}\uffff`);

export const keep = (picture: Kept): Promise<unknown> =>
  run('readwrite', (pictures) => pictures.put(picture));

export const forget = (key: string): Promise<unknown> =>
  run('readwrite', (pictures) => pictures.delete(key));
