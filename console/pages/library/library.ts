import { signal } from '@preact/signals';
import type { Access } from './access';
import { Actions } from './acting/acting';
import type { Spot } from './buckets';
import { byFolder, groupingOf } from './by-folder';
import { Feed } from './feed';
import type { Change } from './feed';
import { Images } from './images';
import { sourceOf } from './listing';
import { Selection } from './selection';
import { FolderTree, root } from './tree/tree';
import { uploadsTo } from './upload/UploadPanel';
import type { Uploads } from './upload/uploads';
import type { View } from './view';

/** One view of a library, as the reader left it. */
export interface ViewState {
  readonly view: View;
  readonly images: Images;
  readonly selection: Selection;
  /** The image with the keyboard focus. */
  current: Spot;
  /** Whether the viewer has gone on to it, so that it is to be in view when the reader comes back. */
  isSought: boolean;
  /** The image at the top of the window, and how many pixels below it. */
  anchor: Anchor | undefined;
}

export interface Anchor {
  readonly spot: Spot;
  readonly offset: number;
}

/** How often changes of others make a list be read: so often after quiet, and then one time in so long. */
const reads = { atOnce: 6, eachMs: 2 * 60_000 };
/** The same while this page uploads. */
const uploadingMs = 8_000;
/** Folders' counts and what is stored in all are read again after this long, when others add images. */
const sideMs = 5 * 60_000;
/** Between changes and what is read because of them; twice as long after each time. */
const pauseMs = { least: 250, first: 500 };
/** For so long after an action of the reader, changes are theirs. */
const ownMs = 2_000;
const ownPauseMs = 30;

/** The state of a user's library, shared by pages of the console. */
export class Library {
  readonly tree: FolderTree;
  readonly uploads: Uploads;
  readonly actions = new Actions(this);
  /** Changes after each change that the console knows of. */
  readonly changes = signal(0);
  readonly #feed: Feed;
  #lastView: ViewState | undefined;
  /** Undefined: some that nobody has told. */
  #news: readonly Change[] | undefined = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = 0;
  #readAt = 0;
  /** When as little has been read as if nothing had been. */
  #restedAt = 0;
  /** Whether what the reader has changed is yet to be heard of, however late. */
  #isAwaited = false;
  #ownUntil = 0;
  #sideTimer: ReturnType<typeof setTimeout> | undefined;
  #sideAt = 0;

  constructor(readonly access: Access) {
    this.tree = new FolderTree(access);
    this.uploads = uploadsTo(access, this.tree);
    this.#feed = new Feed(access, (changes) => this.#hear(changes));
  }

  /** Follows what changes, as long as a page of the library is open. @returns a function that ends it. */
  follow(): () => void {
    const end = this.#feed.follow();
    let { stored } = this.uploads;
    const endUploads = this.uploads.version.subscribe(() => {
      if (this.uploads.stored === stored) return;
      ({ stored } = this.uploads);
      if (this.uploads.left === 0) return this.refresh({ keep: true });
      if (!this.#feed.isOpen && !document.hidden) this.#hear(undefined);
    });
    return () => {
      end();
      endUploads();
      clearTimeout(this.#timer);
      clearTimeout(this.#sideTimer);
      this.#timer = this.#sideTimer = undefined;
    };
  }

  /** Keeps the view that was open last, so that a returning reader is where they were. */
  stateOf(view: View): ViewState {
    const { access, tree } = this;
    const source =
      groupingOf(view) === 'folder' ? byFolder(access, view, tree) : sourceOf(access, view);
    if (this.#lastView?.images.source.key === source.key) return this.#lastView;
    this.#lastView?.images.stop();
    const images = new Images(source, () => this.#spread());
    const selection = new Selection(images);
    const current = { id: undefined, date: Infinity, n: 0 };
    this.#lastView = { view, images, selection, current, isSought: false, anchor: undefined };
    return this.#lastView;
  }

  /** The folder that was open last. */
  get folder(): string {
    return this.#lastView?.view.folder ?? root;
  }

  get isSelecting(): boolean {
    return (this.#lastView?.selection.chosen.peek().size ?? 0) > 0;
  }

  /** The reader has changed something. @param keep whether what is selected stays selected. */
  refresh({ keep = false } = {}): void {
    if (!keep) this.#lastView?.selection.clear();
    this.#isAwaited = true;
    this.#ownUntil = Date.now() + ownMs;
    if (!this.#feed.isOpen) this.#news = undefined;
    if (this.#news?.length !== 0) this.#plan();
  }

  #hear(changes: readonly Change[] | undefined): void {
    this.#news = changes && this.#news && [...this.#news, ...changes];
    this.#plan();
  }

  get #isOwn(): boolean {
    return this.#isAwaited || Date.now() < this.#ownUntil;
  }

  /** What others change is read at once as long as that is seldom, then after pauses that grow. */
  #plan(): void {
    const now = Date.now();
    const eachMs = this.uploads.left > 0 ? uploadingMs : reads.eachMs;
    const lately = Math.min(reads.atOnce, Math.max(0, this.#restedAt - now) / eachMs);
    const pause = Math.min(eachMs, pauseMs.first * 2 ** Math.ceil(lately));
    const rest = (lately - reads.atOnce + 1) * eachMs;
    const others = Math.max(pauseMs.least, this.#readAt + pause - now, rest);
    const wait = this.#isOwn ? ownPauseMs : others;
    if (this.#timer !== undefined && this.#dueAt <= now + wait) return;
    clearTimeout(this.#timer);
    this.#dueAt = now + wait;
    this.#timer = setTimeout(() => this.#read(eachMs), wait);
  }

  #read(eachMs: number): void {
    const news = this.#news;
    this.#news = [];
    this.#timer = undefined;
    this.#readAt = Date.now();
    if (this.#isAwaited) this.#ownUntil = this.#readAt + ownMs;
    this.#isAwaited = false;
    if (!this.#isOwn) this.#restedAt = Math.max(this.#restedAt, this.#readAt) + eachMs;
    if (this.#lastView) tell(this.#lastView, news);
    // The list finds out by its tag whether there is anything new.
    if (!news && this.#lastView?.images.isSeen) return;
    const isAside = news?.every(({ type }) => type === 'image' || type === 'version') ?? false;
    if (isAside && !this.#isOwn) this.#spreadLater();
    else this.#spread(news);
  }

  #spreadLater(): void {
    const wait = this.#sideAt + sideMs - Date.now();
    if (wait <= 0) this.#spread();
    else this.#sideTimer ??= setTimeout(() => this.#spread(), wait);
  }

  #spread(news?: readonly Change[]): void {
    clearTimeout(this.#sideTimer);
    this.#sideTimer = undefined;
    this.#sideAt = Date.now();
    this.changes.value += 1;
    const { isSeen = false, source } = this.#lastView?.images ?? {};
    this.#lastView?.images.weigh();
    // A list by folders has the tree read itself.
    const isRead = isSeen && source?.nameOf !== undefined;
    const isCounted = ({ type }: Change): boolean =>
      type === 'folder' || (type === 'image' && !isRead);
    if (news ? news.some(isCounted) : !isRead) void this.tree.reload();
  }
}

/** Makes a view read what has changed in it. */
function tell({ view, images, selection }: ViewState, news: readonly Change[] | undefined): void {
  // With a folder come and go all images in it.
  const isMany = ({ type, action }: Change): boolean =>
    type === 'folder' && action !== 'created' && action !== 'updated';
  if (!news || news.some(isMany)) return images.refresh();
  const isNarrow = view.search !== '' || view.customKey !== '';
  const ofImages = news.filter(
    ({ type }) =>
      type === 'image' ||
      type === 'version' ||
      (isNarrow && (type === 'memo' || type === 'custom')) ||
      (images.hasMemos && type === 'memo'),
  );
  if (ofImages.length === 0) return undefined;
  const [leaving, coming] = view.trash
    ? [['restored', 'deleted'], ['trashed']]
    : [['trashed', 'deleted'], ['restored']];
  if (view.folder !== undefined) leaving.push('moved');
  // What was taken back meanwhile is there.
  const gone = new Set<string>();
  for (const { type, action, id } of ofImages) {
    if (type === 'image' && leaving.includes(action)) gone.add(id);
    else if (type === 'image' && coming.includes(action)) gone.delete(id);
  }
  selection.drop(gone);
  return images.refresh(
    ofImages.map(({ id, image_id: of }) => of ?? id),
    gone,
  );
}

const known = new WeakMap<Access, Library>();

export function libraryOf(access: Access): Library {
  const library = known.get(access) ?? new Library(access);
  known.set(access, library);
  return library;
}
