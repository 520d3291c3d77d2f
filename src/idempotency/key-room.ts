import type { Queryable } from '../database/sql.js';
import { ServiceError } from '../errors/catalogue.js';
import { minuteMs, secondMs } from '../units.js';
import { countPieces } from './queries.js';

/** Owners that are remembered; others begin anew. */
const mostOwners = 10_000;

/** How long an owner without room is refused before its rows are counted again, in milliseconds. */
const fullMs = minuteMs;

/** New keys that an owner may use before its rows are counted. */
interface Allowance {
  left: number;
  /** Until when there are none, on the clock of `performance`. */
  readonly fullUntil: number;
}

/**
 * Bounds how many rows the keys of one user or platform have. Counting them takes longer than
 * adding one, so each process counts only after every hundredth of the limit, by which it may be
 * exceeded.
 */
export class KeyRoom {
  readonly #allowances = new Map<string, Allowance>();
  readonly #step: number;

  constructor(
    private readonly db: Queryable,
    private readonly most: number,
  ) {
    this.#step = Math.max(1, Math.floor(most / 100));
  }

  /** @throws ServiceError `rate_limited` if this user or platform has no room for another key. */
  async take(owner: string): Promise<void> {
    const known = this.#allowances.get(owner) ?? { left: this.#step, fullUntil: 0 };
    if (known.fullUntil > performance.now()) throw this.#full();
    const allowance = known.left > 0 ? known : await this.#counted(owner);
    allowance.left -= 1;
    this.#remember(owner, allowance);
    if (allowance.left < 0) throw this.#full();
  }

  async #counted(owner: string): Promise<Allowance> {
    const room = this.most - (await countPieces(this.db, owner, this.most));
    const fullUntil = room > 0 ? 0 : performance.now() + fullMs;
    return { left: Math.min(this.#step, room), fullUntil };
  }

  #remember(owner: string, allowance: Allowance): void {
    this.#allowances.delete(owner);
    this.#allowances.set(owner, allowance);
    if (this.#allowances.size <= mostOwners) return;
    for (const longest of this.#allowances.keys()) {
      this.#allowances.delete(longest);
      return;
    }
  }

  #full(): ServiceError {
    const message = `At most ${this.most} answers to requests with an Idempotency-Key are kept for one user or platform (idempotency.max_per_owner), each for idempotency.retention_hours. Send the request without a key, or later.`;
    return new ServiceError('rate_limited', { message, retryAfter: fullMs / secondMs });
  }
}
