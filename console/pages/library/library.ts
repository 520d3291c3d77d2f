import type { Access } from './access';
import { listingOf } from './listing';
import { Pages } from './pages';
import { Selection } from './selection';
import { FolderTree } from './tree/tree';
import { uploadsTo } from './upload/uploads';
import type { Uploads } from './upload/uploads';
import type { View } from './view';

/** One view of a library, as the reader left it. */
export interface Shelf {
  readonly pages: Pages;
  readonly selection: Selection;
  /** The item with the keyboard focus. */
  current: number;
}

/** The state of a user's library, shared by pages of the console. */
export class Library {
  readonly tree: FolderTree;
  readonly uploads: Uploads;
  #shelf: Shelf | undefined;

  constructor(readonly access: Access) {
    this.tree = new FolderTree(access);
    this.uploads = uploadsTo(access, this.tree);
  }

  /** Keeps the view that was open last, so that a returning reader is where they were. */
  shelf(view: View): Shelf {
    const listing = listingOf(this.access, view);
    if (this.#shelf?.pages.listing.key === listing.key) return this.#shelf;
    this.#shelf?.pages.stop();
    const pages = new Pages(listing);
    this.#shelf = { pages, selection: new Selection(pages), current: 0 };
    return this.#shelf;
  }

  /** Reads what is visible again, because something has changed. */
  refresh({ folders = false } = {}): void {
    this.#shelf?.selection.clear();
    this.#shelf?.pages.refresh();
    if (folders) void this.tree.reload();
  }
}

const known = new WeakMap<Access, Library>();

export function libraryOf(access: Access): Library {
  const library = known.get(access) ?? new Library(access);
  known.set(access, library);
  return library;
}
