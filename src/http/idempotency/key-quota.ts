import type { Queryable } from '../../database/sql.js';
import { ServiceError } from '../../base/errors/catalogue.js';
import { minuteMs, secondMs, toMegabytes } from '../../base/units.js';
import { countPieces, pieceOverhead } from './idempotency.sql.js';

/** Maximum number of cached owners; evicted ones are counted again. */
const maxOwners = 10_000;

/** How long an owner at its limit is refused before its rows are counted again, in milliseconds. */
const fullMs = minuteMs;

/** Limits on the kept answers of one user or platform. */
export interface KeyLimits {
  readonly pieces: number;
  readonly bytes: number;
}

/** What an owner may keep before its rows are counted. */
interface Allowance {
  pieces: number;
  bytes: number;
  /** Refuse all keys until this time of the `performance` clock. */
  readonly fullUntil: number;
}

/**
 * Limits the rows and bytes of the answers that are kept for one user or platform. Counting rows takes
 * longer than adding one, so each process counts only once per hundredth of a limit, and the limit may
 * be exceeded by that much, and by one answer.
 */
export class KeyQuota {
  readonly #allowances = new Map<string, Allowance>();
  readonly #step: KeyLimits;

  constructor(
    private readonly db: Queryable,
    private readonly max: KeyLimits,
  ) {
    const part = (limit: number): number => Math.max(1, Math.floor(limit / 100));
    this.#step = { pieces: part(max.pieces), bytes: part(max.bytes) };
  }

  /** @throws ServiceError `rate_limited` if this user or platform has reached a limit. */
  async take(owner: string): Promise<void> {
    const known = this.#allowances.get(owner) ?? { ...this.#step, fullUntil: 0 };
    if (known.fullUntil > performance.now()) throw this.#full();
    const isLeft = known.pieces > 0 && known.bytes > 0;
    const allowance = isLeft ? known : await this.#counted(owner);
    allowance.pieces -= 1;
    this.#remember(owner, allowance);
    if (allowance.pieces < 0 || allowance.bytes <= 0) throw this.#full();
  }

  /** Charges the bytes of a piece. */
  charge(owner: string, bytes: number): void {
    const known = this.#allowances.get(owner);
    if (known) known.bytes -= bytes + pieceOverhead;
  }

  async #counted(owner: string): Promise<Allowance> {
    const kept = await countPieces(this.db, owner, this.max.pieces);
    const [pieces, bytes] = [this.max.pieces - kept.pieces, this.max.bytes - kept.bytes];
    const fullUntil = pieces > 0 && bytes > 0 ? 0 : performance.now() + fullMs;
    return {
      pieces: Math.min(this.#step.pieces, pieces),
      bytes: Math.min(this.#step.bytes, bytes),
      fullUntil,
    };
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
    const { pieces, bytes } = this.max;
    const message = `At most ${pieces} answers to requests with an Idempotency-Key (idempotency.max_per_owner), and ${toMegabytes(bytes)} MB of them (idempotency.max_mb_per_owner), are kept for one user or platform, each for idempotency.retention_hours. Send the request without a key, or retry later.`;
    return new ServiceError('rate_limited', { message, retryAfter: fullMs / secondMs });
  }
}
