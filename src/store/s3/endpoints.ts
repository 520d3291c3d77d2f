import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'minio';
import { isConnectionFailure, isTransient } from './failures.js';
import { secondMs } from '../../units.js';

const maxAttempts = 4;

/** The first pause between two tries, in milliseconds; it doubles, and half of it is chance. */
const basePause = 100;

/** How long the one endpoint that is left may be asked over and over, in milliseconds. */
const patienceMs = 15 * secondMs;

/** How long an endpoint that failed is asked only when no other is left, in milliseconds. */
const restMs = 5 * secondMs;

interface Endpoint {
  readonly client: Client;
  /** When it may be asked like the others again; milliseconds since 1970. */
  restsUntil: number;
}

const isAwake = ({ restsUntil }: Endpoint): boolean => restsUntil <= Date.now();

/**
 * Several gateways to one object store. Requests go round; one that fails is left alone for a while,
 * and what it was asked is asked of the next.
 */
export class Endpoints {
  /** In the order in which they are asked: who was asked goes to the end. */
  readonly #queue: Endpoint[];

  constructor(clients: readonly Client[]) {
    if (clients.length === 0) throw new RangeError('there is no endpoint');
    this.#queue = clients.map((client) => ({ client, restsUntil: 0 }));
  }

  /**
   * Runs a request that may be repeated, until it succeeds or it is clear that it will not.
   * @param request its argument `attempt` counts from 1.
   * @throws the last failure as it is.
   */
  async call<T>(request: (client: Client, attempt: number) => Promise<T>): Promise<T> {
    const began = Date.now();
    for (let attempt = 1; ; attempt += 1) {
      const endpoint = this.#next();
      try {
        return await request(endpoint.client, attempt);
      } catch (error) {
        const dead = isConnectionFailure(error);
        if (dead) endpoint.restsUntil = Date.now() + restMs;
        if (attempt === maxAttempts || !isTransient(error)) throw error;
        if (dead && this.#queue.some(isAwake)) continue;
        if (Date.now() - began > patienceMs) throw error;
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
