import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { guarded } from '../guard.js';
import type { Logger } from '../telemetry/logger.js';
import type { Confinement } from './confinement.js';
import type { Job, Outcome, ProcessMessage, ProcessSettings } from './protocol.js';
import { secondMs } from '../units.js';

export const imagingProgram = fileURLToPath(
  new URL('../../workers/imaging-process.js', import.meta.url),
);

/** A process that has not said `ready` by then hangs. */
const bootLimitMs = 20 * secondMs;
/** One that decodes, and two for file access. */
const poolThreads = 3;

export interface LaunchOptions {
  readonly settings: ProcessSettings;
  /** Folder of the pictures. */
  readonly folder: string;
  readonly confinement: Confinement;
  readonly logger: Logger;
}

/** The variables that the process needs; secrets of the service stay out of reach of hostile pictures. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, LANG, TMPDIR, LD_LIBRARY_PATH } = process.env;
  return {
    ...{ PATH, LANG, TMPDIR, LD_LIBRARY_PATH },
    UV_THREADPOOL_SIZE: String(poolThreads),
    // Without it glibc keeps a heap per thread, and freed picture memory stays in all of them.
    MALLOC_ARENA_MAX: '2',
  };
}

/** Starts `program` as imaging processes are started. */
export const launch = (program: string, options: LaunchOptions): ChildProcess =>
  fork(program, [JSON.stringify(options.settings)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Reached without a look at the folders above it, which may be closed to the process.
    cwd: options.folder,
    env: environment(),
    ...options.confinement.options(),
  });

/** One process that decodes one picture at a time. */
export class DecoderProcess {
  /** Rejects when the process ends instead. */
  readonly ready: Promise<void>;
  /** Settled when the process has ended, by the reason. */
  readonly gone: Promise<string>;
  #alive = true;
  #killed = false;
  readonly #child: ChildProcess;
  #settleReady!: () => void;
  #settleGone!: (reason: string) => void;
  #answer: ((outcome: Outcome) => void) | undefined;

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
    // A channel can break without the end of the process: without it the process is of no use.
    child.once('disconnect', kill);
    if (child.stderr) {
      const onLine = guarded(fail, (line: string) =>
        options.logger.warn('imaging process', { stderr: line.slice(0, 500) }),
      );
      createInterface(child.stderr).on('line', onLine);
    }
  }

  /** Undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Whether it was ended on purpose. */
  get killed(): boolean {
    return this.#killed;
  }

  /** To be called one at a time. @returns `lost` when the process ends meanwhile, or is to end. */
  run(job: Job): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      void this.gone.then((reason) => resolve({ kind: 'lost', reason }));
      // Failing to send means that the process is dying; its end settles the job.
      this.#child.send(job, () => undefined);
    });
  }

  kill(): void {
    this.#alive = false;
    this.#killed = true;
    this.#child.kill('SIGKILL');
    // Not when it has ended: one that waits for a broken disk cannot end.
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
