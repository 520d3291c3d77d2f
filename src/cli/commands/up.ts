import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ExitCode } from '../../base/errors/operator.js';
import { guarded, ignore } from '../../base/guarded.js';
import { signalChild } from '../../base/os/run.js';
import { minuteMs, secondMs } from '../../base/units.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';
import { SilentExit } from '../ui.js';

export const command: CommandDetails = {
  settings: ['port', 'database.url', 'log.level'],
  asks: true,
  examples: ['up', 'up --port 8081 --home /tmp/trial'],
  run: up,
};

/** Delays before the service is restarted; they double with each consecutive failure. */
const minBackoffMs = secondMs;
const maxBackoffMs = 30 * secondMs;

/** After running this long, a service is restarted with the shortest delay. */
const stableMs = minuteMs;

/** Exit codes that a restart does not fix. */
const permanentExitCodes: readonly number[] = [
  ExitCode.ok,
  ExitCode.usage,
  ExitCode.badConfiguration,
];

/**
 * Runs the service in a child process, as the command `service`. If it fails after it was up, it is
 * restarted as plain `serve`, which prints nothing, on the same port. It stops on an interruption,
 * and when this process ends (its channel closes).
 * @throws SilentExit with the service's own exit code.
 */
async function supervise(context: Context, service: string): Promise<void> {
  const { contextArgs } = await import('../context.js');
  const given = contextArgs(context);
  let port: string | undefined;
  const notePort = ({ url }: Up): void => void (port ??= new URL(url).port);
  let exitCode = await run(context, [service, ...given], 'inherit', notePort);
  for (let pause = minBackoffMs; port !== undefined; pause = Math.min(2 * pause, maxBackoffMs)) {
    if (context.interrupted.aborted || permanentExitCodes.includes(exitCode)) break;
    await logFailure(context, exitCode, pause);
    await delay(pause, undefined, { signal: context.interrupted });
    const begun = performance.now();
    const again = ['serve', ...given, '--port', port];
    exitCode = await run(context, again, 'ignore', notePort);
    if (performance.now() - begun >= stableMs) pause = minBackoffMs / 2;
  }
  if (exitCode !== ExitCode.ok) throw new SilentExit(exitCode);
}

/** Sent by the service to its supervisor once it is up. */
interface Up {
  readonly url: string;
}

/** Reports the URL to the supervising process, if any. */
export function notifySupervisor(url: string): void {
  // Without a callback, a supervisor that has just ended would cause an uncaught error.
  process.send?.({ url } satisfies Up, undefined, undefined, guarded(ignore, ignore));
}

/** @returns the exit code, as shells report it. */
async function run(
  { interrupted }: Context,
  args: readonly string[],
  terminal: 'inherit' | 'ignore',
  onUp: (up: Up) => void,
): Promise<number> {
  const child = fork(process.argv[1] ?? '', args, {
    stdio: [terminal, terminal, 'inherit', 'ipc'],
  });
  // Not by a signal: a terminal sends Ctrl-C to both processes, and a second signal would end the
  // child at once.
  const disconnect = (): void => {
    if (child.connected) child.disconnect();
  };
  const onMessage = guarded(disconnect, (message: unknown) => onUp(message as Up));
  child.on('message', onMessage);
  const end = guarded(() => signalChild(child, 'SIGKILL'), disconnect);
  interrupted.addEventListener('abort', end, { once: true });
  if (interrupted.aborted) end();
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  interrupted.removeEventListener('abort', end);
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
}

async function logFailure(context: Context, exitCode: number, pauseMs: number): Promise<void> {
  const { values: config } = await context.settings();
  // Loaded only now: until then, this process only waits.
  const { createLogger } = await import('../../base/telemetry/logger.js');
  const logger = createLogger({ level: config['log.level'], format: config['log.format'] });
  logger.error('the service has stopped; restarting it', { exitCode, pauseMs });
}

/** The service runs in a child process; this one only supervises it. */
async function up(context: Context): Promise<void> {
  if (context.ui.onTerminal) await hideRequests(context);
  await supervise(context, 'up-service');
}

/** A line for each request would scroll the greeting away. */
async function hideRequests(context: Context): Promise<void> {
  const { sources } = await context.settings('nothing');
  // A variable, which the service inherits: flags would be written to config.yaml.
  if (sources['log.level'] === 'default') process.env.IMGSTORE_LOG_LEVEL = 'warn';
}
