import { tokenName } from '../../http/auth/entity.js';
import { readColumns, type ChangeRow } from '../changes/entries.js';
import { selectList } from '../../database/columns.js';
import { horizon, prepared, type Queryable, row, rows } from '../../database/sql.js';
import { actions, types } from '../changes/schemas.js';
import { checkpointType } from './schemas.js';
import { ofActivePlatform } from './webhooks.sql.js';

// Lanes: the users with entries that a webhook has yet to deliver. The feed fills them, nodes claim
// and advance them.

const listed = (words: readonly string[]): string => `'{${words.join(',')}}'::text[]`;

/** SQL: the event type of an entry of the change feed. */
const eventTypeOf = (entry: string): string =>
  `(${listed([...types, 'checkpoint'])})[${entry}.type] || '.' || (${listed(actions)})[${entry}.action + 1]`;

/** SQL: whether a webhook wants an entry. */
const isWanted = (hook: string, event: string): string =>
  `(${event} = ANY (${hook}.types) OR (${hook}.types IS NULL AND ${event} <> '${checkpointType}'))`;

/** Entries of one webhook that are added to lanes at a time. */
const entriesPerBatch = 500;
/** Maximum number of lanes of one webhook; beyond that, later entries wait in the feed. */
const maxLanes = 1_500;

interface FedWebhook {
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
       WHERE ${isWanted('entry', 'event')}
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
  (await row(
    db,
    `SELECT FROM webhooks w WHERE paused_reason IS NULL AND ${ofActivePlatform('w')} LIMIT 1`,
  )) !== undefined;

/** A claimed lane with its webhook. */
export interface ClaimedLane {
  readonly webhookId: string;
  readonly userId: string;
  readonly url: string;
  /** The secrets to sign with, encrypted: the current one first. */
  readonly secrets: readonly Buffer[];
  readonly claim: string;
  readonly failures: number;
  /** The position of the lane when it was claimed. */
  readonly from: number;
  readonly last: number;
}

/** Without an entry, the lane's entries are no longer kept or no longer subscribed to. */
export type Claimed = ClaimedLane & { readonly entry: ChangeRow | undefined };

interface ClaimRequest {
  /** Identifies this claim. */
  readonly claim: string;
  /** How long until the claim expires if this node dies, in milliseconds. */
  readonly leaseMs: number;
  /** Lanes in progress on this node, by webhook. */
  readonly busy: ReadonlyMap<string, number>;
  /** How many lanes of one webhook may be in progress on this node. */
  readonly perWebhook: number;
  /** How many lanes to claim in total. */
  readonly limit: number;
}

/** How long the previous secret still signs after a rotation. */
const secretOverlap = `interval '24 hours'`;

export type ClaimedRow = Omit<ClaimedLane, 'secrets'> & {
  readonly sealed: Buffer;
  readonly sealedBefore: Buffer | null;
} & ({ readonly seq: null } | ChangeRow);

/** Lanes `claimed` (l), with what is needed to send their next entries. */
export const claimedRows = `SELECT l.webhook_id AS "webhookId", l.user_id AS "userId", l.claim, l.failures,
            l.seq AS "from", l.last, w.url, w.sealed,
            CASE WHEN w.rotated_at > now() - ${secretOverlap} THEN w.sealed_before END
              AS "sealedBefore",
            e.*
     FROM claimed l JOIN webhooks w ON w.id = l.webhook_id LEFT JOIN LATERAL (
       SELECT ${selectList(readColumns)}, ${tokenName} FROM changes c
       WHERE c.user_id = l.user_id AND c.seq BETWEEN l.seq AND l.last
         AND ${isWanted('w', eventTypeOf('c'))}
       ORDER BY c.seq LIMIT 1
     ) AS e ON true`;

export const laneOf = ({ sealed, sealedBefore, ...row }: ClaimedRow): Claimed => ({
  ...row,
  secrets: sealedBefore ? [sealed, sealedBefore] : [sealed],
  entry: row.seq === null ? undefined : row,
});

/** Claims due lanes, each with its next entry. No transaction stays open during delivery. */
export async function claimLanes(db: Queryable, wanted: ClaimRequest): Promise<Claimed[]> {
  const { claim, leaseMs, busy, perWebhook, limit } = wanted;
  const found = await rows<ClaimedRow>(
    db,
    prepared(`WITH due AS MATERIALIZED (
       SELECT l.webhook_id, l.user_id
       FROM webhooks w
       LEFT JOIN unnest($3::uuid[], $4::integer[]) AS busy (id, lanes) ON busy.id = w.id
       CROSS JOIN LATERAL (
         SELECT webhook_id, user_id FROM webhook_lanes
         WHERE webhook_id = w.id AND due_at <= now() AND seq <= last
         ORDER BY due_at LIMIT greatest(0, $5 - coalesce(busy.lanes, 0))
         FOR UPDATE SKIP LOCKED
       ) AS l
       WHERE w.paused_reason IS NULL AND ${ofActivePlatform('w')}
       ORDER BY coalesce(busy.lanes, 0) LIMIT $6
     ),
     claimed AS (
       UPDATE webhook_lanes l
       SET claim = $1, due_at = now() + make_interval(secs => $2::float8 / 1000)
       FROM due WHERE l.webhook_id = due.webhook_id AND l.user_id = due.user_id
       RETURNING l.*
     )
     ${claimedRows}`),
    [claim, leaseMs, [...busy.keys()], [...busy.values()], perWebhook, limit],
  );
  return found.map(laneOf);
}

const isClaimed = 'webhook_id = $1 AND user_id = $2 AND claim = $3';
const claimOf = ({ webhookId, userId, claim }: ClaimedLane): unknown[] => [
  webhookId,
  userId,
  claim,
];

/** Advances the lane past a number, unless a replay has moved it in the meantime. */
export const advanceLane = (db: Queryable, lane: ClaimedLane, seq: number): Promise<unknown> =>
  rows(
    db,
    prepared(
      `UPDATE webhook_lanes
       SET seq = CASE WHEN seq = $4 THEN $5 ELSE seq END, failures = 0, due_at = now(), claim = NULL
       WHERE ${isClaimed}`,
    ),
    [...claimOf(lane), lane.from, seq + 1],
  );

/** Releases the lane, to be retried after `ms` milliseconds. */
export const postponeLane = (
  db: Queryable,
  lane: ClaimedLane,
  { failures, ms }: { failures: number; ms: number },
): Promise<unknown> =>
  rows(
    db,
    `UPDATE webhook_lanes
     SET failures = $4, due_at = now() + make_interval(secs => $5::float8 / 1000), claim = NULL
     WHERE ${isClaimed}`,
    [...claimOf(lane), failures, ms],
  );
