import type { FeedPosition } from '../changes/cursor.js';
import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';

const lockWebhook = `SELECT id, feed_position, user_id, seq FROM webhooks WHERE id = $1 FOR UPDATE`;
const after = '(c.feed_position, c.user_id, c.seq) > ($2::bigint, $3::uuid, $4::bigint)';

/** Prevents entries from being added to lanes until the transaction ends. */
export const lockFeeding = (tx: Queryable, id: string): Promise<unknown> =>
  rows(tx, lockWebhook, [id]);

/**
 * Removes entries after a position from the lanes of a webhook, since the feed will add them again.
 * A lane that begins after the position becomes empty, but a claimed one stays claimed.
 */
export const cutLanes = (
  tx: Queryable,
  id: string,
  { position, userId, seq }: FeedPosition,
): Promise<unknown> =>
  rows(
    tx,
    `UPDATE webhook_lanes l SET last = first.seq - 1, failures = 0,
       due_at = CASE WHEN claim IS NULL THEN now() ELSE due_at END
     FROM (
       SELECT c.user_id, min(c.seq) AS seq
       FROM webhook_lanes l JOIN changes c ON c.user_id = l.user_id AND c.seq <= l.last
       WHERE l.webhook_id = $1 AND ${after}
       GROUP BY c.user_id
     ) AS first
     WHERE l.webhook_id = $1 AND l.user_id = first.user_id AND first.seq <= l.last`,
    [id, position, userId, seq],
  );

/** Moves a webhook back to a position of the feed, unless it has not reached that position yet. */
export const moveBack = (
  tx: Queryable,
  id: string,
  { position, userId, seq }: FeedPosition,
): Promise<unknown> =>
  rows(
    tx,
    `UPDATE webhooks SET feed_position = $2, user_id = $3, seq = $4
     WHERE id = $1 AND (feed_position, user_id, seq) > ($2::bigint, $3::uuid, $4::bigint)`,
    [id, position, userId, seq],
  );
