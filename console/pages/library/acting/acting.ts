import { signal } from '@preact/signals';
import { toast } from '../../../components/Toast';
import { t } from '../../../core/i18n';
import type { Access } from '../access';
import * as requests from '../actions';
import type { Outcome } from '../actions';
import { saveArchive } from '../archive';
import type { Folder, Item } from '../listing';

/** What the reader is asked for. */
export type Asking =
  | { readonly what: 'place'; readonly items: readonly Item[] }
  | { readonly what: 'name'; readonly folder: Folder }
  | { readonly what: 'name'; readonly parent: string };

/** An action that can be taken back. */
interface Deed {
  readonly undo: () => Promise<Outcome>;
}

/** Deeds that Ctrl+Z reaches. */
const remembered = 20;

/** The library that is acted on. */
interface Target {
  readonly access: Access;
  /** Reads again what is visible. */
  refresh(what: { readonly folders: boolean }): void;
}

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

  move(items: readonly Item[], to: string): void {
    const { access } = this.library;
    this.#do(
      () => requests.move(access, items, to),
      (count) => t('library.moved', { count }),
      (done) => requests.moveBack(access, done),
    );
  }

  trash(items: readonly Item[]): void {
    const { access } = this.library;
    this.#do(
      () => requests.trash(access, items),
      (count) => t('library.trashed', { count }),
      (done) => requests.trash(access, done, false),
    );
  }

  restore(items: readonly Item[]): void {
    const { access } = this.library;
    this.#do(
      () => requests.trash(access, items, false),
      (count) => t('library.restored', { count }),
      (done) => requests.trash(access, done),
    );
  }

  download(items: readonly Item[]): void {
    this.#run(async () => {
      await saveArchive(this.library.access, items);
      toast(t('library.downloaded'));
    });
  }

  choosePlace(items: readonly Item[]): void {
    this.asking.value = { what: 'place', items };
  }

  askName(of: { readonly folder: Folder } | { readonly parent: string }): void {
    this.asking.value = { what: 'name', ...of };
  }

  /** Renames a folder, or makes one. @throws Problem. */
  async name(
    of: { readonly folder: Folder } | { readonly parent: string },
    title: string,
  ): Promise<void> {
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
  #do(
    work: () => Promise<Outcome>,
    said: (done: number) => string,
    back: (done: readonly Item[]) => Promise<Outcome>,
  ): void {
    this.#run(async () => {
      const { done, problems } = await work();
      this.library.refresh({ folders: true });
      if (done.length > 0) {
        const deed = { undo: () => back(done) };
        this.#deeds = [...this.#deeds, deed].slice(-remembered);
        const undo = { label: t('action.undo'), act: () => this.#undo(deed) };
        toast(said(done.length), undo);
      }
      if (problems.length > 0) throw problems[0];
    });
  }

  #undo(deed: Deed): void {
    if (!this.#deeds.includes(deed)) return;
    this.#deeds = this.#deeds.filter((each) => each !== deed);
    this.#run(async () => {
      const { done, problems } = await deed.undo();
      this.library.refresh({ folders: true });
      if (done.length > 0) toast(t('library.undone', { count: done.length }));
      if (problems.length > 0) throw problems[0];
    });
  }

  #run(work: () => Promise<void>): void {
    this.problem.value = undefined;
    this.#running.value += 1;
    void work()
      .catch((problem: unknown) => (this.problem.value = problem))
      .finally(() => (this.#running.value -= 1));
  }
}
