import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { DataSource } from 'typeorm';
import { ServiceError } from '../../base/errors/catalogue.js';
import { guarded, ignore } from '../../base/guarded.js';
import { keyedRequests } from '../../base/telemetry/metrics.js';
import { minuteMs, secondMs, toMegabytes } from '../../base/units.js';
import { JointTransaction } from '../../database/joint-transaction.js';
import type { Queryable } from '../../database/sql.js';
import { percentEncoded } from '../../store/object-key.js';
import type { MasterKey } from '../auth/secrets.js';
import {
  deleteExpired,
  insertPiece,
  selectPiece,
  type KeyId,
  type PieceRow,
  countPieces,
  pieceOverhead,
} from './idempotency.sql.js';
import { inProgress, type KeyLocks } from './key-locks.js';

/** Maximum number of cached owners; evicted ones are counted again. */
const maxOwners = 10_000;

/** How long an owner at its limit is refused before its rows are counted again, in milliseconds. */
const fullMs = minuteMs;

/** Limits on the kept answers of one user or platform. */
interface KeyLimits {
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

// Marks for signed URLs in stored answers, which outlive the URLs. While the JSON is written, a
// mark is an unguessable random word followed by the key of the object, and by its name, if any, as in a
// query; in the stored answer, it is both between two characters that JSON never contains unescaped.

const word = randomBytes(16).toString('hex');
const written = new RegExp(`${word}([A-Za-z0-9._/-]+(?:\\?[A-Za-z0-9._~%-]+)?)`, 'g');

/** The URL of an object. @param name under which clients should save it. */
export type ObjectUrl = (key: string, name?: string) => string;

/** The placeholder for the URL of an object. */
export const urlMark = (key: string, name?: string): string =>
  word + key + (name === undefined ? '' : `?${percentEncoded(name)}`);

/** Converts JSON with marks to its stored form. */
const keepMarks = (json: string): string => json.replace(written, '\u0001$1\u0001');

/** Replaces the marks in stored JSON with URLs. */
export const fillMarks = (kept: string, url: ObjectUrl): string =>
  kept.replace(/\u0001([^\u0001?]*)(?:\?([^\u0001]*))?\u0001/g, (_, key: string, name?: string) => {
    const address = url(key, name === undefined ? undefined : decodeURIComponent(name));
    return JSON.stringify(address).slice(1, -1);
  });

/** A keyed request that is about to run. */
interface KeyedRequest {
  readonly id: KeyId;
  /** Distinguishes the request from others. */
  readonly fingerprint: Buffer;
  /**
   * When its transaction begins: immediately, or with the first transaction inside it. In the
   * latter case, nothing before that is rolled back on failure.
   */
  readonly begin: 'immediately' | 'with first transaction';
}

/** The fingerprint and answer of the first request. */
export interface KeptAnswer {
  readonly fingerprint: Buffer;
  /** JSON of the result, with marks where signed URLs go. */
  pieces(): AsyncIterable<string>;
}

/** The label that binds an encrypted piece to its key. */
const labelOf = ({ owner, key }: KeyId, piece: number): string =>
  `idempotency key ${owner} ${piece} ${key}`;

/** Counts a keyed request by its outcome. */
export async function counted<T>(outcome: 'first' | 'replayed', answer: Promise<T>): Promise<T> {
  try {
    const result = await answer;
    keyedRequests.of(outcome).add();
    return result;
  } catch (error) {
    keyedRequests.of('failed').add();
    throw error;
  }
}

/** Executes each keyed request only once (docs/adr/0016). */
export class IdempotencyKeys {
  constructor(
    private readonly db: DataSource,
    private readonly locks: KeyLocks,
    /** Encrypts stored answers, since some contain the secret of a webhook. */
    private readonly master: MasterKey,
    private readonly quota: KeyQuota,
    /** How long keys are kept, in hours. */
    private readonly hours: number,
  ) {}

  /**
   * Runs `first`, or `again` if a request with this key has already succeeded.
   * @throws ServiceError `request_in_progress`, `rate_limited`.
   */
  async runOnce<T>(
    id: KeyId,
    first: () => Promise<T>,
    again: (kept: KeptAnswer) => Promise<T>,
  ): Promise<T> {
    const kept = await this.find(id);
    if (kept) return counted('replayed', again(kept));
    return this.locks.hold(id, async () => {
      const meanwhile = await this.find(id);
      if (meanwhile) return counted('replayed', again(meanwhile));
      await this.quota.take(id.owner);
      return counted('first', first());
    });
  }

  /**
   * Runs a request in one transaction with the record of its answer. @param answer writes the JSON
   * of the result, and ends the stream. @throws ServiceError `request_in_progress` if a repeat was
   * faster; this request is then rolled back.
   */
  async record(
    { id, fingerprint, begin }: KeyedRequest,
    answer: (kept: Writable) => Promise<void>,
  ): Promise<KeptAnswer> {
    const joint = new JointTransaction(this.db);
    let pieces = 0;
    let first: PieceRow | undefined;
    const keep = async (text: string, isLast: boolean): Promise<void> => {
      const number = pieces++;
      const answer = this.master.seal(Buffer.from(text), labelOf(id, number));
      const piece = { fingerprint, answer, isLast };
      if (!(await insertPiece(joint, id, number, piece, this.hours))) throw inProgress();
      this.quota.charge(id.owner, answer.length);
      first ??= piece;
    };
    await joint.run(async () => {
      if (begin === 'immediately') await joint.begin();
      const writer = new PieceWriter(keep);
      const written = finished(writer);
      await Promise.all([written, answer(writer)]).catch((error: unknown) => {
        writer.destroy();
        throw error;
      });
    });
    if (!first) throw new Error('a keyed request has no answer');
    return this.#answer(id, first);
  }

  /** The answer to a request with this key that has succeeded. */
  async find(id: KeyId): Promise<KeptAnswer | undefined> {
    const first = await selectPiece(this.db, id, 0, this.hours);
    return first && this.#answer(id, first);
  }

  #answer(id: KeyId, first: PieceRow): KeptAnswer {
    return { fingerprint: first.fingerprint, pieces: () => this.#pieces(id, first) };
  }

  async *#pieces(id: KeyId, first: PieceRow): AsyncGenerator<string> {
    const textOf = ({ answer }: PieceRow, number: number): string =>
      this.master.unseal(answer, labelOf(id, number)).toString();
    let piece = first;
    yield textOf(piece, 0);
    for (let number = 1; !piece.isLast; number++) {
      const next = await selectPiece(this.db, id, number, this.hours);
      if (!next) throw new Error('an answer expired while it was sent');
      yield textOf(next, number);
      piece = next;
    }
  }
}

/** Rows deleted per statement, so that the job blocks nothing. */
const batch = 1_000;

/** Deletes keys that were used this many hours ago. @returns the number of deleted rows. */
export async function expireKeys(
  db: Parameters<typeof deleteExpired>[0],
  hours: number,
  signal: AbortSignal,
): Promise<{ rows: number }> {
  let all = 0;
  for (let deleted = batch; deleted === batch && !signal.aborted; all += deleted) {
    deleted = await deleteExpired(db, hours, batch);
  }
  return { rows: all };
}

/** Stores a piece of an answer. */
type Keep = (answer: string, isLast: boolean) => Promise<void>;

/** The destination of the JSON of an answer that is stored: each chunk becomes a piece. */
class PieceWriter extends Writable {
  #pending: string | undefined;

  constructor(private readonly keep: Keep) {
    super({ decodeStrings: false });
  }

  override _write(chunk: string | Buffer, _encoding: string, done: (error?: Error) => void): void {
    const before = this.#pending;
    this.#pending = keepMarks(chunk.toString());
    if (before === undefined) done();
    else this.keep(before, false).then(() => done(), guarded(ignore, done));
  }

  override _final(done: (error?: Error) => void): void {
    this.keep(this.#pending ?? 'null', true).then(() => done(), guarded(ignore, done));
  }
}
