import { nameList, selectList, valuesOf, without } from '../../database/columns.js';
import { prepared, rows, type Queryable } from '../../database/sql.js';
import type { RowOf } from '../../database/table.js';
import { deliveryColumns } from './entity.js';

/** Attempts that are kept for each webhook. */
const keptAttempts = 1_000;

const insertedColumns = without(deliveryColumns, 'id', 'at');
export type Attempt = Readonly<RowOf<typeof insertedColumns>>;
export type LoggedAttempt = Readonly<RowOf<typeof deliveryColumns>>;

/** Inserts an attempt, given by the first nine values, unless its webhook has been deleted. */
export const attemptInsert = `INSERT INTO webhook_deliveries (${nameList(insertedColumns)})
       SELECT id, $2, $3, $4::uuid, $5::bigint, $6::smallint, $7::smallint, $8, $9::integer
       FROM webhooks WHERE id = $1`;

export const attemptValues = (attempt: Attempt): unknown[] => valuesOf(insertedColumns, attempt);

export const insertAttempt = (db: Queryable, attempt: Attempt): Promise<unknown> =>
  rows(db, prepared(attemptInsert), attemptValues(attempt));

/** The latest attempts of a webhook, newest first. */
export const selectAttempts = (
  db: Queryable,
  webhookId: string,
  limit: number,
): Promise<LoggedAttempt[]> =>
  rows(
    db,
    `SELECT ${selectList(deliveryColumns)} FROM webhook_deliveries
     WHERE webhook_id = $1 ORDER BY id DESC LIMIT $2`,
    [webhookId, limit],
  );

/** Deletes all but the latest attempts of these webhooks. */
export const deleteOldAttempts = (db: Queryable, webhookIds: readonly string[]): Promise<unknown> =>
  rows(
    db,
    `DELETE FROM webhook_deliveries d
     USING unnest($1::uuid[]) AS w (id) CROSS JOIN LATERAL (
       SELECT id FROM webhook_deliveries WHERE webhook_id = w.id
       ORDER BY id DESC OFFSET ${keptAttempts} LIMIT 1
     ) AS old (id)
     WHERE d.webhook_id = w.id AND d.id <= old.id`,
    [webhookIds],
  );
