import { createHash, randomUUID } from 'node:crypto';
import {
  type Answered,
  type ServiceClient,
  UploadRefusal,
  type SentFile,
} from './service-client.js';

/** A folder in the tree of all folders. */
interface TreeFolder {
  readonly id: string;
  readonly title: string;
  readonly child_folders: readonly TreeFolder[];
}

interface Presence {
  readonly present: readonly {
    readonly hash: string;
    readonly images: readonly { readonly in_trash: boolean }[];
  }[];
}

export interface Stored {
  readonly id: string;
}

/** The result of an upload. */
export interface UploadResult extends Stored {
  /** Whether another run had stored it, earlier or concurrently. */
  readonly alreadyStored: boolean;
}

/** The requests that an import sends on behalf of one user. */
export class UserLibrary {
  readonly #path: string;

  constructor(
    private readonly client: ServiceClient,
    private readonly userId: string,
  ) {
    this.#path = `/api/v1/users/${userId}`;
  }

  /** The hashes that the user already has, and whether only in the trash. */
  async present(hashes: readonly string[]): Promise<Map<string, boolean>> {
    if (hashes.length === 0) return new Map();
    const { result } = await this.#post<Presence>('/images/check', { hashes });
    return new Map(
      result.present.map(({ hash, images }) => [hash, images.every((one) => one.in_trash)]),
    );
  }

  /** All folders that are not in the trash. */
  async folders(): Promise<readonly TreeFolder[]> {
    const path = `${this.#path}/folders?has_delete_at=False`;
    return (await this.client.call<TreeFolder[]>({ method: 'GET', path })).result;
  }

  /** @throws Refusal `folder_exists`, among others. */
  async createFolder(title: string, parentId: string | undefined): Promise<string> {
    const fields = { title, ...(parentId !== undefined && { parent_id: parentId }) };
    return (await this.#post<Stored>('/folders', fields)).result.id;
  }

  /**
   * Uploads a file that the user does not have. Its idempotency key prevents an interrupted upload
   * from being stored twice, even if another run retries it.
   * @param name distinguishes files of the same content.
   */
  async upload(
    name: string,
    hash: string,
    fields: Readonly<Record<string, unknown>>,
    file: SentFile,
  ): Promise<UploadResult> {
    const key = createHash('sha256').update(`${this.userId}\0${name}\0${hash}`).digest('hex');
    const send = (idempotencyKey: string): Promise<Answered<Stored>> =>
      this.client.call<Stored>({
        method: 'POST',
        path: `${this.#path}/images`,
        fields: { ...fields, image_hash: hash },
        file,
        idempotencyKey,
      });
    const first = await send(`import-${key}`).catch((error: unknown) => {
      // An earlier run put it into another folder.
      if (error instanceof UploadRefusal && error.code === 'idempotency_key_reused')
        return undefined;
      throw error;
    });
    if (first && !first.replayed) return { id: first.result.id, alreadyStored: false };
    // What an earlier run stored may have been deleted since.
    if (first && (await this.present([hash])).has(hash)) {
      return { id: first.result.id, alreadyStored: true };
    }
    const { id } = (await send(`import-${randomUUID()}`)).result;
    return { id, alreadyStored: false };
  }

  #post<Result>(
    path: string,
    fields: Readonly<Record<string, unknown>>,
  ): Promise<Answered<Result>> {
    return this.client.call<Result>({ method: 'POST', path: this.#path + path, fields });
  }
}

/** The folders of a tree by their paths; each is created when it is needed. */
export class FolderPaths {
  readonly #ids = new Map<string, Promise<string>>();
  #created = 0;

  private constructor(
    private readonly library: UserLibrary,
    /** The folder that the tree goes into; undefined: the top level. */
    private readonly base: string | undefined,
  ) {}

  /** @throws Refusal `folder_not_found`. */
  static async open(library: UserLibrary, base: string | undefined): Promise<FolderPaths> {
    const paths = new FolderPaths(library, base);
    await paths.#load();
    return paths;
  }

  get created(): number {
    return this.#created;
  }

  /** @returns undefined for the top level. @throws Refusal. */
  async idOf(titles: readonly string[]): Promise<string | undefined> {
    if (titles.length === 0) return this.base;
    const path = titles.join('/');
    const known = this.#ids.get(path) ?? this.#create(titles);
    this.#ids.set(path, known);
    known.catch(() => this.#ids.delete(path));
    return known;
  }

  async #create(titles: readonly string[]): Promise<string> {
    const parent = await this.idOf(titles.slice(0, -1));
    const title = titles.at(-1) ?? '';
    try {
      const id = await this.library.createFolder(title, parent);
      this.#created += 1;
      return id;
    } catch (error) {
      if (!(error instanceof UploadRefusal) || error.code !== 'folder_exists') throw error;
      // Another client created it, or this one did and did not receive the answer.
      const siblings = await this.#childrenOf(parent);
      const found = siblings.find((folder) => folder.title === title);
      if (!found) throw error;
      return found.id;
    }
  }

  async #load(): Promise<void> {
    const note = (folders: readonly TreeFolder[], above: readonly string[]): void => {
      for (const { id, title, child_folders: below } of folders) {
        this.#ids.set([...above, title].join('/'), Promise.resolve(id));
        note(below, [...above, title]);
      }
    };
    note(await this.#childrenOf(this.base), []);
  }

  async #childrenOf(id: string | undefined): Promise<readonly TreeFolder[]> {
    const tree = await this.library.folders();
    if (id === undefined) return tree;
    const found = findFolder(tree, id.toLowerCase());
    if (!found) throw new UploadRefusal('folder_not_found', `The user has no folder ${id}.`);
    return found.child_folders;
  }
}

function findFolder(tree: readonly TreeFolder[], id: string): TreeFolder | undefined {
  for (const folder of tree) {
    const found = folder.id === id ? folder : findFolder(folder.child_folders, id);
    if (found) return found;
  }
  return undefined;
}
