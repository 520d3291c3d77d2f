import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { DataSource } from 'typeorm';
import { inBatches } from '../../base/concurrency.js';
import { guarded, ignore } from '../../base/guarded.js';
import { keyedRequests } from '../../base/telemetry/metrics.js';
import { JointTransaction } from '../../database/joint-transaction.js';
import type { Queryable } from '../../database/sql.js';
import { percentEncoded } from '../../store/object-key.js';
import type { MasterKey } from '../auth/secrets.js';
import {
  deleteExpired,
  deleteOldest,
  deletePieces,
  insertPiece,
  selectPiece,
  type KeyId,
  type PieceRow,
  pieceOverhead,
} from './idempotency.sql.js';
import { inProgress, type KeyLocks } from './key-locks.js';

/** Owners whose answers are counted on; others begin anew. */
const maxOwners = 10_000;

/** Limits on the kept answers of one user or platform. */
interface KeyLimits {
  readonly pieces: number;
  readonly bytes: number;
}

/**
 * Limits the rows and bytes of the answers that are kept for one user or platform: the oldest are
 * forgotten. Counting rows takes longer than adding one, so each process does it only once per hundredth
 * of a limit, and the limit may be exceeded by that much, and by one answer.
 */
export class KeyQuota {
  /** What each owner may add before its rows are counted. */
  readonly #left = new Map<string, { pieces: number; bytes: number }>();
  readonly #step: KeyLimits;

  constructor(
    private readonly db: Queryable,
    private readonly max: KeyLimits,
  ) {
    const part = (limit: number): number => Math.max(1, Math.floor(limit / 100));
    this.#step = { pieces: part(max.pieces), bytes: part(max.bytes) };
  }

  /** Makes room for another answer. */
  async makeRoom(owner: string): Promise<void> {
    const left = this.#left.get(owner);
    if (left && left.pieces > 0 && left.bytes > 0) return;
    const { pieces, bytes } = this.max;
    await deleteOldest(this.db, owner, pieces - this.#step.pieces, bytes - this.#step.bytes);
    if (!left && this.#left.size >= maxOwners) this.#left.clear();
    this.#left.set(owner, { ...this.#step });
  }

  /** Charges a piece. */
  charge(owner: string, bytes: number): void {
    const left = this.#left.get(owner);
    if (!left) return;
    left.pieces -= 1;
    left.bytes -= bytes + pieceOverhead;
  }
}

// Marks for signed URLs in stored answers, which outlive the URLs. While the JSON is written, a
// mark is an unguessable random word followed by the key of the object, and by its name, if any, as in a
// query; in the stored answer, it is both between two characters that JSON never contains unescaped.

const word = randomBytes(16).toString('hex');
const written = new RegExp(`${word}([A-Za-z0-9._/-]+(?:\\?[A-Za-z0-9._~%-]+)?)`, 'g');

/** The URL of an object; null if it is withheld. @param name under which clients should save it. */
export type ObjectUrl = (key: string, name?: string) => string | null;

/** The placeholder for the URL of an object. */
export const urlMark = (key: string, name?: string): string =>
  word + key + (name === undefined ? '' : `?${percentEncoded(name)}`);

/** Converts JSON with marks to its stored form. */
const keepMarks = (json: string): string => json.replace(written, '\u0001$1\u0001');

/** Replaces the marks in stored JSON with URLs. */
export const fillMarks = (kept: string, url: ObjectUrl): string =>
  kept.replace(/"\u0001([^\u0001?]*)(?:\?([^\u0001]*))?\u0001"/g, (_, key: string, name?: string) =>
    JSON.stringify(url(key, name === undefined ? undefined : decodeURIComponent(name))),
  );

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
  /** The answer that the key has so far does not hold any more. */
  readonly replaces?: boolean;
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
async function counted<T>(outcome: 'first' | 'replayed', answer: Promise<T>): Promise<T> {
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
   * @param holds whether its answer does; if not, `first` replaces it.
   * @throws ServiceError `request_in_progress`.
   */
  async runOnce<T>(
    id: KeyId,
    first: (replaces: boolean) => Promise<T>,
    again: (kept: KeptAnswer) => Promise<T>,
    holds: (kept: KeptAnswer) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<T> {
    const kept = await this.find(id);
    if (kept && (await holds(kept))) return counted('replayed', again(kept));
    return this.locks.hold(id, async () => {
      const latest = await this.find(id);
      if (latest && (await holds(latest))) return counted('replayed', again(latest));
      await this.quota.makeRoom(id.owner);
      return counted('first', first(latest !== undefined));
    });
  }

  /**
   * Runs a request in one transaction with the record of its answer. @param answer writes the JSON
   * of the result, and ends the stream. @throws ServiceError `request_in_progress` if a repeat was
   * faster; this request is then rolled back.
   */
  async record(
    { id, fingerprint, begin, replaces }: KeyedRequest,
    answer: (kept: Writable) => Promise<void>,
  ): Promise<KeptAnswer> {
    const joint = new JointTransaction(this.db);
    let pieces = 0;
    let first: PieceRow | undefined;
    const keep = async (text: string, isLast: boolean): Promise<void> => {
      const number = pieces++;
      if (number === 0 && replaces) await deletePieces(joint, id);
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
  return { rows: await inBatches(batch, signal, () => deleteExpired(db, hours, batch)) };
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
