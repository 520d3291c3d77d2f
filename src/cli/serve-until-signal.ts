import { once } from 'node:events';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { failure } from '../base/errors/operator.js';
import { guarded, ignore } from '../base/guarded.js';
import { bundleFile } from '../base/installed-files.js';
import { run } from '../base/os/run.js';
import { onUncaught } from '../base/telemetry/logger.js';
import { secondMs } from '../base/units.js';
import { partsDown, readiness } from '../http/health.js';
import { serviceLogger, startService, type RunningService } from '../server/service.js';
import { notifySupervisor } from './commands/up.js';
import type { Context } from './context.js';
import { SilentExit, type CommandResult } from './ui.js';

/** Timeout for delivering one message, in milliseconds. */
const messageTimeoutMs = 10 * secondMs;

/** Health checks per watchdog period: a part that is restarting may fail some of them. */
const checksPerPeriod = 4;

/**
 * Parts that restarting the service cannot fix: without them it answers 503 and waits. The status
 * text mentions them, but they do not trip the watchdog.
 */
const elsewhere = ['database', 'migrations', 'store', 'disk', 'incoming'];

/**
 * The service manager that started this process, notified by the sd_notify(3) protocol. Does
 * nothing without a listening manager (NOTIFY_SOCKET). Messages are sent by the systemd-notify
 * program, since Node has no Unix datagram sockets.
 */
export class ServiceManager {
  readonly #socket: string | undefined;
  /** Watchdog period in milliseconds; undefined without a watchdog. */
  readonly #watchdogMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(env: NodeJS.ProcessEnv) {
    this.#socket = env.NOTIFY_SOCKET || undefined;
    const ours = !env.WATCHDOG_PID || Number(env.WATCHDOG_PID) === process.pid;
    const ms = Number(env.WATCHDOG_USEC) / 1000;
    if (this.#socket && ours && ms > 0) this.#watchdogMs = ms;
  }

  /** Reports the progress of a long step, without waiting for delivery. */
  readonly status = (text: string): void => {
    void this.#notify(`STATUS=${text}`).catch(() => undefined); // ready() reports what is wrong
  };

  /**
   * Reports that the service is ready, and starts sending watchdog keep-alives.
   * @throws OperatorError when the message cannot be sent: the manager would wait for it forever.
   */
  async ready(url: string): Promise<void> {
    await this.#notify('READY=1', `STATUS=${statusOf(url, [])}`);
    if (this.#watchdogMs === undefined) return;
    const silence = (): void => undefined; // the manager notices the missing keep-alive
    const check = guarded(silence, () => this.#checkHealth(url));
    this.#timer = setInterval(check, this.#watchdogMs / checksPerPeriod);
  }

  /** Reports that the service is stopping, for whatever reason. */
  async stopping(): Promise<void> {
    clearInterval(this.#timer);
    await this.#notify('STOPPING=1', 'STATUS=Finishing running requests').catch(() => undefined);
  }

  /**
   * Sends a watchdog keep-alive if the API answers and everything that a restart could fix works.
   */
  async #checkHealth(url: string): Promise<void> {
    const down = partsDown(await readiness(url));
    const lives = down.every((part) => elsewhere.includes(part));
    await this.#notify(...(lives ? ['WATCHDOG=1'] : []), `STATUS=${statusOf(url, down)}`);
  }

  /** Sends one message, after all earlier ones. */
  async #notify(...assignments: string[]): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined) return;
    const sent = this.#last.then(() => send(socket, assignments));
    this.#last = sent.catch(() => undefined);
    await sent;
  }
}

const statusOf = (url: string, down: readonly string[]): string =>
  `Serving at ${url}${down.length > 0 ? `; down: ${down.join(', ')}` : ''}`;

async function send(socket: string, assignments: readonly string[]): Promise<void> {
  const { code, output } = await run('systemd-notify', assignments, {
    env: { NOTIFY_SOCKET: socket },
    timeoutMs: messageTimeoutMs,
  }).catch((error: unknown) => ({ code: 1, output: (error as Error).message }));
  if (code === 0) return;
  throw failure(`Cannot notify the service manager (NOTIFY_SOCKET is set): ${output.trim()}`, {
    remedy:
      'Install systemd-notify (package systemd), or use Type=exec in the unit, which needs no notifications.',
  });
}

/** How often the program's file is looked at, and how long an upgrade must have left it alone. */
const lookMs = 2 * secondMs;
const settledMs = 5 * secondMs;

/** What the program starts with; it names the files of all its parts, by hashes of what is in them. */
const programFile = bundleFile('imgstore');

function programText(): string | undefined {
  try {
    return readFileSync(programFile, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Looks for another version in place of this program, such as after an upgrade of the package: parts
 * that were not needed so far can then not be loaded, and new processes would be of that version.
 */
function watchProgram(): { readonly replaced: AbortSignal; readonly stop: () => void } {
  const found = new AbortController();
  const before = programText();
  let timer: NodeJS.Timeout | undefined;
  const settled = guarded(ignore, () => {
    if (programText() !== before) found.abort();
  });
  const changed = guarded(ignore, () => {
    clearTimeout(timer);
    timer = setTimeout(settled, settledMs);
  });
  watchFile(programFile, { interval: lookMs, persistent: false }, changed);
  const stop = (): void => {
    clearTimeout(timer);
    unwatchFile(programFile, changed);
  };
  return { replaced: found.signal, stop };
}

/**
 * Serves until SIGTERM, SIGINT, or SIGHUP, then stops in phases, each reported to the service
 * manager.
 * @param ready returns what to print once the service is up.
 * @throws SilentExit (1), for whoever restarts it, when it stopped because of an uncaught error, or
 *   because its program was replaced; the log says so.
 */
export async function serveUntilSignal(
  context: Context,
  ready: (service: RunningService) => Promise<CommandResult>,
): Promise<void> {
  const { home, interrupted, ui } = context;
  const manager = new ServiceManager(process.env);
  const report = (message: string): void => {
    ui.progress(message);
    manager.status(message);
  };
  const { values: config } = await context.settings();
  const logger = serviceLogger(config);
  const broken = onUncaught((error) => logger.error('uncaught', { error }));
  const { replaced, stop: unwatch } = watchProgram();
  const service = await startService(home, config, report);
  try {
    const outcome = await ready(service);
    await manager.ready(service.url);
    ui.result(outcome);
    notifySupervisor(service.url);
    const end = AbortSignal.any([interrupted, broken, replaced]);
    if (!end.aborted) await once(end, 'abort');
    if (replaced.aborted) {
      logger.warn('another version of imgstore is in place of this one; ending, to start it');
    }
    ui.progress('Finishing running requests');
  } finally {
    unwatch();
    await manager.stopping();
    await service.drain();
    await service.stop();
  }
  if (broken.aborted || replaced.aborted) throw new SilentExit();
}
