import type { DataSource } from 'typeorm';
import type { WallClock } from '../../base/time.js';
import { onlyRow, type Queryable, rows } from '../../database/sql.js';
import { noteAct } from '../../http/audit/acts.js';
import type { Outgoing } from '../../http/outgoing.js';
import { beginning, readCursor, type FeedPosition } from '../changes/entries.js';
import type { Changes } from '../changes/changes.js';
import { bodyOf, signedHeaders, post, type DeliveryOutcome } from './message.js';
import type { Webhooks } from './webhooks.js';
import { selectWebhook } from './webhooks.sql.js';

/**
 * Removes entries after a position from the lanes of a webhook, since the feed will add them again.
 * A lane that begins after the position becomes empty, but a claimed one stays claimed.
 */
const cutLanes = (
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
       WHERE l.webhook_id = $1
         AND (c.feed_position, c.user_id, c.seq) > ($2::bigint, $3::uuid, $4::bigint)
       GROUP BY c.user_id
     ) AS first
     WHERE l.webhook_id = $1 AND l.user_id = first.user_id AND first.seq <= l.last`,
    [id, position, userId, seq],
  );

/** Moves a webhook back to a position of the feed, unless it has not reached that position yet. */
const moveBack = (
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

interface UpkeepParts {
  readonly db: DataSource;
  readonly clock: WallClock;
  readonly webhooks: Webhooks;
  readonly changes: Changes;
  readonly posting: Outgoing;
}

/** The numbers of active and paused webhooks. */
export const webhookCounts = (
  db: Queryable,
): Promise<{ readonly active: number; readonly paused: number }> =>
  onlyRow(
    db,
    `SELECT count(*) FILTER (WHERE paused_reason IS NULL)::int AS active,
            count(paused_reason)::int AS paused
     FROM webhooks`,
  );

/**
 * The number of lanes (users) of active webhooks with entries to deliver, and of those whose next
 * entry has failed.
 */
export const laneCounts = (
  db: Queryable,
): Promise<{ readonly waiting: number; readonly failing: number }> =>
  onlyRow(
    db,
    `SELECT count(*)::int AS waiting, count(*) FILTER (WHERE l.failures > 0)::int AS failing
     FROM webhook_lanes l JOIN webhooks w ON w.id = l.webhook_id
     WHERE w.paused_reason IS NULL AND l.seq <= l.last`,
  );

/** Operations on webhooks for operators at the terminal. */
export class WebhookUpkeep {
  constructor(private readonly parts: UpkeepParts) {}

  /** Sends a test event once, whether or not the webhook is paused. */
  async test(id: string): Promise<DeliveryOutcome & { readonly message_id: string }> {
    const { webhooks, posting } = this.parts;
    const { url, secret } = await webhooks.getWithSecret({ id });
    const now = new Date();
    const message = {
      id: `msg_test_${now.getTime()}`,
      body: bodyOf('webhook.test', now, { webhook_id: id }),
    };
    const headers = signedHeaders(message, [secret], now);
    const never = new AbortController().signal;
    const outcome = await post({ url, headers, body: message.body }, posting, never);
    return { message_id: message.id, ...outcome };
  }

  /**
   * Sends all entries after a position in the platform's feed again. @param after `last` of that
   * feed; by default, starts at the first entry that is kept.
   * @throws ServiceError `webhook_not_found`, `invalid_cursor`, `feed_expired`.
   */
  async replay(id: string, after: string | undefined): Promise<void> {
    const { db, webhooks, changes } = this.parts;
    await webhooks.get({ id });
    const platformId = (await selectWebhook(db, { id }))?.platformId ?? '';
    if (after !== undefined) await changes.ofPlatform(platformId, after, 1);
    const position = after === undefined ? beginning : (readCursor(after) ?? beginning);
    await db.transaction(async (tx) => {
      // Prevents entries from being added to lanes until the transaction ends.
      await rows(tx, 'SELECT FROM webhooks WHERE id = $1 FOR UPDATE', [id]);
      await cutLanes(tx, id, position);
      await moveBack(tx, id, position);
      await noteAct(tx, { act: 'webhook.replay', platformId, details: { webhook: id } });
    });
  }
}
