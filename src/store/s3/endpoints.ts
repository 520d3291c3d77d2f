import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'minio';
import { asError, isConnectionFailure, isTransient } from './errors.js';
import { secondMs } from '../../base/units.js';

const maxAttempts = 4;

/**
 * The first delay between two attempts, in milliseconds; it doubles each time, and half of it is
 * random.
 */
const basePause = 100;

/** How long the only remaining endpoint may be retried, in milliseconds. */
const retryBudgetMs = 15 * secondMs;

/** How long an endpoint that failed is used only as a last resort, in milliseconds. */
const cooldownMs = 5 * secondMs;

interface Endpoint {
  readonly client: Client;
  /** When it may be used like the others again; milliseconds since 1970. */
  restsUntil: number;
}

const isAwake = ({ restsUntil }: Endpoint): boolean => restsUntil <= Date.now();

/**
 * Several gateways to one object store, used round-robin. One that fails is skipped for a while,
 * and its requests are retried on the next.
 */
export class Endpoints {
  /** In order of use: the one used last goes to the end. */
  readonly #queue: Endpoint[];

  constructor(clients: readonly Client[]) {
    if (clients.length === 0) throw new RangeError('there is no endpoint');
    this.#queue = clients.map((client) => ({ client, restsUntil: 0 }));
  }

  /**
   * Runs a repeatable request until it succeeds or clearly will not.
   * @param request receives the number of the attempt, starting at 1.
   * @throws Error the last failure.
   */
  async call<T>(request: (client: Client, attempt: number) => Promise<T>): Promise<T> {
    const began = Date.now();
    for (let attempt = 1; ; attempt += 1) {
      const endpoint = this.#next();
      try {
        return await request(endpoint.client, attempt);
      } catch (thrown) {
        const error = asError(thrown);
        const dead = isConnectionFailure(error);
        if (dead) endpoint.restsUntil = Date.now() + cooldownMs;
        if (attempt === maxAttempts || !isTransient(error)) throw error;
        if (dead && this.#queue.some(isAwake)) continue;
        if (Date.now() - began > retryBudgetMs) throw error;
        await delay(basePause * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
      }
    }
  }

  #next(): Endpoint {
    const awake = this.#queue.findIndex(isAwake);
    const [endpoint] = this.#queue.splice(Math.max(awake, 0), 1);
    if (!endpoint) throw new RangeError('there is no endpoint');
    this.#queue.push(endpoint);
    return endpoint;
  }
}
