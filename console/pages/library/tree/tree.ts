import { signal } from '@preact/signals';
import type { Access } from '../access';
import type { CountedFolder } from '../listing';

/** What the API calls the top level. */
export const root = 'root';

/** A row of the tree as it is drawn. */
export interface Branch {
  readonly id: string;
  /** Undefined: the top level. */
  readonly folder: CountedFolder | undefined;
  readonly depth: number;
  readonly parent: string | undefined;
  /** Undefined if it has nothing to open. */
  readonly open: boolean | undefined;
}

/** All folders of a user, what is in them, and which of them are open in the rail. */
export class FolderTree {
  /** Changes with any state of this object. */
  readonly version = signal(0);
  problem: unknown;
  /** Undefined until they have been read. */
  #top: readonly CountedFolder[] | undefined;
  #byId: ReadonlyMap<string, CountedFolder> = new Map();
  readonly #open = new Set([root]);
  #reading: Promise<void> | undefined;
  #isBehind = true;

  constructor(private readonly access: Access) {}

  folder(id: string): CountedFolder | undefined {
    return this.#byId.get(id);
  }

  /** Undefined until they have been read. */
  childrenOf(id: string): readonly CountedFolder[] | undefined {
    return id === root ? this.#top : this.#byId.get(id)?.child_folders;
  }

  /** The folders from the top to this one. */
  pathTo(id: string): readonly CountedFolder[] {
    const path: CountedFolder[] = [];
    for (let here = this.#byId.get(id); here; here = this.#byId.get(here.parent_id ?? root)) {
      path.unshift(here);
    }
    return path;
  }

  /** The rows of open folders, from the top. */
  branches(): Branch[] {
    return this.#below(root, undefined, undefined, 0);
  }

  open(id: string): void {
    this.#open.add(id);
    this.#notify();
  }

  close(id: string): void {
    this.#open.delete(id);
    this.#notify();
  }

  /** Opens the folders above a folder. */
  reveal(id: string): void {
    for (const above of this.pathTo(id).slice(0, -1)) this.#open.add(above.id);
    this.#notify();
  }

  /** Reads the folders if they have not been read. */
  load(): void {
    if (this.#isBehind && this.problem === undefined) void this.reload();
  }

  /** Reads the folders again, because they, or what is in them, changed. */
  reload(): Promise<void> {
    this.#isBehind = true;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** The folder with a title below another; undefined if there is none. */
  async childNamed(parent: string, title: string): Promise<CountedFolder | undefined> {
    await this.reload();
    const wanted = title.normalize('NFC');
    return this.childrenOf(parent)?.find((folder) => folder.title.normalize('NFC') === wanted);
  }

  #below(
    id: string,
    folder: CountedFolder | undefined,
    parent: string | undefined,
    depth: number,
  ): Branch[] {
    const children = this.childrenOf(id) ?? [];
    const open = children.length === 0 && id !== root ? undefined : this.#open.has(id);
    const here = { id, folder, depth, parent, open };
    if (!open) return [here];
    return [here, ...children.flatMap((child) => this.#below(child.id, child, id, depth + 1))];
  }

  async #read(): Promise<void> {
    while (this.#isBehind) {
      this.#isBehind = false;
      try {
        this.#take(await this.#all());
        this.problem = undefined;
      } catch (problem) {
        this.problem = problem;
      }
      this.#notify();
    }
  }

  #all(): Promise<CountedFolder[]> {
    return this.access.call((client) =>
      client.GET('/api/v1/users/{user_id}/folders', {
        params: {
          path: { user_id: this.access.userId },
          query: { has_delete_at: 'False', with_counts: 'True' },
        },
      }),
    );
  }

  #take(top: readonly CountedFolder[]): void {
    const byId = new Map<string, CountedFolder>();
    const note = (folder: CountedFolder): void => {
      byId.set(folder.id, folder);
      folder.child_folders.forEach(note);
    };
    top.forEach(note);
    this.#top = top;
    this.#byId = byId;
  }

  #notify(): void {
    this.version.value += 1;
  }
}
