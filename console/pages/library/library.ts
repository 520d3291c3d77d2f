import { signal } from '@preact/signals';
import type { Access } from './access';
import { Actions } from './acting/acting';
import { listingOf } from './listing';
import { Pages } from './pages';
import { Selection } from './selection';
import { FolderTree } from './tree/tree';
import { uploadsTo } from './upload/uploads';
import type { Uploads } from './upload/uploads';
import type { View } from './view';

/** One view of a library, as the reader left it. */
export interface ViewState {
  readonly pages: Pages;
  readonly selection: Selection;
  /** The item with the keyboard focus. */
  current: number;
  /** Whether the viewer has gone on to it, so that it is to be in view when the reader comes back. */
  isSought: boolean;
  /** The image at the top of the window, and how many pixels below it. */
  anchor: Anchor | undefined;
}

export interface Anchor {
  readonly index: number;
  readonly offset: number;
}

/** The state of a user's library, shared by pages of the console. */
export class Library {
  readonly tree: FolderTree;
  readonly uploads: Uploads;
  readonly actions = new Actions(this);
  /** Changes after each change that the console knows of. */
  readonly changes = signal(0);
  #lastView: ViewState | undefined;

  constructor(readonly access: Access) {
    this.tree = new FolderTree(access);
    this.uploads = uploadsTo(access, this.tree);
  }

  /** Keeps the view that was open last, so that a returning reader is where they were. */
  stateOf(view: View): ViewState {
    const listing = listingOf(this.access, view);
    if (this.#lastView?.pages.listing.key === listing.key) return this.#lastView;
    this.#lastView?.pages.stop();
    const pages = new Pages(listing);
    const selection = new Selection(pages);
    this.#lastView = { pages, selection, current: 0, isSought: false, anchor: undefined };
    return this.#lastView;
  }

  get isSelecting(): boolean {
    return (this.#lastView?.selection.items.peek().size ?? 0) > 0;
  }

  /**
   * Reads what is visible again, because something has changed.
   * @param keep whether what is selected stays selected.
   */
  refresh({ folders = false, keep = false } = {}): void {
    this.changes.value += 1;
    if (!keep) this.#lastView?.selection.clear();
    this.#lastView?.pages.refresh();
    if (folders) void this.tree.reload();
  }
}

const known = new WeakMap<Access, Library>();

export function libraryOf(access: Access): Library {
  const library = known.get(access) ?? new Library(access);
  known.set(access, library);
  return library;
}
