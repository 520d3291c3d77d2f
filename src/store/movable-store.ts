import { unavailable } from '../base/errors/catalogue.js';
import {
  DeletionRefused,
  refusalOf,
  type ByteRange,
  type LegalHolds,
  type NewObject,
  type ObjectBody,
  type ObjectStat,
  type ObjectStore,
  type SignObject,
  type UnfinishedUpload,
  type UrlSigner,
} from './port.js';
import { secondMs } from '../base/units.js';
import { fullName, parseFullAddress } from './object-key.js';

/** How often each node checks where the objects are, in milliseconds. */
export const storeCheckMs = 2 * secondMs;

/** Where the objects are; `second` is the target during a move, and the source afterward. */
interface ActiveStores<Kind extends string> {
  readonly store: Kind;
  readonly second: Kind | null;
  readonly moving: boolean;
}

interface MovableStoreOptions<Kind extends string> {
  /** Queries the database, which all nodes share. */
  readonly locate: () => Promise<ActiveStores<Kind>>;
  readonly open: (kind: Kind) => Promise<ObjectStore>;
  /** Creates the URLs that the API serves, wherever the object is. */
  readonly signer: UrlSigner;
}

/** Deletes objects from one store. @returns what it refused. */
async function refusalBy(
  store: ObjectStore,
  keys: readonly string[],
): Promise<DeletionRefused | undefined> {
  try {
    await store.delete(keys);
    return undefined;
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return refusal;
  }
}

/** The current roles of the stores. */
interface StoreState<Kind extends string> {
  /** Distinguishes one arrangement from another. */
  readonly name: string;
  /** The store that has all objects, unless they are in two. */
  readonly only: Kind | undefined;
  readonly moving: boolean;
  /** Receives new objects, and is read first. */
  readonly first: ObjectStore;
  /** May have objects that the first one lacks. */
  readonly second: ObjectStore | undefined;
}

/**
 * The store in use, also during a move to another one and until the old one has been cleared: new
 * objects go to the new store, reads try it first, and deletes reach both (docs/adr/0002).
 */
export class MovableStore<Kind extends string = string> implements ObjectStore {
  private constructor(
    private readonly readState: (known?: StoreState<Kind>) => Promise<StoreState<Kind>>,
    private readonly signer: UrlSigner,
    private state: StoreState<Kind>,
  ) {}

  static async open<Kind extends string>(
    options: MovableStoreOptions<Kind>,
  ): Promise<MovableStore<Kind>> {
    const opened = new Map<Kind, Promise<ObjectStore>>();
    const open = (kind: Kind): Promise<ObjectStore> => {
      const store = opened.get(kind) ?? options.open(kind);
      opened.set(kind, store);
      return store;
    };
    const readState = async (known?: StoreState<Kind>): Promise<StoreState<Kind>> => {
      const { store, second, moving } = await options.locate();
      const name = `${store} ${second} ${moving}`;
      if (name === known?.name) return known;
      const [one, other] = [await open(store), second ? await open(second) : undefined];
      const only = second ? undefined : store;
      return moving && other
        ? { name, only, moving, first: other, second: one }
        : { name, only, moving, first: one, second: other };
    };
    return new MovableStore(readState, options.signer, await readState());
  }

  /** The store that had all objects when this was last checked; undefined if they are in two. */
  get only(): Kind | undefined {
    return this.state.only;
  }

  /** Of the store that has all objects. */
  get legalHolds(): LegalHolds | undefined {
    return this.state.second ? undefined : this.state.first.legalHolds;
  }

  /** Checks where the objects are now. @returns whether that has changed. */
  async refresh(): Promise<boolean> {
    const before = this.state;
    this.state = await this.readState(before);
    return this.state !== before;
  }

  async put(objects: readonly NewObject[]): Promise<void> {
    await this.refresh(); // an ongoing move relies on it
    await this.state.first.put(objects);
  }

  get(key: string, range?: ByteRange): Promise<ObjectBody | undefined> {
    return this.#find((store) => store.get(key, range));
  }

  stat(key: string): Promise<ObjectStat | undefined> {
    return this.#find((store) => store.stat(key));
  }

  async move(from: string, to: string): Promise<void> {
    await this.refresh();
    const { moving, first } = this.state;
    // Objects that are in two stores, or about to be, would stay behind in one of them.
    if (moving) throw new Error('the objects are being moved to another store');
    await first.move(from, to);
  }

  async delete(keys: readonly string[]): Promise<void> {
    await this.refresh();
    const { first, second } = this.state;
    // The old store first: the move detects copies made in the meantime, and removes them again.
    const refusal = second && (await refusalBy(second, keys));
    const rest = refusal ? keys.filter((key) => !refusal.reasons.has(key)) : keys;
    const other = await refusalBy(first, rest);
    if (!refusal && !other) return;
    const reasons = new Map([...(refusal?.reasons ?? []), ...(other?.reasons ?? [])]);
    const code = (refusal ?? other)?.code ?? '';
    throw unavailable('The object store', new DeletionRefused(reasons, code));
  }

  /** During a move, the objects of both stores, each once; otherwise those of the store in use. */
  async *list(prefix: string): AsyncGenerator<{ key: string; bytes: number }> {
    await this.refresh();
    const { moving, first, second } = this.state;
    yield* first.list(prefix);
    if (!moving || !second) return;
    for await (const object of second.list(prefix)) {
      if (!(await first.stat(object.key))) yield object;
    }
  }

  async *unfinished(): AsyncGenerator<UnfinishedUpload> {
    await this.refresh();
    const { first, second } = this.state;
    yield* first.unfinished();
    if (second) yield* second.unfinished();
  }

  sign(key: string, name?: string): string {
    return (parseFullAddress(key) ? this.signer : this.#signer).sign(key, name);
  }

  signIn(folder: string, base: string): SignObject {
    const sign = this.#signer.signIn(folder, base);
    return (object, name) =>
      object === fullName ? this.signer.signIn(folder, base)(object) : sign(object, name);
  }

  get #signer(): UrlSigner {
    const { moving, first } = this.state;
    return moving ? this.signer : first;
  }

  async check(): Promise<void> {
    const { moving, first, second } = this.state;
    await first.check();
    if (moving) await second?.check();
  }

  async checkReady(): Promise<void> {
    const { moving, first, second } = this.state;
    await first.checkReady();
    if (moving) await second?.check();
  }

  distrust(): void {
    this.state.first.distrust();
  }

  async #find<T>(read: (store: ObjectStore) => Promise<T | undefined>): Promise<T | undefined> {
    const { first, second } = this.state;
    const found = (await read(first)) ?? (second && (await read(second)));
    if (found !== undefined || !(await this.refresh())) return found;
    return this.#find(read);
  }
}
