import { run } from '../os/run.js';
import { failure } from '../errors/operator.js';
import { guarded } from '../guard.js';
import { partsDown, readiness } from './readiness.js';
import { secondMs } from '../units.js';

/** Longest time that handing over one message may take, in milliseconds. */
const messageTimeoutMs = 10 * secondMs;

/** Looks at the service per watchdog period: a part that restarts may miss some of them. */
const looksPerPeriod = 4;

/**
 * Parts that a restart of the service cannot mend: without them it answers 503 and waits. It is their
 * absence that the status text tells, and no reason for the watchdog to bite.
 */
const elsewhere = ['database', 'migrations', 'store', 'disk'];

/**
 * The service manager that started us, told in the words of sd_notify(3) how we are. Does nothing
 * when there is none that listens (NOTIFY_SOCKET). Messages go through the program systemd-notify:
 * Node has no unix datagram sockets.
 */
export class ServiceManager {
  readonly #socket: string | undefined;
  /** Milliseconds within which it wants a sign of life; undefined when it waits for none. */
  readonly #watchdogMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(env: NodeJS.ProcessEnv) {
    this.#socket = env.NOTIFY_SOCKET || undefined;
    const ours = !env.WATCHDOG_PID || Number(env.WATCHDOG_PID) === process.pid;
    const ms = Number(env.WATCHDOG_USEC) / 1000;
    if (this.#socket && ours && ms > 0) this.#watchdogMs = ms;
  }

  /** Shows what long work is at, without waiting for it. */
  readonly status = (text: string): void => {
    void this.#tell(`STATUS=${text}`).catch(() => undefined); // ready() says what is wrong
  };

  /**
   * Tells that the service can be used, and from then on that it lives.
   * @throws OperatorError when the message cannot be sent: the manager would wait for it in vain.
   */
  async ready(address: string): Promise<void> {
    await this.#tell('READY=1', `STATUS=${statusOf(address, [])}`);
    if (this.#watchdogMs === undefined) return;
    const silence = (): void => undefined; // is what the manager notices
    const look = guarded(silence, () => this.#look(address));
    this.#timer = setInterval(look, this.#watchdogMs / looksPerPeriod);
  }

  /** Tells that the service ends, whoever asked for it. */
  async stopping(): Promise<void> {
    clearInterval(this.#timer);
    await this.#tell('STOPPING=1', 'STATUS=Finishing what runs').catch(() => undefined);
  }

  /** A sign of life, if the API answers and all that is ours works. */
  async #look(address: string): Promise<void> {
    const down = partsDown(await readiness(address));
    const lives = down.every((part) => elsewhere.includes(part));
    await this.#tell(...(lives ? ['WATCHDOG=1'] : []), `STATUS=${statusOf(address, down)}`);
  }

  /** Sends one message after all that came before it. */
  async #tell(...assignments: string[]): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined) return;
    const sent = this.#last.then(() => send(socket, assignments));
    this.#last = sent.catch(() => undefined);
    await sent;
  }
}

const statusOf = (address: string, down: readonly string[]): string =>
  `Serving at ${address}${down.length > 0 ? `; down: ${down.join(', ')}` : ''}`;

async function send(socket: string, assignments: readonly string[]): Promise<void> {
  const { code, output } = await run('systemd-notify', assignments, {
    env: { NOTIFY_SOCKET: socket },
    timeoutMs: messageTimeoutMs,
  }).catch((error: unknown) => ({ code: 1, output: (error as Error).message }));
  if (code === 0) return;
  throw failure(`The service manager cannot be told (NOTIFY_SOCKET is set): ${output.trim()}`, {
    remedy:
      'Install systemd-notify (package systemd), or use Type=exec in the unit, which asks for no messages.',
  });
}
