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
  /** The same in each repeat: the file is stored once. */
  readonly key: string;
  readonly into: string;
  /** How often it was begun to send. */
  attempts: number;
  /** Bytes of it that are on their way, of the last attempt. */
  sentBytes: number;
  problem?: unknown;
  /** It was answered 401 in this session. */
  refused?: boolean;
}

/** What files are sent with, in one session. */
interface Sender {
  readonly access: Access;
  readonly folders: Folders;
}

const known = new Map<string, Uploads>();

/** The uploads to a user. What another session has left goes on. */
export function uploadsTo(access: Access, tree: FolderTree): Uploads {
  const uploads = known.get(access.userId) ?? new Uploads();
  known.set(access.userId, uploads);
  uploads.goOn({ access, folders: new Folders(access, tree) });
  return uploads;
}

/**
 * Files on their way to one user. They go on while the reader looks at other pages, and wait while
 * nobody is signed in.
 */
export class Uploads {
  /** Changes with anything that is told here, except for attempts and bytes that were sent. */
  readonly version = signal(0);
  /** Changes with these. */
  readonly progress = signal(0);
  readonly sending = new Set<Upload>();
  failed: Upload[] = [];
  done = 0;
  /** Files stored since the console was opened, told or forgotten. */
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

  /** Files that are not stored, though they may be. */
  get #unfinished(): Upload[] {
    const again = this.failed.filter(({ problem }) => isPassing(problem));
    return [...this.sending, ...this.#waiting, ...again];
  }

  /** Of files that are stored, and of those on their way. */
  get sentBytes(): number {
    return [...this.sending].reduce((sum, { sentBytes }) => sum + sentBytes, this.#doneBytes);
  }

  /** Of all files that have not failed. */
  get totalBytes(): number {
    const left = [...this.sending, ...this.#waiting];
    return left.reduce((sum, { file }) => sum + file.size, this.#doneBytes);
  }

  /** Whether any that failed may do better now. */
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

  goOn(sender: Sender): void {
    this.#sender = sender;
    this.retry();
  }

  /** Sends again what was not answered, and what failed for a reason that may have passed. */
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

  /** The session is over: what is not stored waits for another one. */
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
    this.#tell();
  }

  /** Forgets what has become of files. */
  dismiss(): void {
    this.failed = [];
    this.done = 0;
    this.#doneBytes = 0;
    this.#tell();
  }

  #start(): void {
    while (this.#sender && this.sending.size < lanes) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.sending.add(next);
      void this.#send(next, this.#sender, this.#stop.signal);
    }
    this.#tell();
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
    // Browsers hash on secure pages alone; elsewhere the server tells repeats by the key.
    const how = { key, fields, signal: until, ...(!isSecureContext && { hash: null }) };
    await client.upload(access.userId, file, how);
  }

  #watch(upload: Upload): Sending {
    const told = (sentBytes: number): void => {
      upload.sentBytes = sentBytes;
      this.progress.value += 1;
    };
    return {
      onAttempt: () => {
        upload.attempts += 1;
        told(0);
      },
      onSent: (share) => told(share * upload.file.size),
    };
  }

  #tell(): void {
    this.version.value += 1;
  }
}

/** What is surely none is not sent for nothing; some kinds of images have no type in browsers. */
const mayBeImage = ({ type }: File): boolean => type === '' || type.startsWith('image/');

const isPassing = (problem: unknown): boolean => !(problem instanceof Problem) || problem.passes;

function problemIn(cause: unknown): unknown {
  if (cause instanceof UnansweredError) return unanswered();
  if (!(cause instanceof ImgstoreError)) return cause;
  return new Problem(cause.code, cause.message, cause.status, cause.field);
}

/**
 * Why a file is not stored; undefined if it can be sent again, with another token. Any request with a
 * token that is refused finds out: it ends the session, or has another token issued.
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
