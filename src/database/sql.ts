import { createHash } from 'node:crypto';
import {
  QueryFailedError,
  type EntityManager,
  type EntitySchema,
  type ObjectLiteral,
  type QueryDeepPartialEntity,
  type DataSource,
} from 'typeorm';
import { ServiceError } from '../base/errors/catalogue.js';

// Uncommitted entries cannot get a position below this one, since their transaction ids are at
// least that of the oldest open transaction (docs/adr/0015).
export const horizon = `
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + xid_offset FROM feed_clock`;

/** Each text costs memory on every connection that uses it: those beyond are planned each time. */
const maxPrepared = 40;

const names = new Map<string, string>();

/**
 * Marks a frequently run statement: connections plan it once and keep it by name (see
 * client.ts). The name depends only on the text, so that a connection that a pooler passes
 * to another process never has a different text under it.
 * @returns the same text.
 */
export function prepared(sql: string): string {
  if (names.has(sql) || names.size >= maxPrepared) return sql;
  const digest = createHash('sha256').update(sql).digest('hex');
  names.set(sql, `imgstore_${digest.slice(0, 32)}`);
  return sql;
}

/** The name of a marked statement. */
export const preparedName = (sql: string): string | undefined => names.get(sql);

/**
 * Inserts a row. Unlike `EntityManager.insert` it does not read back what the database filled in,
 * and leaves the object as it is.
 */
export const insert = <Row extends ObjectLiteral>(
  db: Pick<EntityManager, 'createQueryBuilder'>,
  entity: EntitySchema<Row>,
  row: QueryDeepPartialEntity<Row>,
): Promise<unknown> =>
  db.createQueryBuilder().insert().into(entity).values(row).updateEntity(false).execute();

/** A DataSource, or the EntityManager of a transaction. */
export interface Queryable {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}

/**
 * Runs one statement with bound parameters and returns its rows.
 * @throws ServiceError `held` for the deletion of what a hold keeps, whatever the statement.
 */
export async function rows<Row>(
  db: Queryable,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const answer = (await db.query(sql, [...parameters]).catch(heldInstead)) as
    Row[] | [Row[], number];
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

/** The row of a query that always has one, such as an aggregate without groups. */
export async function onlyRow<Row>(
  db: Queryable,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row> {
  const found = await row<Row>(db, sql, parameters);
  if (found === undefined) throw new Error(`no row: ${sql}`);
  return found;
}

/** The only column of the first row; undefined without rows. */
export async function value<T>(
  db: Queryable,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<T | undefined> {
  return (await column<T>(db, sql, parameters))[0];
}

/** The same of a query that always has a row. */
export async function onlyValue<T>(
  db: Queryable,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<T> {
  const [found] = await column<T>(db, sql, parameters);
  if (found === undefined) throw new Error(`no row: ${sql}`);
  return found;
}

/** The only column of all rows. */
export async function column<T>(
  db: Queryable,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<T[]> {
  const found = await rows<Record<string, T>>(db, sql, parameters);
  return found.flatMap((one) => {
    const values = Object.values(one);
    if (values.length !== 1) throw new TypeError(`one column expected: ${Object.keys(one).join()}`);
    return values;
  });
}

/** Whether a statement finds a row, or changes one and returns it. */
export async function exists(
  db: Queryable,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<boolean> {
  return (await countRows(db, sql, parameters)) > 0;
}

/** How many rows a statement finds, or changes and returns. */
export async function countRows(
  db: Queryable,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<number> {
  return (await rows(db, sql, parameters)).length;
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

/** Whether a statement gave up waiting for a lock (`lock_timeout`). */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === '55P03';

/** Whether a value is one that PostgreSQL does not know, such as a time zone. */
export const isInvalidParameter = (error: unknown): boolean => sqlState(error) === '22023';

/** Whether a statement violated a unique index. */
export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505';

/** The name of the violated check, either a table's or one raised by a trigger. */
export const violatedCheck = (error: unknown): string | undefined => violation(error)?.constraint;

/** The triggers of holds refuse in one way, and their refusal is for clients. */
function heldInstead(error: unknown): never {
  if (violatedCheck(error) !== 'held') throw error;
  const id = violationDetail(error);
  const message = `The hold ${id} keeps this, or something of it, from being deleted.`;
  throw new ServiceError('held', { message, details: { hold_id: id }, cause: error });
}

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

/** Serializes concurrent statements on one connection: each awaits the previous one. */
export function inTurn(db: Queryable): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  return {
    query(sql, parameters) {
      const answer = last.then(() => db.query(sql, parameters));
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}

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
