import type { Config } from '../../base/config/options.js';
import { ServiceError, type ErrorCode } from '../../base/errors/catalogue.js';
import { OperatorError, type ExitCode, type OperatorCode } from '../../base/errors/operator.js';
import { guarded } from '../../base/guarded.js';

/** The parameters of an HTTP process. Sent over the channel, since they include secrets. */
export interface Begin {
  readonly homeDir: string;
  readonly configFile: string;
  /** With the process's share of the connections already set. */
  readonly config: Config;
  readonly databaseUrl: string;
  readonly port: number;
  /** Number of the process among the node's HTTP processes, from 1. */
  readonly number: number;
}

/** A process's share of a limit of the node. */
const share = (limit: number, processes: number, min: number): number =>
  Math.max(Math.ceil(limit / processes), min);

/** With fewer database connections, requests of one user could block each other. */
const minConnections = 4;

/** The settings of each process, with the limits of the node divided among them. */
export const shareOf = (config: Config, processes: number): Config => ({
  ...config,
  'limits.max_connections': share(config['limits.max_connections'], processes, 1),
  'database.pool_size': share(config['database.pool_size'], processes, minConnections),
});

/** One end of the IPC channel between the service and one of its HTTP processes. */
export interface Peer {
  send(message: Message, callback: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', gone: () => void): unknown;
}

/** The calls that the other side can make, by name; a handler's result is the answer. */
type Handlers = Readonly<Record<string, (value: never) => unknown>>;

type Message =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly value: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: SerializedError };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Calls in both directions over one channel. Values are copied like with `structuredClone`. */
export class Channel {
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #open = true;
  #resolveClosed: (() => void) | undefined;
  /** Resolves when the other process has ended. */
  readonly closed = new Promise<void>((resolve) => (this.#resolveClosed = resolve));

  constructor(
    private readonly peer: Peer,
    handlers: Handlers,
  ) {
    const lost = (): void => this.#close();
    peer.on(
      'message',
      guarded(lost, (message: unknown) => this.#receive(message as Message, handlers)),
    );
    peer.once('disconnect', guarded(lost, lost));
  }

  /** @throws what the handler throws; `unavailable` if the other process ends first. */
  call<Answer>(name: string, value?: unknown): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const id = (this.#calls += 1);
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      this.#send({ kind: 'call', id, name, value });
    });
  }

  #send(message: Message): void {
    if (!this.#open) return this.#close();
    const sent = guarded(
      () => this.#close(),
      (error: Error | null) => {
        if (error) this.#close();
      },
    );
    this.peer.send(message, sent);
  }

  async #receive(message: Message, handlers: Handlers): Promise<void> {
    const { id } = message;
    if (message.kind === 'call') {
      const handler = handlers[message.name];
      try {
        if (!handler) throw new Error(`there is no handler for ${message.name}`);
        const value = await handler(message.value as never);
        this.#send({ kind: 'answer', id, value });
      } catch (error) {
        this.#send({ kind: 'refusal', id, error: serializeError(error) });
      }
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (message.kind === 'answer') waiting?.resolve(message.value);
    else waiting?.reject(deserializeError(message.error));
  }

  /** Rejects all pending calls. */
  #close(): void {
    this.#open = false;
    this.#resolveClosed?.();
    for (const { reject } of this.#waiting.values()) reject(new ServiceError('unavailable'));
    this.#waiting.clear();
  }
}

/** An error in a form that survives the copy. */
interface SerializedError {
  readonly code?: ErrorCode | OperatorCode | undefined;
  /** Of an error for operators. */
  readonly exitCode?: ExitCode;
  readonly message: string;
  readonly field?: string | undefined;
  readonly details?: unknown;
  readonly retryAfter?: number | undefined;
  readonly setting?: string | undefined;
  readonly remedy?: string | undefined;
}

function serializeError(error: unknown): SerializedError {
  if (error instanceof ServiceError) {
    const { code, message, field, details, retryAfter } = error;
    return { code, message, field, details, retryAfter };
  }
  if (error instanceof OperatorError) {
    const { exitCode, code, message, setting, remedy } = error;
    return { exitCode, code, message, setting, remedy };
  }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function deserializeError(serialized: SerializedError): Error {
  const { code, exitCode, message, field, details, retryAfter, setting, remedy } = serialized;
  if (exitCode !== undefined) {
    return new OperatorError(exitCode, message, {
      ...(code !== undefined && { code: code as OperatorCode }),
      ...(setting !== undefined && { setting }),
      ...(remedy !== undefined && { remedy }),
    });
  }
  if (code !== undefined) {
    return new ServiceError(code as ErrorCode, {
      message,
      details,
      ...(field !== undefined && { field }),
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }
  return new Error(message);
}
