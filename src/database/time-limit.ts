import type { DataSource } from 'typeorm';
import type { Queryable } from './sql.js';

/** A database, and statements that may not take longer than they are worth. */
export interface TimeLimited extends Queryable {
  /** @throws QueryFailedError, for which `isTimedOut` holds, when time is up. */
  queryWithin(limitMs: number, sql: string, parameters?: unknown[]): Promise<unknown>;
}

/** Runs one statement that the server itself ends when its time is up. */
export const queryWithin = (
  db: Pick<DataSource, 'transaction'>,
  limitMs: number,
  sql: string,
  parameters?: unknown[],
): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.query(`SET LOCAL statement_timeout = ${limitMs}`);
    return tx.query<unknown>(sql, parameters);
  });

/** Statements of one data source, which may be given limits. */
export const timeLimited = (db: DataSource): TimeLimited => ({
  query: (sql, parameters) => db.query(sql, parameters),
  queryWithin: (limitMs, sql, parameters) => queryWithin(db, limitMs, sql, parameters),
});
