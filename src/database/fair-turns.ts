import { guarded } from '../guard.js';
import { ServiceError } from '../errors/catalogue.js';

export interface TurnLimits {
  /** Turns that all callers together have at a time. */
  readonly total: number;
  /** Turns that one caller has at a time. */
  readonly perCaller: number;
  /** Requests of one caller that may wait for a turn. */
  readonly waiting: number;
  /** The longest that one may wait, in milliseconds. */
  readonly waitMs: number;
}

interface Caller {
  held: number;
  readonly waiting: Set<() => void>;
}

/**
 * Shares turns fairly between callers. One caller never has more than a share of them, and may take
 * another one only while more are free than he has: some are left for the next who comes, however
 * many have come before. Waiting callers are served round-robin, whoever has asked how often.
 */
export class FairTurns {
  /** Callers that have or want something, the one to be looked at next first. */
  readonly #callers = new Map<string, Caller>();
  #free: number;

  constructor(private readonly limits: TurnLimits) {
    this.#free = limits.total;
  }

  /**
   * Takes a turn, which has to be given back.
   * @returns nothing when it is there, or a promise of it.
   * @throws ServiceError `unavailable` when the caller waits for too many, or waits too long; others
   *   do not notice.
   */
  take(name: string): Promise<void> | undefined {
    const caller = this.#callers.get(name) ?? this.#enter(name);
    if (caller.waiting.size === 0 && this.#mayHave(caller)) return void this.#hold(caller);
    if (caller.waiting.size >= this.limits.waiting) throw tooMany();
    return this.#wait(name, caller);
  }

  /** Gives a turn back. */
  give(name: string): void {
    const caller = this.#callers.get(name);
    if (!caller || caller.held === 0) throw new Error(`${name} has no turn to give back`);
    caller.held -= 1;
    this.#free += 1;
    this.#leave(name, caller);
    this.#serve();
  }

  #enter(name: string): Caller {
    const caller: Caller = { held: 0, waiting: new Set() };
    this.#callers.set(name, caller);
    return caller;
  }

  #leave(name: string, caller: Caller): void {
    if (caller.held === 0 && caller.waiting.size === 0) this.#callers.delete(name);
  }

  #mayHave({ held }: Caller): boolean {
    return held < Math.min(this.limits.perCaller, this.#free);
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

  /** Hands out what is free; whoever is served comes last in the next round. */
  #serve(): void {
    for (const [name, caller] of this.#callers) {
      if (this.#free === 0) return;
      const [first] = caller.waiting;
      if (!first || !this.#mayHave(caller)) continue;
      caller.waiting.delete(first);
      this.#hold(caller);
      this.#callers.delete(name);
      this.#callers.set(name, caller); // looked at once more in this loop, after the others
      first();
    }
  }
}

const tooMany = (): ServiceError =>
  new ServiceError('unavailable', {
    message: 'Too many of your requests are being worked on; try again later.',
  });
