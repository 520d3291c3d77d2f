import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Answer, type Call } from '../../testkit/client.js';
import { operationAt } from '../../testkit/operations.js';

/** Maximum attempts for a request that a limit rejects. */
const maxAttempts = 20;

/**
 * Statuses of all requests of a run by operation, and milliseconds until the response headers.
 */
export class RequestCounts {
  readonly operations = new Map<string, { statuses: Map<string, number>; times: number[] }>();
  /** Rejections with Retry-After, by message. */
  readonly limited = new Map<string, number>();

  note(operation: string, status: string, ms: number): void {
    const one = this.operations.get(operation) ?? {
      statuses: new Map<string, number>(),
      times: [],
    };
    one.statuses.set(status, (one.statuses.get(status) ?? 0) + 1);
    one.times.push(ms);
    this.operations.set(operation, one);
  }

  noteLimited(message: string): void {
    this.limited.set(message, (this.limited.get(message) ?? 0) + 1);
  }

  get requests(): number {
    return [...this.operations.values()].reduce((sum, { times }) => sum + times.length, 0);
  }

  /** Responses of 500 and above not explained by a limit. */
  get failures(): number {
    const all = [...this.operations.values()].flatMap(({ statuses }) => [...statuses]);
    return all.filter(([status]) => /^5\d\d$/.test(status)).reduce((sum, [, n]) => sum + n, 0);
  }
}

/** A client that counts requests, and waits and retries when a limit asks for it. */
export class CountingClient extends Client {
  constructor(
    base: string,
    readonly tally: RequestCounts,
  ) {
    super(base);
  }

  override async raw(method: string, path: string, call: Call = {}): Promise<Response> {
    const { pathname } = new URL(path, this.base);
    const operation = operationAt(method, pathname) ?? 'signed URL';
    for (let tries = 1; ; tries += 1) {
      const began = performance.now();
      const response = await super.raw(method, path, call);
      const ms = performance.now() - began;
      const wait = [429, 503].includes(response.status) && response.headers.get('retry-after');
      this.tally.note(operation, `${response.status}${wait ? ' limited' : ''}`, ms);
      if (!wait || tries === maxAttempts) return response;
      this.tally.noteLimited(((await response.json()) as Answer<null>).message);
      await sleep(Number(wait) * 1000);
    }
  }
}
