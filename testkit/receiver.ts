import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { eventually } from './eventually.js';
import type { Scope } from './scope.js';

/** An event in the form of Standard Webhooks. */
export interface Event {
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly user_id: string;
    readonly seq: number;
    readonly id: string;
    readonly record?: Record<string, unknown> | null;
  };
}

export interface Received extends Event {
  /** `webhook-id`. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers an event; a request that it does not answer stays open. */
export type Answering = (event: Received, response: ServerResponse) => unknown;

export const answer =
  (status: number, headers: Record<string, string> = {}): Answering =>
  (_event, response) =>
    response.writeHead(status, headers).end();

/** A webhook receiver on loopback. */
export class Receiver {
  readonly received: Received[] = [];
  answering: Answering = answer(204);
  /** Number of events that are being answered, by user. */
  readonly #open = new Map<string, number>();
  /** Maximum of concurrently open events of one user. */
  maxOpenPerUser = 0;
  readonly #server = createServer((request, response) => {
    this.#take(request, response).catch(() => response.destroy());
  });

  static async start(scope: Scope, port = 0): Promise<Receiver> {
    const receiver = new Receiver();
    await receiver.#listen(port);
    scope.after(() => receiver.stop());
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook?a=b`;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    const event = JSON.parse(body) as Event;
    const received = { ...event, id: headers['webhook-id'] ?? '', headers, body };
    const user = event.data.user_id;
    const open = (this.#open.get(user) ?? 0) + 1;
    this.#open.set(user, open);
    this.maxOpenPerUser = Math.max(this.maxOpenPerUser, open);
    response.once('close', () => this.#open.set(user, (this.#open.get(user) ?? 0) - 1));
    this.received.push(received);
    await this.answering(received, response);
  }

  /** Waits until this many events have been received. */
  async has(count: number, ms?: number): Promise<Received[]> {
    const what = `${count} events`;
    await eventually(what, () => this.received.length >= count, ms).catch((error: unknown) => {
      throw new Error(`${this.received.length} were received`, { cause: error });
    });
    return this.received;
  }
}

/** Fails unless the event is signed with the secret. */
export const verifySigned = ({ headers, body }: Received, secret: string): void => {
  new Webhook(secret).verify(body, headers);
};

/** Each user's sequence numbers in the order received, without repeats. */
export function sequences(received: readonly Received[]): Map<string, number[]> {
  const users = new Map<string, number[]>();
  const ids = new Set<string>();
  for (const { id, data } of received) {
    if (ids.has(id)) continue;
    ids.add(id);
    users.set(data.user_id, [...(users.get(data.user_id) ?? []), data.seq]);
  }
  return users;
}

/** Fails unless a user's events were received in order, from the first number to the last without gaps. */
export function assertWhole(
  received: readonly Received[],
  userId: string,
  [first, last]: readonly [number, number],
): void {
  const expected = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  assert.deepEqual(sequences(received).get(userId), expected);
}
