import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Call } from '../../testkit/client.js';
import { Client } from '../../testkit/client.js';
import { LimitedClient } from './limited-client.js';

/** How long all attempts may take, and how long to wait between two, in milliseconds. */
const allPatience = 300_000;
const pauseMs = 150;

/** Reads from one node after the other, until one answers. */
export class NodesClient extends Client {
  #turn = 0;

  constructor(
    private readonly addresses: () => Promise<readonly string[]>,
    private readonly signal?: AbortSignal,
  ) {
    super('http://127.0.0.1');
  }

  override request<R>(method: string, path: string, call: Call = {}): Promise<Answer<R>> {
    return this.untilRead(path, async (client) => {
      const answer = await client.request<R>(method, path, call);
      return answer.status < 500 ? answer : undefined;
    });
  }

  /** One attempt: the body of its answer may break off. */
  override async raw(method: string, path: string, call: Call = {}): Promise<Response> {
    return (await this.#next()).raw(method, path, call);
  }

  /**
   * Asks nodes until one has answered in full.
   * @param read undefined to try again, as with an error.
   */
  async untilRead<T>(what: string, read: (client: Client) => Promise<T | undefined>): Promise<T> {
    for (const end = Date.now() + allPatience; ;) {
      this.signal?.throwIfAborted();
      const client = await this.#next();
      const result = await read(client).catch(() => undefined); // the connection broke
      if (result !== undefined) return result;
      if (Date.now() > end) throw new Error(`${what}: no answer within ${allPatience / 1000} s`);
      await delay(pauseMs);
    }
  }

  async #next(): Promise<Client> {
    const addresses = await this.addresses();
    return new LimitedClient(addresses[(this.#turn += 1) % addresses.length] ?? '');
  }
}
