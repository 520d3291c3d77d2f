import { signal } from '@preact/signals';
import { ImgstoreError, UnansweredError } from '../../../../clients/typescript/src/index.js';
import { newKey } from '../../../core/new-key';
import { Problem } from '../../../core/problem';
import { onReturn, unanswered } from '../../../core/reach';
import { session } from '../../../core/session';
import { keepWork } from '../../../core/unsent';
import type { Access } from '../access';
import type { FolderTree } from '../tree/tree';
import { root } from '../tree/tree';
import type { Dropped } from './dropped';
import { Folders } from './folders';
import { watchSending } from './sending';
import type { Sending } from './sending';

/** Files sent at once. */
const lanes = 3;

export interface Upload extends Dropped {
  /** The same for each attempt, so that the file is stored once. */
  readonly key: string;
  readonly into: string;
  /** How often sending was started. */
  attempts: number;
  /** Bytes that the last attempt has sent. */
  sentBytes: number;
  problem?: unknown;
  /** It was answered 401 in this session. */
  refused?: boolean;
}

/** What one session needs to send files. */
interface Sender {
  readonly access: Access;
  readonly folders: Folders;
}

const known = new Map<string, Uploads>();

/** The uploads to a user. Uploads that an earlier session left are resumed. */
export function uploadsTo(access: Access, tree: FolderTree): Uploads {
  const uploads = known.get(access.userId) ?? new Uploads();
  known.set(access.userId, uploads);
  uploads.resume({ access, folders: new Folders(access, tree) });
  return uploads;
}

/**
 * Uploads to one user. They continue while the reader is on other pages, and wait while nobody is
 * signed in.
 */
export class Uploads {
  /** Changes with any state of this object, except for attempts and sent bytes. */
  readonly version = signal(0);
  /** Changes with attempts and sent bytes. */
  readonly progress = signal(0);
  readonly sending = new Set<Upload>();
  failed: Upload[] = [];
  done = 0;
  /** Files stored since the console was opened, including dismissed ones. */
  stored = 0;
  #doneBytes = 0;
  readonly #waiting: Upload[] = [];
  #sender: Sender | undefined;
  #stop = new AbortController();

  constructor() {
    onReturn(() => this.retry());
    session.subscribe((current) => current ?? this.#hold());
    keepWork({
      left: () => this.#unfinished.map(({ file }) => file.name),
      drop: () => {
        this.cancel();
        this.dismiss();
      },
    });
  }

  /** Files that are neither stored nor refused. */
  get left(): number {
    return this.#waiting.length + this.sending.size;
  }

  get total(): number {
    return this.left + this.done + this.failed.length;
  }

  /** Files that are not stored yet and may still be. */
  get #unfinished(): Upload[] {
    const again = this.failed.filter(({ problem }) => isPassing(problem));
    return [...this.sending, ...this.#waiting, ...again];
  }

  /** Bytes of stored files, and those sent of files in progress. */
  get sentBytes(): number {
    return [...this.sending].reduce((sum, { sentBytes }) => sum + sentBytes, this.#doneBytes);
  }

  /** Bytes of all files that have not failed. */
  get totalBytes(): number {
    const left = [...this.sending, ...this.#waiting];
    return left.reduce((sum, { file }) => sum + file.size, this.#doneBytes);
  }

  /** Whether a retry may help any file that failed. */
  get canRetry(): boolean {
    return this.failed.some(({ problem }) => isPassing(problem));
  }

  add(files: readonly Dropped[], into: string): void {
    if (this.left === 0 && this.failed.length === 0) this.dismiss();
    for (const one of files) {
      this.#waiting.push({ ...one, into, key: newKey(), attempts: 0, sentBytes: 0 });
    }
    this.#start();
  }

  resume(sender: Sender): void {
    this.#sender = sender;
    this.retry();
  }

  /** Retries files that were not answered, or that failed for a temporary reason. */
  retry(): void {
    const again = this.failed.filter(({ problem }) => isPassing(problem));
    this.failed = this.failed.filter((upload) => !again.includes(upload));
    this.#waiting.push(...again);
    this.#start();
  }

  cancel(): void {
    this.#waiting.length = 0;
    this.#interrupt();
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
      await this.#store(upload, sender, until);
      this.done += 1;
      this.stored += 1;
      this.#doneBytes += upload.file.size;
    } catch (cause) {
      const problem = await whyNot(cause, upload, sender);
      if (until.aborted) return;
      upload.problem = problem;
      if (problem === undefined) this.#waiting.unshift(upload);
      else this.failed.push(upload);
    }
    this.sending.delete(upload);
    this.#start();
  }

  async #store(upload: Upload, { access, folders }: Sender, until: AbortSignal): Promise<void> {
    const { file, key } = upload;
    if (!mayBeImage(file)) throw new Problem('unsupported_image', file.name, 400);
    const folder = await folders.at(upload.into, upload.path);
    const client = await access.client();
    watchSending(client, this.#watch(upload));
    const fields = folder === root ? {} : { folder_id: folder };
    // Browsers hash only on secure pages; elsewhere the server recognizes repeats by the key.
    const how = { key, fields, signal: until, ...(!isSecureContext && { hash: null }) };
    await client.upload(access.userId, file, how);
  }

  #watch(upload: Upload): Sending {
    const report = (sentBytes: number): void => {
      upload.sentBytes = sentBytes;
      this.progress.value += 1;
    };
    return {
      onAttempt: () => {
        upload.attempts += 1;
        report(0);
      },
      onSent: (share) => report(share * upload.file.size),
    };
  }

  #notify(): void {
    this.version.value += 1;
  }
}

/** Avoids sending files that are certainly not images; browsers know no type for some formats. */
const mayBeImage = ({ type }: File): boolean => type === '' || type.startsWith('image/');

const isPassing = (problem: unknown): boolean => !(problem instanceof Problem) || problem.passes;

function problemIn(cause: unknown): unknown {
  if (cause instanceof UnansweredError) return unanswered();
  if (!(cause instanceof ImgstoreError)) return cause;
  return new Problem(cause.code, cause.message, cause.status, cause.field);
}

/**
 * Why a file is not stored; undefined if it can be sent again with another token. To find out, makes
 * another request: with a refused token, it ends the session or has a new token issued.
 */
async function whyNot(cause: unknown, upload: Upload, { access }: Sender): Promise<unknown> {
  const problem = problemIn(cause);
  const isRefusal = problem instanceof Problem && problem.status === 401;
  if (!isRefusal || upload.refused) return problem;
  upload.refused = true;
  const params = { path: { user_id: access.userId } };
  return access
    .call((client) => client.GET('/api/v1/users/{user_id}', { params }))
    .then(() => undefined)
    .catch((refused: unknown) => refused);
}
