import { QueryFailedError } from 'typeorm';

/** A DataSource, or the EntityManager of a transaction. */
export interface Queryable {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}

/** Runs one statement with bound parameters and returns its rows. */
export async function rows<Row>(
  db: Queryable,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const answer = (await db.query(sql, [...parameters])) as Row[] | [Row[], number];
  // TypeORM returns [rows, count] for UPDATE and DELETE.
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

/** Collects bound values; each `bind` returns its placeholder. */
export function parameters(...first: unknown[]) {
  const values = [...first];
  return { values, bind: (value: unknown): string => `$${values.push(value)}` };
}
export type Bind = ReturnType<typeof parameters>['bind'];

/** An instant as text: more precise than a Date, and independent of session settings. */
export const instantText = (instant: string): string =>
  `to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const sqlState = (error: unknown): unknown =>
  error instanceof QueryFailedError && (error.driverError as { code?: unknown }).code;

/** Whether a standby cancelled a statement because of a recovery conflict. */
export const isRecoveryConflict = (error: unknown): boolean => sqlState(error) === '40001';

/** Whether a statement failed because the referenced row does not exist. */
export const isForeignKeyViolation = (error: unknown): boolean => sqlState(error) === '23503';

/** Whether a statement violated a unique index. */
export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505';

/** The name of the violated check, either a table's or one raised by a trigger. */
export const violatedCheck = (error: unknown): string | undefined => violation(error)?.constraint;

/** What a trigger says beside the name of the violated check. */
export const violationDetail = (error: unknown): string | undefined => violation(error)?.detail;

const violation = (error: unknown): { constraint?: string; detail?: string } | undefined =>
  sqlState(error) === '23514'
    ? ((error as QueryFailedError).driverError as { constraint?: string; detail?: string })
    : undefined;

/** Whether a statement timed out. */
export const isTimedOut = (error: unknown): boolean => sqlState(error) === '57014';

const abortCodes = new Set<unknown>([
  '57014', // statement timeout
  '55P03', // lock timeout
  '40001', // serialization failure
  '40P01', // deadlock
]);

/**
 * Whether the database aborted a statement and its transaction for a temporary reason, such as a
 * lock held by others: not a bug, and worth retrying later.
 */
export const isAbortedByServer = (error: unknown): boolean => abortCodes.has(sqlState(error));
