import { guarded } from '../guarded.js';
import { ServiceError } from '../errors/catalogue.js';
import type { ErrorCode } from '../errors/catalogue.js';
import { OperatorError } from '../errors/operator.js';
import type { ExitCode } from '../errors/operator.js';

/** One end of the IPC channel between the service and one of its HTTP processes. */
export interface Peer {
  send(message: Message, callback: (error: Error | null) => void): unknown;
  on(event: 'message', heard: (message: unknown) => void): unknown;
  once(event: 'disconnect', gone: () => void): unknown;
}

/** What can be asked of the other side, by name; a handler's result is the answer. */
export type Handlers = Readonly<Record<string, (value: never) => unknown>>;

type Message =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly value: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: CarriedError };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Calls in both directions over one channel. Values are copied, as `structuredClone` does. */
export class Channel {
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #open = true;
  #hearEnd: (() => void) | undefined;
  /** Resolves when the other process is gone. */
  readonly closed = new Promise<void>((resolve) => (this.#hearEnd = resolve));

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
        if (!handler) throw new Error(`nothing handles ${message.name}`);
        const value = await handler(message.value as never);
        this.#send({ kind: 'answer', id, value });
      } catch (error) {
        this.#send({ kind: 'refusal', id, error: carry(error) });
      }
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (message.kind === 'answer') waiting?.resolve(message.value);
    else waiting?.reject(restore(message.error));
  }

  /** Nothing that waits will be answered. */
  #close(): void {
    this.#open = false;
    this.#hearEnd?.();
    for (const { reject } of this.#waiting.values()) reject(new ServiceError('unavailable'));
    this.#waiting.clear();
  }
}

/** An error in a form that survives the copy. */
interface CarriedError {
  readonly code?: ErrorCode;
  readonly exitCode?: ExitCode;
  readonly message: string;
  readonly field?: string | undefined;
  readonly details?: unknown;
  readonly retryAfter?: number | undefined;
  readonly setting?: string | undefined;
  readonly remedy?: string | undefined;
}

function carry(error: unknown): CarriedError {
  if (error instanceof ServiceError) {
    const { code, message, field, details, retryAfter } = error;
    return { code, message, field, details, retryAfter };
  }
  if (error instanceof OperatorError) {
    const { exitCode, message, setting, remedy } = error;
    return { exitCode, message, setting, remedy };
  }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function restore(carried: CarriedError): Error {
  const { code, exitCode, message, field, details, retryAfter, setting, remedy } = carried;
  if (code !== undefined) {
    return new ServiceError(code, {
      ...{ message, details },
      ...(field !== undefined && { field }),
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }
  if (exitCode !== undefined) {
    return new OperatorError(exitCode, message, {
      ...(setting !== undefined && { setting }),
      ...(remedy !== undefined && { remedy }),
    });
  }
  return new Error(message);
}
