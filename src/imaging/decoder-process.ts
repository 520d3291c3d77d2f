import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { guarded } from '../guarded.js';
import { bundleFile } from '../installed-files.js';
import type { Logger } from '../telemetry/logger.js';
import type { Sandbox } from './sandbox.js';
import type { ImagingJob, DecodeOutcome, ProcessMessage, ProcessSettings } from './protocol.js';
import { secondMs } from '../units.js';

export const imagingProgram = bundleFile('imaging-process');

/** A process that has not sent `ready` within this time is considered hung. */
const bootLimitMs = 20 * secondMs;
/** One for decoding, and two for file access. */
const poolThreads = 3;

export interface LaunchOptions {
  readonly settings: ProcessSettings;
  /** Folder of the images. */
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly logger: Logger;
}

/**
 * The only environment variables that the process needs; keeps the service's secrets out of reach
 * of hostile images.
 */
function environment(): NodeJS.ProcessEnv {
  const { PATH, LANG, TMPDIR, LD_LIBRARY_PATH } = process.env;
  return {
    ...{ PATH, LANG, TMPDIR, LD_LIBRARY_PATH },
    UV_THREADPOOL_SIZE: String(poolThreads),
    // Without it glibc keeps a heap per thread, and freed image memory stays allocated in all of
    // them.
    MALLOC_ARENA_MAX: '2',
  };
}

/** Starts `program` like an imaging process. */
export const launch = (program: string, options: LaunchOptions): ChildProcess =>
  fork(program, [JSON.stringify(options.settings)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Entered without needing access to its parent folders, which may be closed to the process.
    cwd: options.folder,
    env: environment(),
    ...options.sandbox.options(),
  });

/** A process that decodes one image at a time. */
export class DecoderProcess {
  /** Rejects if the process ends first. */
  readonly ready: Promise<void>;
  /** Resolves with the reason when the process has ended. */
  readonly gone: Promise<string>;
  #alive = true;
  #killed = false;
  readonly #child: ChildProcess;
  #settleReady!: () => void;
  #settleGone!: (reason: string) => void;
  #answer: ((outcome: DecodeOutcome) => void) | undefined;

  constructor(options: LaunchOptions) {
    const child = launch(imagingProgram, options);
    this.#child = child;
    this.gone = new Promise((resolve) => (this.#settleGone = resolve));
    const fail = (error: unknown): void => {
      options.logger.error('imaging process', { error });
      this.kill();
    };
    const kill = guarded(fail, () => this.kill());
    const boot = setTimeout(kill, bootLimitMs);
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = resolve;
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

  /** Undefined if it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Whether it was killed on purpose. */
  get killed(): boolean {
    return this.#killed;
  }

  /**
   * Must not be called concurrently. @returns `lost` if the process ends in the meantime or is
   * about to.
   */
  run(job: ImagingJob): Promise<DecodeOutcome> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      void this.gone.then((reason) => resolve({ kind: 'lost', reason }));
      // A failed send means that the process is dying; its exit settles the job.
      this.#child.send(job, () => undefined);
    });
  }

  kill(): void {
    this.#alive = false;
    this.#killed = true;
    this.#child.kill('SIGKILL');
    // Without waiting for its exit: a process blocked on a broken disk cannot exit.
    this.#answer?.({ kind: 'lost', reason: 'killed' });
  }

  #onMessage(message: ProcessMessage): void {
    if (message.kind === 'ready') this.#settleReady();
    else this.#answer?.(message.outcome);
  }

  #onExit(reason: string): void {
    this.#alive = false;
    this.#settleGone(reason);
  }
}
