import {
  columnName,
  only,
  selectList,
  nameList,
  valuesOf,
  without,
  type RowOf,
} from '../../database/columns.js';
import { horizon, onlyRow, row, rows, type Queryable, prepared } from '../../database/sql.js';
import type { FeedPosition } from '../changes/entries.js';
import { currentBearer } from '../../base/telemetry/context.js';
import { namedTokens } from '../../http/auth/entity.js';
import { webhookColumns, deliveryColumns } from './entity.js';
import { keptAttempts } from './schemas.js';

const insertedColumns = without(deliveryColumns, 'id', 'at');
export type Attempt = Readonly<RowOf<typeof insertedColumns>>;
type LoggedAttempt = Readonly<RowOf<typeof deliveryColumns>> & {
  /** When its entry is sent again; null: not, or now. */
  readonly nextAt: Date | null;
};

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
    `SELECT ${selectList(deliveryColumns, 'd')}, l.due_at AS "nextAt"
     FROM webhook_deliveries d
     LEFT JOIN (webhook_lanes l JOIN webhooks w ON w.id = l.webhook_id AND w.paused_reason IS NULL)
       ON l.webhook_id = d.webhook_id AND l.user_id = d.user_id AND l.failures = d.attempt
       AND d.seq BETWEEN l.seq AND l.last AND l.claim IS NULL
     WHERE d.webhook_id = $1 ORDER BY d.id DESC LIMIT $2`,
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

/**
 * SQL: whether the platform of a webhook is not suspended. While it is suspended, deliveries wait.
 * @param webhook alias of the table.
 */
export const ofActivePlatform = (webhook: string): string => `NOT EXISTS (
  SELECT FROM platforms p WHERE p.id = ${webhook}.platform_id AND p.suspended_at IS NOT NULL
)`;

const shown = only(
  webhookColumns,
  ...(['id', 'platformId', 'url', 'types', 'description'] as const),
  ...(['pausedReason', 'createdAt', 'updatedAt', 'madeWith'] as const),
);

export type WebhookRow = Readonly<RowOf<typeof shown>>;

/** Identifies a webhook of the given platform, or of any. */
export interface WebhookKey {
  readonly id: string;
  readonly platformId?: string | undefined;
}

const isIt = `id = $1 AND ($2::uuid IS NULL OR platform_id = $2)`;
const keyValues = ({ id, platformId }: WebhookKey): unknown[] => [id, platformId ?? null];

/** A platform's webhooks, or those of all platforms; oldest first. */
export const selectWebhooks = (db: Queryable, platformId?: string): Promise<WebhookRow[]> =>
  rows(
    db,
    `SELECT ${selectList(shown)} FROM webhooks
     WHERE $1::uuid IS NULL OR platform_id = $1 ORDER BY id`,
    [platformId ?? null],
  );

export const selectWebhook = (db: Queryable, key: WebhookKey): Promise<WebhookRow | undefined> =>
  row(db, `SELECT ${selectList(shown)} FROM webhooks WHERE ${isIt}`, keyValues(key));

/** The secret of a webhook, encrypted. */
export const selectSealed = (
  db: Queryable,
  key: WebhookKey,
): Promise<(WebhookRow & { readonly sealed: Buffer }) | undefined> =>
  row(db, `SELECT ${selectList(shown)}, sealed FROM webhooks WHERE ${isIt}`, keyValues(key));

interface InsertedWebhook {
  readonly id: string;
  readonly platformId: string;
  readonly url: string;
  readonly types: readonly string[] | null;
  readonly description: string | null;
  readonly sealed: Buffer;
}

/** Blocks concurrent transactions that count the platform's webhooks. */
export const lockPlatform = (tx: Queryable, platformId: string): Promise<unknown> =>
  rows(tx, 'SELECT FROM platforms WHERE id = $1 FOR NO KEY UPDATE', [platformId]);

/** @returns undefined if the platform already has `max` webhooks, or does not exist. */
export const insertWebhook = (
  tx: Queryable,
  { id, platformId, url, types, description, sealed }: InsertedWebhook,
  { start, max }: { start: FeedPosition; max: number },
): Promise<WebhookRow | undefined> =>
  row(
    tx,
    `INSERT INTO webhooks (id, platform_id, url, types, description, sealed,
                           feed_position, user_id, seq, made_with)
     SELECT $1::uuid, p.id, $3, $4::text[], $5, $6::bytea, $7::bigint, $8::uuid, $9::bigint,
            (SELECT jsonb_build_object('id', t.id, 'name', t.name) FROM ${namedTokens} t WHERE t.id = $11)
     FROM platforms p
     WHERE p.id = $2 AND (SELECT count(*) FROM webhooks w WHERE w.platform_id = p.id) < $10
     RETURNING ${selectList(shown)}`,
    // prettier-ignore
    [
      id, platformId, url, types, description, sealed, start.position, start.userId, start.seq, max,
      currentBearer()?.token,
    ],
  );

/** Changes the given columns. */
export function updateWebhook(
  db: Queryable,
  key: WebhookKey,
  changes: Partial<Pick<RowOf<typeof webhookColumns>, 'url' | 'types' | 'description'>>,
): Promise<WebhookRow | undefined> {
  const given = (['url', 'types', 'description'] as const).filter((name) => name in changes);
  const sets = given.map((name, n) => `${columnName(webhookColumns, name)} = $${n + 3}`);
  return row(
    db,
    `UPDATE webhooks SET ${[...sets, 'updated_at = now()'].join(', ')}
     WHERE ${isIt} RETURNING ${selectList(shown)}`,
    [...keyValues(key), ...given.map((name) => changes[name])],
  );
}

export const deleteWebhook = (db: Queryable, key: WebhookKey): Promise<WebhookRow | undefined> =>
  row(db, `DELETE FROM webhooks WHERE ${isIt} RETURNING ${selectList(shown)}`, keyValues(key));

/** Replaces the secret; the current one becomes the previous one. */
export const replaceSecret = (
  db: Queryable,
  key: WebhookKey,
  sealed: Buffer,
): Promise<WebhookRow | undefined> =>
  row(
    db,
    `UPDATE webhooks
     SET sealed_before = sealed, sealed = $3, rotated_at = now(), updated_at = now()
     WHERE ${isIt} RETURNING ${selectList(shown)}`,
    [...keyValues(key), sealed],
  );

/** Pauses an active webhook; a paused one keeps its reason. */
export const pauseWebhook = (
  db: Queryable,
  key: WebhookKey,
  reason: string,
): Promise<WebhookRow | undefined> =>
  row(
    db,
    `UPDATE webhooks
     SET paused_reason = coalesce(paused_reason, $3),
         updated_at = CASE WHEN paused_reason IS NULL THEN now() ELSE updated_at END
     WHERE ${isIt} RETURNING ${selectList(shown)}`,
    [...keyValues(key), reason],
  );

/** Resumes a webhook and resets its failed attempts. */
export const resumeWebhook = (db: Queryable, key: WebhookKey): Promise<WebhookRow | undefined> =>
  row(
    db,
    `WITH resumed AS (
       UPDATE webhooks
       SET paused_reason = NULL,
           updated_at = CASE WHEN paused_reason IS NULL THEN updated_at ELSE now() END
       WHERE ${isIt} RETURNING ${selectList(shown)}
     ),
     lanes AS (
       UPDATE webhook_lanes l SET failures = 0, due_at = now() FROM resumed r
       WHERE l.webhook_id = r.id AND l.claim IS NULL
     )
     SELECT * FROM resumed`,
    keyValues(key),
  );

/**
 * The newest entry that a platform's feed shows, and whether there are no entries that it will show
 * only later.
 */
export const selectFeedStart = async (
  db: Queryable,
  platformId: string,
): Promise<{ readonly start: FeedPosition; readonly settled: boolean }> => {
  const { settled, ...start } = await onlyRow<FeedPosition & { readonly settled: boolean }>(
    db,
    `WITH clock AS MATERIALIZED (SELECT (${horizon}) AS horizon)
     SELECT known.*, NOT EXISTS (
       SELECT FROM changes
       WHERE platform_id = $1 AND feed_position >= (SELECT horizon FROM clock)
     ) AS settled
     FROM (
       (SELECT feed_position AS position, user_id AS "userId", seq FROM changes
        WHERE platform_id = $1 AND feed_position < (SELECT horizon FROM clock)
        ORDER BY feed_position DESC, user_id DESC, changes.seq DESC LIMIT 1)
       UNION ALL
       SELECT feed_position, user_id, seq FROM feed_expiry WHERE platform_id = $1
       UNION ALL
       SELECT 0, '00000000-0000-0000-0000-000000000000', 0
     ) AS known
     ORDER BY position DESC, "userId" DESC, seq DESC LIMIT 1`,
    [platformId],
  );
  return { start, settled };
};
