import { signal } from '@preact/signals';
import { mayPass, Problem } from '../../../core/problem';
import { onReturn } from '../../../core/reach';
import { session } from '../../../core/session';
import { keepWork } from '../../../core/unsent';
import { newUpload } from './dropped';
import type { Details, Dropped, Upload } from './dropped';
import type { Leftovers } from './leftovers';
import { firstGroup, presenceOf } from './presence';
import { giveUp, mayBeImage, store } from './store';
import type { Sender, Watch } from './store';

/** Files sent at once. */
const lanes = 3;

/**
 * Uploads to one user. They continue while the reader is on other pages, and wait while nobody is
 * signed in.
 */
export class Uploads {
  /** Changes with any state of this object, except for attempts and sent bytes. */
  readonly version = signal(0);
  /** Changes with attempts and sent bytes. */
  readonly progress = signal(0);
  /** What is put on all files that are added from now on. */
  readonly details = signal<Details | undefined>(undefined);
  readonly sending = new Set<Upload>();
  /** Looked up before they are sent. */
  checking: Upload[] = [];
  /** Files that are there already, and where, until the reader says what to do with them. */
  present = new Map<Upload, 'library' | 'trash'>();
  failed: Upload[] = [];
  done = 0;
  /** Files that the reader has given up. */
  stopped = 0;
  /** Files stored since the console was opened, including dismissed ones. */
  stored = 0;
  #doneBytes = 0;
  readonly #waiting: Upload[] = [];
  #sender: Sender | undefined;
  #stop = new AbortController();
  #isChecking = false;

  constructor(
    /** Those of tabs that were closed. */
    readonly leftovers: Leftovers,
  ) {
    onReturn(() => this.retry());
    session.subscribe((current) => current ?? this.#hold());
    keepWork({
      left: () => this.#unfinished.map(({ key, file }) => ({ key, name: file.name })),
      drop: () => {
        this.stop();
        this.present.clear();
        this.details.value = undefined;
        this.dismiss();
      },
    });
    leftovers.onReload(() => this.goOn());
  }

  /** Files that are neither stored nor refused. */
  get left(): number {
    return this.checking.length + this.#waiting.length + this.sending.size;
  }

  get total(): number {
    return this.left + this.done + this.failed.length + this.stopped;
  }

  /** Files that are not stored yet and may still be. */
  get #unfinished(): Upload[] {
    const again = this.failed.filter(({ problem }) => mayPass(problem));
    return [...this.sending, ...this.#waiting, ...this.checking, ...again];
  }

  /** Bytes of stored files, and those sent of files in progress. */
  get sentBytes(): number {
    return [...this.sending].reduce((sum, { sentBytes }) => sum + sentBytes, this.#doneBytes);
  }

  /** Bytes of all files that have not failed. */
  get totalBytes(): number {
    const left = [...this.sending, ...this.#waiting, ...this.checking];
    return left.reduce((sum, { file }) => sum + file.size, this.#doneBytes);
  }

  /** From 0 to 1; undefined when nothing is on its way. */
  get share(): number | undefined {
    void this.progress.value;
    return this.left > 0 ? this.sentBytes / Math.max(1, this.totalBytes) : undefined;
  }

  /** Whether a retry may help any file that failed. */
  get canRetry(): boolean {
    return this.failed.some(({ problem }) => mayPass(problem));
  }

  add(files: readonly Dropped[], into: string): void {
    const details = this.details.value;
    const uploads = files.map((one) => newUpload({ ...one, details }, into));
    this.#begin();
    this.#enter(uploads.filter(({ file }) => !isWorthAsking(file)));
    this.checking.push(...uploads.filter(({ file }) => isWorthAsking(file)));
    if (!this.#isChecking) void this.#check();
  }

  /** Asks which files are there already, and sends the others. */
  async #check(): Promise<void> {
    this.#isChecking = true;
    this.#notify();
    while (this.checking.length > 0) {
      const group = firstGroup(this.checking);
      const access = this.#sender?.access;
      // Whatever fails is found again, and said, when the files are sent.
      const found = access && (await presenceOf(group, access).catch(() => undefined));
      this.checking = this.checking.filter((upload) => !group.includes(upload));
      const wanted = group.filter((upload) => !upload.isOver);
      for (const upload of wanted) {
        const where = found?.get(upload);
        if (where) this.present.set(upload, where);
      }
      this.#enter(wanted.filter((upload) => !this.present.has(upload)));
    }
    this.#isChecking = false;
  }

  /** Sends the files that are there already, too. */
  sendPresent(): void {
    const again = [...this.present.keys()];
    this.present.clear();
    this.#begin();
    this.#enter(again);
  }

  skipPresent(): void {
    this.present.clear();
    this.#notify();
  }

  /** Goes on with what an earlier tab has left. */
  goOn(): void {
    this.#begin();
    this.#enter(this.leftovers.take());
  }

  /** More files: results of earlier ones, if all have arrived, are of no interest any more. */
  #begin(): void {
    if (this.left === 0 && this.failed.length === 0) this.dismiss();
  }

  #enter(uploads: readonly Upload[]): void {
    this.#waiting.push(...uploads);
    void this.#keep(uploads);
    this.#start();
  }

  /** Gives up what an earlier tab has left. */
  dropLeftovers(): void {
    for (const upload of this.leftovers.take()) void this.#giveUp(upload);
  }

  /** So that they are not lost with the tab. */
  async #keep(uploads: readonly Upload[]): Promise<void> {
    for (const upload of uploads) if (!upload.isOver) await this.leftovers.keep(upload);
  }

  resume(sender: Sender): void {
    this.#sender = sender;
    this.retry();
  }

  /** Retries files that were not answered, or that failed for a temporary reason. */
  retry(): void {
    const again = this.failed.filter(({ problem }) => mayPass(problem));
    this.failed = this.failed.filter((upload) => !again.includes(upload));
    this.#waiting.push(...again);
    this.#start();
  }

  /** Gives up what is not stored: also what may be tried again. */
  stop(): void {
    const given = this.#unfinished;
    this.#waiting.length = 0;
    this.checking = [];
    this.failed = this.failed.filter((upload) => !given.includes(upload));
    this.stopped += given.length;
    this.#interrupt();
    for (const upload of given) void this.#giveUp(upload);
  }

  /** What had arrived by then counts as stored. */
  async #giveUp(upload: Upload): Promise<void> {
    this.#forget(upload);
    // Without a connection, the server ends it in its time.
    const isStored = this.#sender && (await giveUp(upload, this.#sender).catch(() => false));
    if (!isStored) return;
    if (this.stopped > 0) this.stopped -= 1;
    this.#count(upload);
    this.#notify();
  }

  #count({ file }: Upload): void {
    this.done += 1;
    this.stored += 1;
    this.#doneBytes += file.size;
  }

  #forget(upload: Upload): void {
    upload.isOver = true;
    this.leftovers.forget(upload.key);
  }

  /** The session has ended: files that are not stored wait for another one. */
  #hold(): void {
    for (const upload of this.sending) upload.refused = false;
    this.#waiting.unshift(...this.sending);
    this.#sender = undefined;
    this.#interrupt();
  }

  #interrupt(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.sending.clear();
    this.#notify();
  }

  /** Clears the results. */
  dismiss(): void {
    this.failed = [];
    this.done = 0;
    this.stopped = 0;
    this.#doneBytes = 0;
    this.#notify();
  }

  #start(): void {
    while (this.#sender && this.sending.size < lanes) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.sending.add(next);
      void this.#send(next, this.#sender, this.#stop.signal);
    }
    this.#notify();
  }

  async #send(upload: Upload, sender: Sender, until: AbortSignal): Promise<void> {
    try {
      await this.leftovers.adopt(upload);
      await store(upload, sender, this.#watch(upload), until);
      this.#forget(upload);
      this.#count(upload);
    } catch (cause) {
      const problem = await whyNot(cause, upload, sender);
      if (until.aborted) return;
      upload.problem = problem;
      if (problem === undefined) this.#waiting.unshift(upload);
      else this.failed.push(upload);
      if (problem !== undefined && !mayPass(problem)) this.#forget(upload);
    }
    this.sending.delete(upload);
    this.#start();
  }

  #watch(upload: Upload): Watch {
    const report = (sentBytes: number): void => {
      upload.sentBytes = sentBytes;
      this.progress.value += 1;
    };
    return {
      onAttempt: () => {
        upload.attempts += 1;
        report(0);
      },
      onSent: report,
    };
  }

  #notify(): void {
    this.version.value += 1;
  }
}

/** Browsers hash only on secure pages. */
const isWorthAsking = (file: File): boolean => isSecureContext && mayBeImage(file);

/**
 * Why a file is not stored; undefined if it can be sent again with another token. To find out, makes
 * another request: with a refused token, it ends the session or has a new token issued.
 */
async function whyNot(problem: unknown, upload: Upload, { access }: Sender): Promise<unknown> {
  const isRefusal = problem instanceof Problem && problem.status === 401;
  if (!isRefusal || upload.refused) return problem;
  upload.refused = true;
  const params = { path: { user_id: access.userId } };
  return access
    .call((client) => client.GET('/api/v1/users/{user_id}', { params }))
    .then(() => undefined)
    .catch((refused: unknown) => refused);
}
