import { signal } from '@preact/signals';
import { toast } from '../../../components/Toast';
import type { Answer } from '../../../components/Toast';
import { t } from '../../../core/i18n';
import { endLink } from '../../links/requests';
import type { Link } from '../../links/requests';
import type { Access } from '../access';
import * as requests from '../actions';
import type { Changes, Outcome } from '../actions';
import type { Pair } from '../annotations';
import { saveArchive } from '../archive';
import type { Folder, Item } from '../listing';

/** A folder to be renamed, or the one that a new folder goes into. */
export type Named = { readonly folder: Folder } | { readonly parent: string };

/** What the reader is asked for. */
export type Asking =
  | ({ readonly what: 'name' } & Named)
  | { readonly what: 'deletion'; readonly items: readonly Item[]; readonly after?: After }
  | { readonly what: 'emptying' }
  | {
      readonly what: 'folder' | 'place' | 'address' | 'memo' | 'custom' | 'link';
      readonly items: readonly Item[];
    };

/** Takes an action back. */
type Undo = () => Promise<void>;

/** The library that is acted on. */
interface Target {
  readonly access: Access;
  /** Reads again what is visible. */
  refresh(what?: { readonly folders: boolean; readonly keep?: boolean }): void;
  readonly isSelecting: boolean;
}

interface Doing<Result> {
  readonly work: () => Promise<Outcome<Result>>;
  /** What is said then. */
  readonly said: (done: number) => string;
  /** Takes it back; without it, it stays. */
  readonly back?: (done: Outcome<Result>['done']) => Promise<Outcome>;
  readonly after?: After | undefined;
}

/** Is called when something has been done, before lists are read again; also when it is taken back. */
type After = (undone: boolean) => void;

/** Actions that Ctrl+Z reaches. */
const remembered = 20;

const saidOfUndo = (count: number): string => t('library.undone', { count });

/** The actions on folders and images of a library, wherever the reader begins them. */
export class Actions {
  /** The open dialog, if any. */
  readonly asking = signal<Asking | undefined>(undefined);
  readonly problem = signal<unknown>(undefined);
  readonly #running = signal(0);
  #undos: readonly Undo[] = [];

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
      back: (done) => requests.moveBack(access, done.keys()),
    });
  }

  trash(items: readonly Item[], after?: After): void {
    const { access } = this.library;
    this.#do({
      after,
      work: () => requests.trash(access, items),
      said: (count) => t('library.trashed', { count }),
      back: (done) => requests.trash(access, done.keys(), false),
    });
  }

  restore(items: readonly Item[], after?: After): void {
    const { access } = this.library;
    this.#do({
      after,
      work: () => requests.trash(access, items, false),
      said: (count) => t('library.restored', { count }),
      back: (done) => requests.trash(access, done.keys()),
    });
  }

  /** Deletes images in the trash for good: nothing takes that back. */
  deleteNow(items: readonly Item[], after?: After): void {
    const { access } = this.library;
    this.#do({
      after,
      work: () => requests.deleteNow(access, items),
      said: (count) => t('library.deletedNow', { count }),
    });
  }

  /** Says that the trash has been emptied, or how much of it. */
  emptied(images: number): void {
    this.library.refresh({ folders: true });
    toast(t('library.deletedNow', { count: images }));
  }

  /** Gives images a place or an address, or marks them as shared. */
  change(items: readonly Item[], changes: Changes): void {
    const { access } = this.library;
    this.#do({
      work: () => requests.change(access, items, changes),
      said: (count) => t('library.changed', { count }),
      back: (done) => requests.changeBack(access, done.keys(), changes),
    });
  }

  addMemo(items: readonly Item[], message: string): void {
    const { access } = this.library;
    this.#do({
      work: () => requests.addMemo(access, items, message),
      said: (count) => t('library.changed', { count }),
      back: (done) => requests.removeMemos(access, done),
    });
  }

  addCustom(items: readonly Item[], pair: Pair): void {
    const { access } = this.library;
    this.#do({
      work: () => requests.addCustom(access, items, pair),
      said: (count) => t('library.changed', { count }),
      back: (done) => requests.removeCustoms(access, done),
    });
  }

  /** Says that a link has been made, which ends if that is taken back. */
  linked({ id }: Link): void {
    const end = async (): Promise<void> => {
      await endLink(this.library.access, id);
      this.library.refresh();
      toast(t('links.ended'));
    };
    this.library.refresh();
    toast(t('links.made'), this.#undoable(end));
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

  /** Takes the last action back, as Ctrl+Z does. */
  undoLast(): void {
    const last = this.#undos.at(-1);
    if (last) this.#undo(last);
  }

  /** Lets the reader take something back, by the answer to a toast, or by Ctrl+Z. */
  #undoable(undo: Undo): Answer {
    this.#undos = [...this.#undos, undo].slice(-remembered);
    return { label: t('action.undo'), act: () => this.#undo(undo) };
  }

  #do<Result>(doing: Doing<Result>): void {
    this.#run(() => this.#apply(doing));
  }

  /** Applies an action to several items, says so, and offers to take it back. */
  async #apply<Result>({ work, said, back, after }: Doing<Result>, undone = false): Promise<void> {
    // What is taken back begins without a selection: one made meanwhile is for the next action.
    const keep = !this.library.isSelecting;
    const { done, failed, problem } = await work();
    if (done.size > 0) after?.(undone);
    this.library.refresh({ folders: true, keep });
    const undo =
      back && (() => this.#apply({ work: () => back(done), said: saidOfUndo, after }, true));
    if (done.size > 0) toast(said(done.size), undo && this.#undoable(undo));
    if (failed > 0) throw problem;
  }

  #undo(undo: Undo): void {
    if (!this.#undos.includes(undo)) return;
    this.#undos = this.#undos.filter((each) => each !== undo);
    this.#run(undo);
  }

  #run(work: () => Promise<void>): void {
    this.problem.value = undefined;
    this.#running.value += 1;
    void work()
      .catch((problem: unknown) => (this.problem.value = problem))
      .finally(() => (this.#running.value -= 1));
  }
}
