import { signal } from '@preact/signals';
import { toast } from '../../../components/Toast';
import { t } from '../../../core/i18n';
import type { Access } from '../access';
import * as requests from '../actions';
import type { Changes, Custom, Outcome } from '../actions';
import { saveArchive } from '../archive';
import type { Folder, Item } from '../listing';

/** A folder to be renamed, or the one that a new folder goes into. */
export type Named = { readonly folder: Folder } | { readonly parent: string };

/** What the reader is asked for. */
export type Asking =
  | ({ readonly what: 'name' } & Named)
  | {
      readonly what: 'folder' | 'place' | 'address' | 'memo' | 'custom' | 'link';
      readonly items: readonly Item[];
    };

/** An action that can be taken back. */
interface Deed {
  readonly undo: () => Promise<Outcome>;
}

/** The library that is acted on. */
interface Target {
  readonly access: Access;
  /** Reads again what is visible. */
  refresh(what: { readonly folders: boolean }): void;
}

interface Doing {
  readonly work: () => Promise<Outcome>;
  /** What is said then. */
  readonly said: (done: number) => string;
  /** Takes it back; without it, it stays. */
  readonly back?: (done: readonly Item[]) => Promise<Outcome>;
}

/** Deeds that Ctrl+Z reaches. */
const remembered = 20;

/** The actions on folders and images of a library, wherever the reader begins them. */
export class Actions {
  /** The open dialog, if any. */
  readonly asking = signal<Asking | undefined>(undefined);
  readonly problem = signal<unknown>(undefined);
  readonly #running = signal(0);
  #deeds: readonly Deed[] = [];

  constructor(private readonly library: Target) {}

  get busy(): boolean {
    return this.#running.value > 0;
  }

  ask(asking: Asking): void {
    this.asking.value = asking;
  }

  move(items: readonly Item[], to: string): void {
    const { access } = this.library;
    this.#do({
      work: () => requests.move(access, items, to),
      said: (count) => t('library.moved', { count }),
      back: (done) => requests.moveBack(access, done),
    });
  }

  trash(items: readonly Item[]): void {
    const { access } = this.library;
    this.#do({
      work: () => requests.trash(access, items),
      said: (count) => t('library.trashed', { count }),
      back: (done) => requests.trash(access, done, false),
    });
  }

  restore(items: readonly Item[]): void {
    const { access } = this.library;
    this.#do({
      work: () => requests.trash(access, items, false),
      said: (count) => t('library.restored', { count }),
      back: (done) => requests.trash(access, done),
    });
  }

  /** Gives images a place or an address. */
  change(items: readonly Item[], changes: Changes): void {
    const { access } = this.library;
    this.#do({
      work: () => requests.change(access, items, changes),
      said: (count) => t('library.changed', { count }),
      back: (done) => requests.changeBack(access, done, changes),
    });
  }

  addMemo(items: readonly Item[], message: string): void {
    this.#do({
      work: () => requests.addMemo(this.library.access, items, message),
      said: (count) => t('library.changed', { count }),
    });
  }

  addCustom(items: readonly Item[], custom: Custom): void {
    this.#do({
      work: () => requests.addCustom(this.library.access, items, custom),
      said: (count) => t('library.changed', { count }),
    });
  }

  download(items: readonly Item[]): void {
    this.#run(async () => {
      await saveArchive(this.library.access, items);
      toast(t('library.downloaded'));
    });
  }

  /** Renames a folder, or makes one. @throws Problem. */
  async name(of: Named, title: string): Promise<void> {
    const { access } = this.library;
    if ('folder' in of) await requests.rename(access, of.folder.id, title);
    else await requests.createFolder(access, of.parent, title);
    this.library.refresh({ folders: true });
  }

  /** Takes the last deed back, as Ctrl+Z does. */
  undoLast(): void {
    const last = this.#deeds.at(-1);
    if (last) this.#undo(last);
  }

  /** Applies an action to several items, says so, and offers to take it back. */
  #do({ work, said, back }: Doing): void {
    this.#run(async () => {
      const { done, failed, problem } = await work();
      this.library.refresh({ folders: true });
      if (done.length > 0) toast(said(done.length), back && this.#undoable(() => back(done)));
      if (failed > 0) throw problem;
    });
  }

  #undoable(undo: Deed['undo']): Parameters<typeof toast>[1] {
    const deed = { undo };
    this.#deeds = [...this.#deeds, deed].slice(-remembered);
    return { label: t('action.undo'), act: () => this.#undo(deed) };
  }

  #undo(deed: Deed): void {
    if (!this.#deeds.includes(deed)) return;
    this.#deeds = this.#deeds.filter((each) => each !== deed);
    this.#do({ work: deed.undo, said: (count) => t('library.undone', { count }) });
  }

  #run(work: () => Promise<void>): void {
    this.problem.value = undefined;
    this.#running.value += 1;
    void work()
      .catch((problem: unknown) => (this.problem.value = problem))
      .finally(() => (this.#running.value -= 1));
  }
}
