import type { DataSource } from 'typeorm';
import type { Queryable } from './sql.js';

/** A database, and statements that may not take longer than they are worth. */
export interface TimeLimited extends Queryable {
  /** @throws QueryFailedError, for which `isTimedOut` holds, when time is up. */
  queryWithin(limitMs: number, sql: string, parameters?: unknown[]): Promise<unknown>;
}

/** Runs statements in one transaction, each of which the server itself ends when its time is up. */
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

/** Statements of one data source, which may be given limits. */
export const timeLimited = (db: DataSource): TimeLimited => ({
  query: (sql, parameters) => db.query(sql, parameters),
  queryWithin: (limitMs, sql, parameters) => queryWithin(db, limitMs, sql, parameters),
});
