import { signal } from '@preact/signals';
import { toast } from '../../../components/Toast';
import type { Answer } from '../../../components/Toast';
import { t } from '../../../core/i18n';
import type { ArchiveOf } from '../../../../clients/typescript/src/index.js';
import { endLink } from '../../links/requests';
import type { Link } from '../../links/requests';
import type { Access } from '../access';
import * as requests from '../actions';
import type { Changes, Outcome, Place, Progress } from '../actions';
import type { Pair } from '../annotations';
import type { Folder, Things } from '../listing';
import { Works } from './Works';

/** A folder to be renamed, or the one that a new folder goes into. */
export type Named = { readonly folder: Folder } | { readonly parent: string };

/** What the reader is asked for. */
export type Asking =
  | ({ readonly what: 'name' } & Named)
  | { readonly what: 'emptying' }
  | { readonly what: 'folder'; readonly of: Things }
  | { readonly what: 'link'; readonly of: Things }
  | { readonly what: 'deletion'; readonly ids: readonly string[]; readonly after?: After }
  | { readonly what: 'place'; readonly ids: readonly string[]; readonly start?: Place | undefined }
  | { readonly what: 'address' | 'memo' | 'custom'; readonly ids: readonly string[] };

/** Takes an action back. */
type Undo = () => Promise<void>;

/** The library that is acted on. */
interface Target {
  readonly access: Access;
  /** Has what is visible read again. */
  refresh(what?: { readonly keep?: boolean }): void;
  readonly isSelecting: boolean;
}

interface Doing {
  readonly work: (access: Access, onStep: Progress) => Promise<Outcome>;
  /** How many things it is done to. */
  readonly count: number;
  /** What is said then. */
  readonly said: (done: number) => string;
  readonly after?: After | undefined;
}

/** Is called when something has been done, before lists are read again; also when it is taken back. */
type After = (undone: boolean) => void;

/** Actions that Ctrl+Z reaches. */
const remembered = 20;

const countOf = ({ images, folder }: Things): number => images.length + (folder ? 1 : 0);

const saidOfChange = (count: number): string => t('library.changed', { count });

/** The actions on folders and images of a library, wherever the reader begins them. */
export class Actions {
  /** The open dialog, if any. */
  readonly asking = signal<Asking | undefined>(undefined);
  readonly problem = signal<unknown>(undefined);
  readonly #works = new Works();
  readonly #running = signal(0);
  #undos: readonly Undo[] = [];

  constructor(private readonly library: Target) {}

  get busy(): boolean {
    return this.#running.value > 0;
  }

  ask(asking: Asking): void {
    this.asking.value = asking;
  }

  move(of: Things, to: string): void {
    this.#do({
      work: (access, onStep) => requests.move(access, of, to, onStep),
      count: countOf(of),
      said: (count) => t('library.moved', { count }),
    });
  }

  trash(of: Things, after?: After): void {
    this.#do({
      after,
      work: (access, onStep) => requests.trash(access, of, true, onStep),
      count: countOf(of),
      said: (count) => t('library.trashed', { count }),
    });
  }

  restore(of: Things, after?: After): void {
    this.#do({
      after,
      work: (access, onStep) => requests.trash(access, of, false, onStep),
      count: countOf(of),
      said: (count) => t('library.restored', { count }),
    });
  }

  /** Deletes images in the trash for good: nothing takes that back. */
  deleteNow(ids: readonly string[], after?: After): void {
    this.#do({
      after,
      work: (access, onStep) => requests.deleteNow(access, ids, onStep),
      count: ids.length,
      said: (count) => t('library.deletedNow', { count }),
    });
  }

  /** Says that the trash has been emptied, or how much of it. */
  emptied(images: number): void {
    this.library.refresh();
    toast(t('library.deletedNow', { count: images }));
  }

  /** Gives images a place or an address, or marks them as shared. */
  change(ids: readonly string[], changes: Changes): void {
    this.#do({
      work: (access, onStep) => requests.change(access, ids, changes, onStep),
      count: ids.length,
      said: saidOfChange,
    });
  }

  addMemo(ids: readonly string[], message: string): void {
    this.#do({
      work: (access, onStep) => requests.addMemo(access, ids, message, onStep),
      count: ids.length,
      said: saidOfChange,
    });
  }

  addCustom(ids: readonly string[], pair: Pair): void {
    this.#do({
      work: (access, onStep) => requests.addCustom(access, ids, pair, onStep),
      count: ids.length,
      said: saidOfChange,
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

  /** Makes the browser save images as a ZIP. */
  download(of: ArchiveOf): void {
    this.#run(async () => {
      this.#works.save(await requests.archive(this.library.access, of));
    });
  }

  /** Renames a folder, or makes one. @returns its id. @throws Problem. */
  async name(of: Named, title: string): Promise<string> {
    const { access } = this.library;
    const { id } =
      'folder' in of
        ? await requests.rename(access, of.folder.id, title)
        : await requests.createFolder(access, of.parent, title);
    this.library.refresh({ keep: true });
    return id;
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

  #do(doing: Doing): void {
    this.#run(() => this.#apply(doing));
  }

  /** Applies an action to several things, says so, and offers to take it back. */
  async #apply({ work, count, said, after }: Doing, undone = false): Promise<void> {
    // What is taken back begins without a selection: one made meanwhile is for the next action.
    const keep = !this.library.isSelecting;
    const { access } = this.library;
    const outcome = await this.#works.of(count, (onStep) => work(access, onStep));
    const { done, failed, problem, back } = outcome;
    if (done > 0) after?.(undone);
    this.library.refresh({ keep });
    const saidOfUndo = (of: number): string => t('library.undone', { count: of });
    const undo =
      !undone &&
      back &&
      (() => this.#apply({ work: back, count: done, said: saidOfUndo, after }, true));
    if (done > 0) toast(said(done), undo ? this.#undoable(undo) : undefined);
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
