import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Call } from '../../testkit/client.js';
import { Client } from '../../testkit/client.js';

/** How long one attempt may take, and how long all of them, in milliseconds. */
const patience = 30_000;
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

  override async request<R>(method: string, path: string, call: Call = {}): Promise<Answer<R>> {
    for (const end = Date.now() + allPatience; ;) {
      this.signal?.throwIfAborted();
      const client = await this.#next();
      const answer = await client
        .request<R>(method, path, { ...call, signal: AbortSignal.timeout(patience) })
        .catch(() => undefined); // the connection broke
      if (answer && answer.status < 500) return answer;
      if (Date.now() > end) throw new Error(`${path}: ${answer?.status ?? 'no answer'}`);
      await delay(pauseMs);
    }
  }

  override async raw(method: string, path: string, call: Call = {}): Promise<Response> {
    return (await this.#next()).raw(method, path, call);
  }

  async #next(): Promise<Client> {
    const addresses = await this.addresses();
    return new Client(addresses[(this.#turn += 1) % addresses.length] ?? '');
  }
}
