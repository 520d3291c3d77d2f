/** The trash event; items trashed together share it. */
export type TrashEvent = object;

export interface OwnFolder {
  readonly id: string;
  title: string;
  parentId: string | null;
  trash: TrashEvent | null;
}

/** The expected tree of one user. */
export class FolderModel {
  readonly #all = new Map<string, OwnFolder>();

  get all(): OwnFolder[] {
    return [...this.#all.values()];
  }

  get active(): OwnFolder[] {
    return this.all.filter(({ trash }) => trash === null);
  }

  get trashed(): OwnFolder[] {
    return this.all.filter(({ trash }) => trash !== null);
  }

  add(folder: OwnFolder): void {
    this.#all.set(folder.id, folder);
  }

  get(id: string | null): OwnFolder | undefined {
    return id === null ? undefined : this.#all.get(id);
  }

  /** Whether the folder can take new items. */
  isOpen(id: string | null): boolean {
    return id === null || this.get(id)?.trash === null;
  }

  childrenOf(id: string | null): OwnFolder[] {
    return this.all.filter(({ parentId }) => parentId === id);
  }

  /** A folder and its descendants that `along` admits. */
  subtree(id: string, along: (folder: OwnFolder) => boolean = () => true): Set<string> {
    const ids = new Set([id]);
    for (const above of ids) {
      for (const child of this.childrenOf(above)) if (along(child)) ids.add(child.id);
    }
    return ids;
  }

  /** Titles from the top level down to the folder, and ids, both as the API writes them. */
  pathOf(id: string | null): { readonly titles: string; readonly ids: string } {
    const way: OwnFolder[] = [];
    for (let at = this.get(id); at; at = this.get(at.parentId)) way.unshift(at);
    return {
      titles: `/${way.map(({ title }) => title).join('/')}`,
      ids: `/${way.map((folder) => folder.id).join('/')}`,
    };
  }

  /** @returns the trashed folders. */
  trash(id: string, event: TrashEvent): Set<string> {
    const ids = this.subtree(id, ({ trash }) => trash === null);
    for (const folder of this.#of(ids)) folder.trash = event;
    return ids;
  }

  /** @returns the restored folders, and the event that trashed them. */
  restore(id: string): { readonly ids: Set<string>; readonly event: TrashEvent } {
    const root = this.get(id);
    const event = root?.trash;
    if (!root || !event) throw new Error(`${id} is not in the trash`);
    const ids = this.subtree(id, ({ trash }) => trash === event);
    for (const folder of this.#of(ids)) folder.trash = null;
    if (!this.isOpen(root.parentId)) root.parentId = null;
    return { ids, event };
  }

  /** @returns the deleted folders. */
  remove(id: string): Set<string> {
    const ids = this.subtree(id);
    for (const gone of ids) this.#all.delete(gone);
    return ids;
  }

  #of(ids: ReadonlySet<string>): OwnFolder[] {
    return this.all.filter(({ id }) => ids.has(id));
  }
}
