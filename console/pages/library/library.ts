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
  /** Where the keyboard is. */
  current: number;
}

/** What is known of a user's library, across pages of the console. */
export class Library {
  readonly tree: FolderTree;
  readonly uploads: Uploads;
  #shelf: Shelf | undefined;

  constructor(readonly access: Access) {
    this.tree = new FolderTree(access);
    this.uploads = uploadsTo(access, this.tree);
  }

  /** The view that was open last is kept: who returns to it is where they were. */
  shelf(view: View): Shelf {
    const listing = listingOf(this.access, view);
    if (this.#shelf?.pages.listing.key === listing.key) return this.#shelf;
    this.#shelf?.pages.stop();
    const pages = new Pages(listing);
    this.#shelf = { pages, selection: new Selection(pages), current: 0 };
    return this.#shelf;
  }

  /** Something has changed: what is in sight is read again. */
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
