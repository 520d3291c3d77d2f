import { shareOf } from '../base/callers.js';
import { ServiceError } from '../base/errors/catalogue.js';
import { guarded } from '../base/guarded.js';
import { currentBearer, currentCaller, runWithin, type Bearer } from '../base/telemetry/context.js';
import { rows, type Queryable } from './sql.js';

/**
 * Runs work on behalf of a caller: database connections taken here and in everything awaited count
 * toward the caller's share (docs/adr/0010).
 * @param caller id of a user or platform, or a fixed word for callers without one.
 * @param bearer the token of the caller; changes are attributed to it.
 */
export const runAsCaller = <T>(caller: string, work: () => T, bearer?: Bearer): T =>
  runWithin({ caller, bearer }, work);

/**
 * The same items, produced on behalf of the current caller even if a stream pulls them elsewhere.
 */
export function keepCaller<T>(items: AsyncGenerator<T>): AsyncIterable<T> {
  const [caller, bearer] = [currentCaller(), currentBearer()];
  if (caller === undefined) return items;
  const resume = <R>(work: () => R): R => runAsCaller(caller, work, bearer);
  const iterator: AsyncIterator<T> = {
    next: () => resume(() => items.next()),
    return: () => resume(() => items.return(undefined)),
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/**
 * Who makes a change, according to the change feed; the user unless a transaction sets another
 * actor.
 */
export type Actor = 'user' | 'platform' | 'admin' | 'system';

/**
 * Always true: attributes the rest of the transaction to a token. Part of the statement that begins
 * a change, so that it costs no round trip. @param token placeholder for the result of
 * `currentToken`.
 */
export const byToken = (token: string): string =>
  `set_config('imgstore.token', ${token}, true) IS NOT NULL`;

/** The id of the current request's token; empty outside of requests. */
export const currentToken = (): string => currentBearer()?.token ?? '';

/** Attributes the rest of the transaction to an actor. */
export const actAs = (tx: Queryable, actor: Actor): Promise<unknown> =>
  rows(tx, `SELECT set_config('imgstore.actor', $1, true) WHERE ${byToken('$2')}`, [
    actor,
    currentToken(),
  ]);

export interface SemaphoreLimits {
  /** Slots available to all callers together. */
  readonly total: number;
  /** Slots available to one caller; less to those who only bear a link. */
  readonly perCaller: number;
  /** Requests of one caller that may wait for a slot. */
  readonly waiting: number;
  /** Longest wait, in milliseconds. */
  readonly waitMs: number;
}

interface Caller {
  held: number;
  /** Slots that it may have. */
  readonly most: number;
  readonly waiting: Set<() => void>;
}

/**
 * Shares slots fairly between callers. A caller never has more than its share, and may take another
 * slot only while more are free than it already holds: a few greedy callers leave some, and when many
 * have taken all, the next one returned goes to a caller who holds none. Waiting callers are served
 * round-robin, no matter how often each has asked.
 */
export class FairSemaphore {
  /** Callers that hold or want slots, next to be served first. */
  readonly #callers = new Map<string, Caller>();
  #free: number;

  constructor(private readonly limits: SemaphoreLimits) {
    this.#free = limits.total;
  }

  /** Requests that wait for a slot. */
  get waiting(): number {
    let waiting = 0;
    for (const caller of this.#callers.values()) waiting += caller.waiting.size;
    return waiting;
  }

  /**
   * Takes a slot, which must be returned.
   * @returns nothing if one is free, otherwise a promise.
   * @throws ServiceError `unavailable` if the caller waits for too many slots, or too long; other
   * callers are not affected.
   */
  acquire(name: string): Promise<void> | undefined {
    const caller = this.#callers.get(name) ?? this.#enter(name);
    if (caller.waiting.size === 0 && this.#mayHave(caller)) return void this.#hold(caller);
    if (caller.waiting.size >= this.limits.waiting) throw tooMany();
    return this.#wait(name, caller);
  }

  /** Returns a slot. */
  release(name: string): void {
    const caller = this.#callers.get(name);
    if (!caller || caller.held === 0) throw new Error(`${name} has no slot to return`);
    caller.held -= 1;
    this.#free += 1;
    this.#leave(name, caller);
    this.#serve();
  }

  /** Runs work with a slot. @throws ServiceError as `acquire`, and whatever `work` throws. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.acquire(name);
    try {
      return await work();
    } finally {
      this.release(name);
    }
  }

  #enter(name: string): Caller {
    const caller: Caller = {
      held: 0,
      most: shareOf(name, this.limits.perCaller),
      waiting: new Set(),
    };
    this.#callers.set(name, caller);
    return caller;
  }

  #leave(name: string, caller: Caller): void {
    if (caller.held === 0 && caller.waiting.size === 0) this.#callers.delete(name);
  }

  #mayHave({ held, most }: Caller): boolean {
    return held < Math.min(most, this.#free);
  }

  #hold(caller: Caller): void {
    caller.held += 1;
    this.#free -= 1;
  }

  #wait(name: string, caller: Caller): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = guarded(reject, () => {
        caller.waiting.delete(served);
        this.#leave(name, caller);
        reject(tooMany());
      });
      const timer = setTimeout(late, this.limits.waitMs);
      const served = (): void => {
        clearTimeout(timer);
        resolve();
      };
      caller.waiting.add(served);
    });
  }

  /** Hands out free slots; a caller that is served moves to the end of the next round. */
  #serve(): void {
    for (const [name, caller] of this.#callers) {
      if (this.#free === 0) return;
      const [first] = caller.waiting;
      if (!first || !this.#mayHave(caller)) continue;
      caller.waiting.delete(first);
      this.#hold(caller);
      this.#callers.delete(name);
      this.#callers.set(name, caller); // visited again in this loop, after the others
      first();
    }
  }
}

const tooMany = (): ServiceError =>
  new ServiceError('unavailable', {
    message: 'Too many concurrent requests; try again later.',
  });
