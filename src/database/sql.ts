import { QueryFailedError } from 'typeorm';

/** A DataSource, or the EntityManager of a transaction. */
export interface Queryable {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}

/** Runs one statement with bound parameters and answers its rows. */
export async function rows<Row>(
  db: Queryable,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const answer = (await db.query(sql, [...parameters])) as Row[] | [Row[], number];
  // TypeORM answers UPDATE and DELETE with [rows, count].
  return typeof answer[1] === 'number' ? (answer[0] as Row[]) : (answer as Row[]);
}

/** The first row, or undefined. */
export async function row<Row>(
  db: Queryable,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row | undefined> {
  return (await rows<Row>(db, sql, parameters))[0];
}

/** Collects bound values; each `bind` answers its placeholder. */
export function parameters(...first: unknown[]) {
  const values = [...first];
  return { values, bind: (value: unknown): string => `$${values.push(value)}` };
}
export type Bind = ReturnType<typeof parameters>['bind'];

/** An instant as text: finer than a Date, and the same whatever the session's settings are. */
export const instantText = (instant: string): string =>
  `to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const sqlState = (error: unknown): unknown =>
  error instanceof QueryFailedError && (error.driverError as { code?: unknown }).code;

/** Whether a standby gave a statement up because what it read was being replaced. */
export const isRecoveryConflict = (error: unknown): boolean => sqlState(error) === '40001';

/** Whether a statement failed because the row that it refers to is not there. */
export const isForeignKeyViolation = (error: unknown): boolean => sqlState(error) === '23503';

/** Whether a statement failed because a unique index already has these values. */
export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505';

/** The name of the check that a statement failed, a table's or one that a trigger tells of. */
export const violatedCheck = (error: unknown): string | undefined =>
  sqlState(error) === '23514'
    ? ((error as QueryFailedError).driverError as { constraint?: string }).constraint
    : undefined;

const givenUp = new Set<unknown>([
  '57014', // took longer than the limit
  '55P03', // waited longer for a lock than the limit
  '40001', // serialization failure
  '40P01', // deadlock
]);

/**
 * Whether the database gave a statement up, and its transaction with it, for reasons that pass, such
 * as locks that others hold: no defect, and a reason to try again later.
 */
export const isGivenUp = (error: unknown): boolean => givenUp.has(sqlState(error));
