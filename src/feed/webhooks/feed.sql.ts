import { prepared, rows, type Queryable, horizon } from '../../database/sql.js';
import { ofActivePlatform } from './webhooks.sql.js';
import { eventTypeOf } from './event-types.js';

/** Entries of one webhook that are added to lanes at a time. */
const entriesPerBatch = 500;
/** Maximum number of lanes of one webhook; beyond that, later entries wait in the feed. */
const maxLanes = 1_500;

export interface FedWebhook {
  readonly id: string;
  /** Whether entries that it should have delivered are no longer kept. */
  readonly missed: boolean;
}

const positionColumns = 'feed_position, user_id, seq';
const positionOf = (table: string): string =>
  `(${table}.feed_position, ${table}.user_id, ${table}.seq)`;

/**
 * Adds new entries of the feed to lanes, in one statement. Any node may do so, but only one at a
 * time per webhook. Entries already in a lane come before those that are added.
 * @returns the active webhooks that had new entries.
 */
export const feedLanes = (db: Queryable): Promise<FedWebhook[]> =>
  rows(
    db,
    prepared(`WITH clock AS MATERIALIZED (SELECT (${horizon}) AS horizon),
     behind AS MATERIALIZED (
       SELECT w.id, w.platform_id, w.types, w.feed_position, w.user_id, w.seq
       FROM webhooks w
       WHERE w.paused_reason IS NULL AND ${ofActivePlatform('w')} AND EXISTS (
         SELECT FROM changes c
         WHERE c.platform_id = w.platform_id AND ${positionOf('c')} > ${positionOf('w')}
           AND c.feed_position < (SELECT horizon FROM clock)
       ) AND (
         SELECT count(*) FROM webhook_lanes l WHERE l.webhook_id = w.id
       ) <= ${maxLanes - entriesPerBatch}
       ORDER BY w.id FOR NO KEY UPDATE OF w SKIP LOCKED
     ),
     entry AS MATERIALIZED (
       SELECT w.id AS webhook_id, w.types, c.feed_position, c.user_id, c.seq,
              ${eventTypeOf('c')} AS event
       FROM behind w CROSS JOIN LATERAL (
         SELECT ${positionColumns}, type, action FROM changes
         WHERE platform_id = w.platform_id AND (${positionColumns}) > ${positionOf('w')}
           AND feed_position < (SELECT horizon FROM clock)
         ORDER BY ${positionColumns} LIMIT ${entriesPerBatch}
       ) AS c
     ),
     newest AS (
       SELECT DISTINCT ON (webhook_id) webhook_id, ${positionColumns} FROM entry
       ORDER BY webhook_id, feed_position DESC, user_id DESC, seq DESC
     ),
     moved AS (
       UPDATE webhooks w SET feed_position = n.feed_position, user_id = n.user_id, seq = n.seq
       FROM newest n WHERE w.id = n.webhook_id
     ),
     lanes AS (
       INSERT INTO webhook_lanes AS l (webhook_id, user_id, seq, last)
       SELECT webhook_id, user_id, min(seq), max(seq) FROM entry
       WHERE types IS NULL OR event = ANY (types)
       GROUP BY webhook_id, user_id ORDER BY webhook_id, user_id
       ON CONFLICT (webhook_id, user_id) DO UPDATE
       SET seq = CASE WHEN l.seq > l.last THEN excluded.seq ELSE l.seq END, last = excluded.last
     )
     SELECT w.id, EXISTS (
       SELECT FROM feed_expiry x
       WHERE x.platform_id = w.platform_id AND ${positionOf('x')} > ${positionOf('w')}
     ) AS missed
     FROM behind w`),
  );

/** Deletes lanes that have nothing left to deliver. */
export const deleteEmptyLanes = (db: Queryable): Promise<unknown> =>
  rows(db, 'DELETE FROM webhook_lanes WHERE seq > last AND (claim IS NULL OR due_at <= now())');

/** Whether there is an active webhook of an active platform. */
export const hasActiveWebhook = async (db: Queryable): Promise<boolean> =>
  (
    await rows(
      db,
      `SELECT FROM webhooks w WHERE paused_reason IS NULL AND ${ofActivePlatform('w')} LIMIT 1`,
    )
  ).length > 0;
