// What was chosen on this page, kept in this browser: files until they have arrived, and of those that
// have, that they did. Where the browser keeps nothing, it lasts as long as the page.

export interface Kept {
  /** Made by this page. */
  readonly key: string;
  /** The path of the page. */
  readonly link: string;
  readonly name: string;
  readonly at: number;
  /** Undefined once it has arrived or was refused. */
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
      const request = indexedDB.open('imgstore-link', 1);
      request.onupgradeneeded = () =>
        request.result.createObjectStore(store, { keyPath: 'key' }).createIndex('link', 'link');
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

/** What was chosen for a link, the oldest first. */
export async function readKept(link: string): Promise<Kept[]> {
  const found = await run(
    'readonly',
    (pictures) => pictures.index('link').getAll(link) as IDBRequest<Kept[]>,
  );
  return (found ?? []).sort((a, b) => a.at - b.at);
}

export const keep = (picture: Kept): Promise<unknown> =>
  run('readwrite', (pictures) => pictures.put(picture));

export const forget = (key: string): Promise<unknown> =>
  run('readwrite', (pictures) => pictures.delete(key));
