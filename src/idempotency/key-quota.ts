import type { Queryable } from '../database/sql.js';
import { ServiceError } from '../errors/catalogue.js';
import { minuteMs, secondMs } from '../units.js';
import { countPieces } from './queries.js';

/** Maximum number of cached owners; evicted ones are counted again. */
const maxOwners = 10_000;

/** How long an owner at its limit is refused before its rows are counted again, in milliseconds. */
const fullMs = minuteMs;

/** New keys that an owner may use before its rows are counted. */
interface Allowance {
  left: number;
  /** Refuse all keys until this time of the `performance` clock. */
  readonly fullUntil: number;
}

/**
 * Limits the number of rows for the keys of one user or platform. Counting rows takes longer than
 * adding one, so each process counts only once per hundredth of the limit, and the limit may be
 * exceeded by that much.
 */
export class KeyQuota {
  readonly #allowances = new Map<string, Allowance>();
  readonly #step: number;

  constructor(
    private readonly db: Queryable,
    private readonly max: number,
  ) {
    this.#step = Math.max(1, Math.floor(max / 100));
  }

  /** @throws ServiceError `rate_limited` if this user or platform has reached the limit. */
  async take(owner: string): Promise<void> {
    const known = this.#allowances.get(owner) ?? { left: this.#step, fullUntil: 0 };
    if (known.fullUntil > performance.now()) throw this.#full();
    const allowance = known.left > 0 ? known : await this.#counted(owner);
    allowance.left -= 1;
    this.#remember(owner, allowance);
    if (allowance.left < 0) throw this.#full();
  }

  async #counted(owner: string): Promise<Allowance> {
    const left = this.max - (await countPieces(this.db, owner, this.max));
    const fullUntil = left > 0 ? 0 : performance.now() + fullMs;
    return { left: Math.min(this.#step, left), fullUntil };
  }

  #remember(owner: string, allowance: Allowance): void {
    this.#allowances.delete(owner);
    this.#allowances.set(owner, allowance);
    if (this.#allowances.size <= maxOwners) return;
    for (const longest of this.#allowances.keys()) {
      this.#allowances.delete(longest);
      return;
    }
  }

  #full(): ServiceError {
    const message = `At most ${this.max} answers to requests with an Idempotency-Key are kept for one user or platform (idempotency.max_per_owner), each for idempotency.retention_hours. Send the request without a key, or retry later.`;
    return new ServiceError('rate_limited', { message, retryAfter: fullMs / secondMs });
  }
}
