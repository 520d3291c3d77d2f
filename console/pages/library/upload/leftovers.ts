import { signal } from '@preact/signals';
import { forget, keep, readKept } from '../../../core/kept';
import { newKey } from '../../../core/new-key';
import { remembered } from '../../../core/remembered';
import type { Upload } from './dropped';
import { locks, openTabs, placeOf, tabLock, uploadOf, worker } from './kept-upload';
import type { KeptUpload } from './kept-upload';

const tab = newKey();
// As long as this one is open.
void locks?.request(tabLock(tab), () => new Promise(() => undefined));

/** Background Sync, of Chromium alone. */
interface Syncing extends ServiceWorkerRegistration {
  readonly sync?: { readonly register: (tag: string) => Promise<void> };
}

/** Has the service worker send what this tab leaves, where browsers can. */
function sendInBackground(): void {
  const { serviceWorker } = navigator as Partial<Navigator>;
  // It has no token, and asks for one as who stays signed in.
  if (!serviceWorker || remembered('stays') === null) return;
  void serviceWorker.ready
    .then((registered: Syncing) => registered.sync?.register('uploads'))
    .catch(() => undefined); // forbidden: they wait for the next tab
}

/** Whether the page is there again in the same tab: what it was doing goes on by itself. */
const isReload = performance
  .getEntriesByType('navigation')
  .some((entry) => 'type' in entry && entry.type === 'reload');

/** Bytes of files that are kept at most; of others, that they were begun. */
const mostBytes = 256 * 1_048_576;

/** For as long, in milliseconds; the server forgets keys and unfinished uploads by then. */
const longestMs = 72 * 3_600_000;

/**
 * Uploads to one user that a closed tab has left unfinished. Files that were small enough are kept, to go
 * on with; of others, their keys, so that they go on where they stopped once they are chosen again.
 */
export class Leftovers {
  /** Files that are there to go on with. */
  readonly offered = signal<readonly File[]>([]);
  readonly #place: string;
  #left: KeptUpload[] = [];
  readonly #read: Promise<void>;
  /** Other tabs that were open, with uploads. */
  readonly #awaited = new Set<string>();
  /** Bytes of kept files of uploads of this tab, by their keys. */
  readonly #bytes = new Map<string, number>();

  constructor(userId: string) {
    this.#place = placeOf(userId);
    this.#read = this.#readKept();
    // A hidden tab may be closed at any time, and the browser has given up what was asked for long ago.
    addEventListener('visibilitychange', () => this.#bytes.size > 0 && sendInBackground());
  }

  async #readKept(): Promise<void> {
    const open = await openTabs();
    const kept = await readKept<KeptUpload>(this.#place);
    const since = Date.now() - longestMs;
    for (const { key } of kept.filter(({ at }) => at < since)) void forget(key);
    const ofOthers = kept.filter(({ at, key }) => at >= since && !this.#bytes.has(key));
    // While no tab was open, the worker took all.
    const senderOf = (one: KeptUpload) =>
      [worker, one.tab].find((by) => open.includes(tabLock(by)));
    this.#left = ofOthers.filter((one) => senderOf(one) === undefined);
    this.#offer();
    for (const by of new Set(ofOthers.map(senderOf))) if (by !== undefined) this.#await(by);
  }

  /** Offers what another tab leaves, once it is closed. */
  #await(other: string): void {
    if (this.#awaited.has(other)) return;
    this.#awaited.add(other);
    void locks
      ?.request(tabLock(other), () => this.#awaited.delete(other))
      .then(() => this.#readKept());
  }

  /** Calls `goOn` in place of the reader, when there is something to go on with after a reload. */
  onReload(goOn: () => void): void {
    if (isReload) this.offered.subscribe(({ length }) => length > 0 && goOn());
  }

  /** The offered files, as uploads of this tab from now on. */
  take(): Upload[] {
    const taken = this.#left.filter(({ file }) => file);
    this.#left = this.#left.filter(({ file }) => !file);
    this.#offer();
    for (const one of taken) this.#own(one);
    return taken.flatMap((one) => (one.file ? uploadOf(one, one.file) : []));
  }

  /** It is sent by this tab from now on. */
  #own(one: KeptUpload): void {
    this.#bytes.set(one.key, one.file ? one.size : 0);
    const owned: KeptUpload = { ...one, tab };
    void keep(owned);
  }

  /** Keeps an upload until it is forgotten, its file only if there is room. */
  async keep({ key, file, path, camera, spot, details, into }: Upload): Promise<void> {
    if (this.#bytes.has(key)) return;
    const total = [...this.#bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
    const { size, name, lastModified: modified } = file;
    const fits = total + size <= mostBytes;
    this.#bytes.set(key, fits ? size : 0);
    const about = { key, into, path, camera, spot, details, name, size, modified, tab };
    const kept: KeptUpload = {
      ...about,
      place: this.#place,
      at: Date.now(),
      file: fits ? file : undefined,
    };
    await keep(kept);
    if (this.#bytes.size === 1) sendInBackground();
  }

  /** The same file was chosen earlier, for the same folder: goes on with its key. */
  async adopt(upload: Upload): Promise<void> {
    await this.#read;
    const { file, into, path } = upload;
    const earlier = this.#left.find(
      (kept) =>
        kept.name === file.name &&
        kept.size === file.size &&
        kept.modified === file.lastModified &&
        kept.into === into &&
        kept.path.join('/') === path.join('/'),
    );
    if (!earlier) return;
    this.#left = this.#left.filter((kept) => kept !== earlier);
    this.#offer();
    this.forget(upload.key);
    upload.key = earlier.key;
    this.#own(earlier);
  }

  forget(key: string): void {
    this.#bytes.delete(key);
    void forget(key);
  }

  #offer(): void {
    this.offered.value = this.#left.flatMap(({ file }) => (file ? [file] : []));
  }
}
