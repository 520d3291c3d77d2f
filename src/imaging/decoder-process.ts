import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { guarded } from '../base/guarded.js';
import { bundleFile } from '../base/installed-files.js';
import { lowerPriorityOf, signalChild } from '../base/os/run.js';
import type { Logger } from '../base/telemetry/logger.js';
import { infoFd, type Sandbox } from './sandbox.js';
import type {
  ImagingJob,
  DecodeOutcome,
  ProcessMessage,
  ProcessSettings,
  ServiceMessage,
} from './protocol.js';
import { secondMs } from '../base/units.js';

export const imagingProgram = bundleFile('imaging-process');

/** A process that has not sent `ready` within this time is considered hung. */
const bootLimitMs = 20 * secondMs;
/**
 * Images after which a process is replaced, so that one that was taken over decodes only so many of
 * other users. Starting one takes as long as decoding three photographs.
 */
const maxPictures = 250;
/** One for decoding, and two for file access. */
const poolThreads = 3;

export interface LaunchOptions {
  readonly settings: ProcessSettings;
  readonly sandbox: Sandbox;
  readonly logger: Logger;
}

/**
 * The only environment variables that the process needs; keeps the service's secrets out of reach
 * of hostile images.
 */
function environment(): NodeJS.ProcessEnv {
  const { PATH, LANG, LD_LIBRARY_PATH } = process.env;
  return {
    PATH,
    LANG,
    LD_LIBRARY_PATH,
    UV_THREADPOOL_SIZE: String(poolThreads),
    // Without it glibc keeps a heap per thread, and freed image memory stays allocated in all of
    // them.
    MALLOC_ARENA_MAX: '2',
    // libvips must not move large images to files.
    VIPS_DISC_THRESHOLD: '1000g',
  };
}

/** Starts `program` like an imaging process that can read the files in `folder`. */
export function launch(
  program: string,
  folder: string,
  { settings, sandbox }: Pick<LaunchOptions, 'settings' | 'sandbox'>,
): ChildProcess {
  const { wrapped, ...how } = sandbox.launch(folder);
  return fork(program, [JSON.stringify(settings)], {
    serialization: 'advanced',
    // Ctrl-C in a terminal reaches the group of the service, which decides when this process ends.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...(wrapped ? (['pipe'] as const) : [])],
    // `cwd` is entered without needing access to its parent folders, which are closed to it.
    env: environment(),
    ...how,
  });
}

/** Makes a folder for the files of one process. */
export function makeFolderOf({ folders }: Sandbox): string {
  const folder = join(folders, randomUUID());
  mkdirSync(folder, { mode: 0o711 });
  chmodSync(folder, 0o711); // whatever the umask
  return folder;
}

/** Ids of a launched process. */
interface ProcessIds {
  readonly pid: number;
  /** The process whose end ends it with all that it may have started. */
  readonly root: number;
}

/** @returns undefined if it has not started, or has ended already. */
export async function idsOf(child: ChildProcess): Promise<ProcessIds | undefined> {
  const info = child.stdio[infoFd] as Readable | null | undefined;
  if (!info) return child.pid === undefined ? undefined : { pid: child.pid, root: child.pid };
  let text = '';
  for await (const chunk of info.setEncoding('utf8')) text += String(chunk);
  const root = Number(/"child-pid": (\d+)/.exec(text)?.[1]);
  // bubblewrap's first process in the namespace starts ours a moment later.
  for (;;) {
    const started = await readFile(`/proc/${root}/task/${root}/children`, 'latin1').catch(
      () => '-',
    );
    if (started === '-') return undefined;
    if (started !== '') return { root, pid: Number.parseInt(started) };
    await delay(1);
  }
}

/** Takes bytes of a whole picture; the next ones come when it has. */
export type KeepPiece = (piece: Uint8Array) => Promise<void>;

/** A process that decodes one image at a time. */
export class DecoderProcess {
  /** Rejects if the process ends first. */
  readonly ready: Promise<void>;
  /** Resolves with the reason when the process has ended. */
  readonly gone: Promise<string>;
  #alive = true;
  #killed = false;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #sandbox: Sandbox;
  #ids: ProcessIds | undefined;
  #pictures = 0;
  #removed: Promise<unknown> = Promise.resolve();
  #settleReady!: () => void;
  #settleGone!: (reason: string) => void;
  #answer: ((outcome: DecodeOutcome) => void) | undefined;
  #keep: KeepPiece | undefined;

  constructor(options: LaunchOptions) {
    this.#sandbox = options.sandbox;
    this.#folder = makeFolderOf(options.sandbox);
    const child = launch(imagingProgram, this.#folder, options);
    this.#child = child;
    this.gone = new Promise((resolve) => (this.#settleGone = resolve));
    const fail = (error: unknown): void => {
      options.logger.error('imaging process', { error });
      this.kill();
    };
    const kill = guarded(fail, () => this.kill());
    const boot = setTimeout(kill, bootLimitMs);
    const said = new Promise<void>((resolve) => (this.#settleReady = resolve));
    const found = idsOf(child).then((ids) => this.#onStart(ids), fail);
    this.ready = new Promise((resolve, reject) => {
      void Promise.all([said, found]).then(() => resolve());
      void this.gone.then((reason) => reject(new Error(reason)));
    });
    this.ready.catch(() => undefined).finally(() => clearTimeout(boot));
    const onMessage = guarded(fail, (message: ProcessMessage) => this.#onMessage(message));
    const onExit = guarded(fail, (code: number | null, signal: string | null) =>
      this.#onExit(signal ?? `exit code ${code}`),
    );
    const onError = guarded(fail, (error: Error) => this.#onExit(error.message));
    child.on('message', onMessage);
    child.once('exit', onExit);
    child.once('error', onError);
    // A channel can break while the process lives; without it the process is useless.
    child.once('disconnect', kill);
    if (child.stderr) {
      const onLine = guarded(fail, (queue: string) =>
        options.logger.warn('imaging process', { stderr: queue.slice(0, 500) }),
      );
      createInterface(child.stderr).on('line', onLine);
    }
  }

  /** Undefined before it is ready. */
  get pid(): number | undefined {
    return this.#ids?.pid;
  }

  /** Whether it has decoded as many images as one process may. */
  get worn(): boolean {
    return this.#pictures >= maxPictures;
  }

  /** Resolves when nothing is left of it in `incoming`; only after `gone`. */
  get removed(): Promise<unknown> {
    return this.#removed;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Whether it was killed on purpose. */
  get killed(): boolean {
    return this.#killed;
  }

  /**
   * Decodes the image at `path`, which is in its folder only meanwhile. Must not be called
   * concurrently. @param keep takes the bytes of a whole picture, if that is wanted. @returns `lost`
   * if the process ends in the meantime or is about to.
   */
  async run(path: string, job: Omit<ImagingJob, 'path'>, keep?: KeepPiece): Promise<DecodeOutcome> {
    const name = String(++this.#pictures);
    const target = join(this.#folder, name);
    try {
      await this.#sandbox.lend(path, target);
    } catch (error) {
      return { kind: 'failed', reason: String(error) };
    }
    this.#keep = keep;
    const outcome = await this.#ask({ ...job, path: name });
    // Its end removes the folder.
    if (!this.#alive) return outcome;
    // The next image may be another user's.
    await this.#sandbox.takeBack(target).catch(() => this.kill());
    return outcome;
  }

  kill(): void {
    this.#alive = false;
    this.#killed = true;
    this.#end();
    // Without waiting for its exit: a process blocked on a broken disk cannot exit.
    this.#answer?.({ kind: 'lost', reason: 'killed' });
  }

  #ask(job: ImagingJob): Promise<DecodeOutcome> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      void this.gone.then((reason) => resolve({ kind: 'lost', reason }));
      // A failed send means that the process is dying; its exit settles the job.
      this.#send({ kind: 'job', job });
    });
  }

  #send(message: ServiceMessage): void {
    this.#child.send(message, () => undefined);
  }

  async #onPiece(data: Uint8Array): Promise<void> {
    try {
      if (!this.#keep) throw new Error('bytes that nobody asked for');
      await this.#keep(data);
      if (this.#alive) this.#send({ kind: 'taken' });
    } catch (error) {
      this.#answer?.({ kind: 'failed', reason: String(error) });
      this.kill(); // it waits for the piece to be taken
    }
  }

  /** bubblewrap ends with what it has started, and cannot start more if it ends before. */
  #end(): void {
    const { exitCode, signalCode, pid } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    try {
      if (this.#ids && this.#ids.root !== pid) process.kill(this.#ids.root, 'SIGKILL');
      else signalChild(this.#child, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }

  #onStart(ids: ProcessIds | undefined): void {
    this.#ids = ids;
    if (ids === undefined || !this.#alive) return this.#end();
    lowerPriorityOf(ids.pid);
    try {
      // If memory runs out, the kernel should kill it rather than the service or the database.
      writeFileSync(`/proc/${ids.pid}/oom_score_adj`, '500');
    } catch {
      // Not Linux, no /proc, or it has ended: the kernel chooses without this hint.
    }
  }

  async #onMessage(message: ProcessMessage): Promise<void> {
    if (message.kind === 'ready') this.#settleReady();
    else if (message.kind === 'piece') await this.#onPiece(message.data);
    else this.#answer?.(message.outcome);
  }

  #onExit(reason: string): void {
    this.#alive = false;
    // Not before `gone`: the disk may be what it hung on.
    this.#removed = rm(this.#folder, { recursive: true, force: true }).catch(() => undefined);
    this.#settleGone(reason);
  }
}
