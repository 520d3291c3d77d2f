import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type Call, Client } from '../../testkit/client.js';
import { LimitedClient } from './limited-client.js';

/** Time limit for all attempts, and the pause between two, in milliseconds. */
const totalTimeoutMs = 300_000;
const pauseMs = 150;

/** Reads from one node after the other until one responds. */
export class NodesClient extends Client {
  #turn = 0;

  constructor(
    private readonly baseUrls: () => Promise<readonly string[]>,
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

  /** A single attempt; the body of its response may be cut off. */
  override async raw(method: string, path: string, call: Call = {}): Promise<Response> {
    return (await this.#next()).raw(method, path, call);
  }

  /**
   * Tries nodes until one has responded completely.
   * @param read returns undefined to retry, as with an error.
   */
  async untilRead<T>(what: string, read: (client: Client) => Promise<T | undefined>): Promise<T> {
    for (const end = Date.now() + totalTimeoutMs; ;) {
      this.signal?.throwIfAborted();
      const client = await this.#next();
      const result = await read(client).catch(() => undefined); // the connection broke
      if (result !== undefined) return result;
      if (Date.now() > end)
        throw new Error(`${what}: no response within ${totalTimeoutMs / 1000} s`);
      await delay(pauseMs);
    }
  }

  async #next(): Promise<Client> {
    const baseUrls = await this.baseUrls();
    return new LimitedClient(baseUrls[(this.#turn += 1) % baseUrls.length] ?? '');
  }
}
