import { signal } from '@preact/signals';
import { Problem } from '../../../core/problem';
import type { Access } from '../access';
import { maxPageSize } from '../listing';
import type { Folder } from '../listing';
import { FolderCounts } from './counts';

/** What the API calls the top level. */
export const root = 'root';

/** A row of the tree as it is drawn. */
export interface Branch {
  readonly id: string;
  /** Undefined: the top level. */
  readonly folder: Folder | undefined;
  readonly depth: number;
  readonly parent: string | undefined;
  /** Undefined if it has nothing to open. */
  readonly open: boolean | undefined;
}

/** The folders of a user, each level read when it is first opened. */
export class FolderTree {
  /** Changes with any state of this object. */
  readonly version = signal(0);
  problem: unknown;
  readonly counts: FolderCounts;
  readonly #children = new Map<string, readonly Folder[]>();
  readonly #open = new Set<string>();

  constructor(private readonly access: Access) {
    this.counts = new FolderCounts(access);
  }

  /** The rows of open folders, from the top. */
  branches(): Branch[] {
    return this.#below(root, undefined, undefined, 0);
  }

  async open(id: string): Promise<void> {
    this.#open.add(id);
    this.#notify();
    if (!this.#children.has(id)) await this.#read(id);
  }

  close(id: string): void {
    this.#open.delete(id);
    this.#notify();
  }

  /** Opens the folders above a folder. @param path ids from the top. */
  async reveal(path: readonly string[]): Promise<void> {
    for (const id of [root, ...path.slice(0, -1)]) await this.open(id);
  }

  /** Reads the open folders again, because folders were made, moved or removed. */
  async reload(): Promise<void> {
    for (const id of this.#children.keys()) if (!this.#open.has(id)) this.#children.delete(id);
    this.problem = undefined;
    this.counts.renew();
    await Promise.all([...this.#open].map((id) => this.#read(id)));
  }

  /** The folder with a title below another; undefined if there is none. */
  async childNamed(parent: string, title: string): Promise<Folder | undefined> {
    await this.#read(parent);
    const wanted = title.normalize('NFC');
    return this.#children.get(parent)?.find((folder) => folder.title.normalize('NFC') === wanted);
  }

  #below(
    id: string,
    folder: Folder | undefined,
    parent: string | undefined,
    depth: number,
  ): Branch[] {
    const children = this.#children.get(id);
    const open = children?.length === 0 && id !== root ? undefined : this.#open.has(id);
    const here = { id, folder, depth, parent, open };
    if (!open || !children) return [here];
    return [here, ...children.flatMap((child) => this.#below(child.id, child, id, depth + 1))];
  }

  async #read(id: string): Promise<void> {
    try {
      this.#children.set(id, await this.#childrenOf(id));
    } catch (problem) {
      const passes = problem instanceof Problem && problem.passes;
      if (passes || id === root) this.problem = problem;
      // It may be gone; then only this folder is closed.
      if (!passes) this.#open.delete(id);
    }
    this.#notify();
  }

  async #childrenOf(id: string): Promise<Folder[]> {
    const found: Folder[] = [];
    for (let total = Infinity; found.length < total;) {
      const contents = await this.access.call((client) =>
        client.GET('/api/v1/users/{user_id}/folders/{folder_id}', {
          params: {
            path: { user_id: this.access.userId, folder_id: id },
            query: {
              get_image: 'False',
              has_delete_at: 'False',
              sort_by: 'name',
              last_index: found.length,
              page_size: maxPageSize,
            },
          },
        }),
      );
      total = contents.count === 0 ? 0 : contents.total_count;
      for (const item of contents.items) if (item.is_folder) found.push(item.data);
    }
    return found;
  }

  #notify(): void {
    this.version.value += 1;
  }
}
