import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../telemetry/logger.js';
import type { Job, ProcessMessage, ProcessSettings } from './protocol.js';

const PROGRAM = fileURLToPath(new URL('../../workers/imaging-process.js', import.meta.url));

/** A process that has not said `ready` by then hangs. */
const BOOT_LIMIT_MS = 20_000;
/** Deaths in a row, without an answer between them, that are mended at once. */
const FREE_RESTARTS = 2;
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5_000;
/** Failed starts in a row after which callers stop waiting for the next one. */
const HOPELESS_STARTS = 3;
/** Threads of libuv beside those that decode, for file access. */
const FILE_THREADS = 2;

export interface SupervisorEvents {
  /** The process takes work. */
  ready(): void;
  message(message: Exclude<ProcessMessage, { kind: 'ready' }>): void;
  /** The process is gone, with all it was working on; another one is on its way. */
  lost(): void;
  /** The process cannot be started; attempts go on. */
  hopeless(reason: string): void;
}

/** The variables that the process needs; secrets of the service stay out of reach of hostile pictures. */
function environment(threads: number): NodeJS.ProcessEnv {
  const { PATH, LANG, TMPDIR, LD_LIBRARY_PATH } = process.env;
  return {
    ...{ PATH, LANG, TMPDIR, LD_LIBRARY_PATH },
    UV_THREADPOOL_SIZE: String(threads + FILE_THREADS),
    // Without it glibc keeps a heap per thread, and freed picture memory stays in all of them.
    MALLOC_ARENA_MAX: '2',
  };
}

/** Keeps one imaging process running. */
export class Supervisor {
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ready = false;
  #stopped = false;
  #deaths = 0;
  #failedStarts = 0;

  constructor(
    private readonly settings: ProcessSettings,
    private readonly logger: Logger,
    private readonly events: SupervisorEvents,
  ) {}

  get ready(): boolean {
    return this.#ready;
  }

  /** True while starting fails again and again. */
  get hopeless(): boolean {
    return this.#failedStarts >= HOPELESS_STARTS;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    const child = fork(PROGRAM, [JSON.stringify(this.settings)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [],
      env: environment(this.settings.threads),
    });
    this.#child = child;
    this.#timer = setTimeout(() => child.kill('SIGKILL'), BOOT_LIMIT_MS);
    child.on('message', (message: ProcessMessage) => this.#onMessage(child, message));
    child.once('exit', (code, signal) => this.#onExit(child, signal ?? `exit code ${code}`));
    child.once('error', (error) => this.#onExit(child, error.message));
    // A channel can break without the end of the process: without it the process is of no use.
    child.once('disconnect', () => child.kill('SIGKILL'));
    if (child.stderr) {
      createInterface(child.stderr).on('line', (line) =>
        this.logger.warn('imaging process', { stderr: line.slice(0, 500) }),
      );
    }
  }

  send(job: Job): void {
    // Failing to send means that the process is dying; its exit settles the job.
    this.#child?.send(job, () => undefined);
  }

  /** Ends the process at once; it is started again. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  /** Ends the process for good. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#ready = false;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    if (child.kill('SIGKILL')) await ended;
  }

  #onMessage(child: ChildProcess, message: ProcessMessage): void {
    if (child !== this.#child || this.#stopped) return;
    if (message.kind === 'ready') {
      clearTimeout(this.#timer);
      this.#ready = true;
      this.#failedStarts = 0;
      this.logger.debug('imaging process ready', { pid: child.pid });
      return this.events.ready();
    }
    if (message.outcome.kind !== 'lost') this.#deaths = 0;
    this.events.message(message);
  }

  #onExit(child: ChildProcess, reason: string): void {
    if (child !== this.#child || this.#stopped) return;
    clearTimeout(this.#timer);
    this.#child = undefined;
    this.#deaths++;
    if (!this.#ready) this.#failedStarts++;
    this.#ready = false;
    const over = this.#deaths - FREE_RESTARTS;
    const delay = over <= 0 ? 0 : Math.min(FIRST_BACKOFF_MS * 2 ** (over - 1), MAX_BACKOFF_MS);
    this.logger.error('imaging process ended; starting it again', {
      pid: child.pid,
      reason,
      delay,
    });
    this.#timer = setTimeout(() => this.start(), delay);
    this.events.lost();
    if (this.hopeless) this.events.hopeless(reason);
  }
}
