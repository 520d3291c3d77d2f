import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../testkit/client.js';
import type { Answer, Call } from '../../testkit/client.js';
import { operationAt } from '../../testkit/operations.js';

/** How often one request is sent again that a limit refused. */
const patience = 20;

/** All requests of a run, by operation: their statuses, and milliseconds until the answer's head. */
export class Tally {
  readonly operations = new Map<string, { statuses: Map<string, number>; times: number[] }>();
  /** Refusals with Retry-After, by what they said. */
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

  /** Answers from 500 up that no limit explains. */
  get failures(): number {
    const all = [...this.operations.values()].flatMap(({ statuses }) => [...statuses]);
    return all.filter(([status]) => /^5\d\d$/.test(status)).reduce((sum, [, n]) => sum + n, 0);
  }
}

/** A client that counts, and that waits and tries again where a limit asks for it. */
export class CountingClient extends Client {
  constructor(
    base: string,
    readonly tally: Tally,
  ) {
    super(base);
  }

  override async raw(method: string, path: string, call: Call = {}): Promise<Response> {
    const { pathname } = new URL(path, this.base);
    const operation = operationAt(method, pathname) ?? 'signed address';
    for (let tries = 1; ; tries += 1) {
      const began = performance.now();
      const response = await super.raw(method, path, call);
      const ms = performance.now() - began;
      const wait = [429, 503].includes(response.status) && response.headers.get('retry-after');
      this.tally.note(operation, `${response.status}${wait ? ' limited' : ''}`, ms);
      if (!wait || tries === patience) return response;
      this.tally.noteLimited(((await response.json()) as Answer<null>).message);
      await sleep(Number(wait) * 1000);
    }
  }
}
