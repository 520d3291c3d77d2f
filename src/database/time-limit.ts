import type { DataSource } from 'typeorm';
import type { Queryable } from './sql.js';

/** A database that can limit the duration of statements. */
export interface TimeLimited extends Queryable {
  /** @throws QueryFailedError, for which `isTimedOut` holds, on timeout. */
  queryWithin(limitMs: number, sql: string, parameters?: unknown[]): Promise<unknown>;
}

/**
 * Runs statements in one transaction; the server itself cancels each one that exceeds the limit.
 */
export const allWithin = <T>(
  db: Pick<DataSource, 'transaction'>,
  limitMs: number,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.query(`SET LOCAL statement_timeout = ${limitMs}`);
    return work(tx);
  });

/** The same for one statement. */
export const queryWithin = (
  db: Pick<DataSource, 'transaction'>,
  limitMs: number,
  sql: string,
  parameters?: unknown[],
): Promise<unknown> => allWithin(db, limitMs, (tx) => tx.query(sql, parameters));

/** Statements of one data source, with optional limits. */
export const timeLimited = (db: DataSource): TimeLimited => ({
  query: (sql, parameters) => db.query(sql, parameters),
  queryWithin: (limitMs, sql, parameters) => queryWithin(db, limitMs, sql, parameters),
});
