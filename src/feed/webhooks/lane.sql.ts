import { changeColumns } from '../changes/entity.js';
import { only, selectList, type RowOf } from '../../database/columns.js';
import { prepared, rows, type Queryable } from '../../database/sql.js';
import { ofActivePlatform } from './webhooks.sql.js';
import { eventTypeOf } from './event-types.js';

const entryColumns = only(
  changeColumns,
  ...(['seq', 'at', 'type', 'id', 'action', 'actor', 'imageId'] as const),
);
export type LaneEntry = Readonly<RowOf<typeof entryColumns>>;

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
export type Claimed = ClaimedLane & { readonly entry: LaneEntry | undefined };

export interface ClaimRequest {
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
} & ({ readonly seq: null } | LaneEntry);

/** Lanes `claimed` (l), with what is needed to send their next entries. */
export const claimedRows = `SELECT l.webhook_id AS "webhookId", l.user_id AS "userId", l.claim, l.failures,
            l.seq AS "from", l.last, w.url, w.sealed,
            CASE WHEN w.rotated_at > now() - ${secretOverlap} THEN w.sealed_before END
              AS "sealedBefore",
            e.*
     FROM claimed l JOIN webhooks w ON w.id = l.webhook_id LEFT JOIN LATERAL (
       SELECT ${selectList(entryColumns)} FROM changes c
       WHERE c.user_id = l.user_id AND c.seq BETWEEN l.seq AND l.last
         AND (w.types IS NULL OR ${eventTypeOf('c')} = ANY (w.types))
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

/**
 * The number of lanes of active webhooks with entries to deliver, and of those whose next entry has
 * failed.
 */
export const countLanes = async (
  db: Queryable,
): Promise<{ readonly waiting: number; readonly failing: number }> => {
  const [found] = await rows<{ waiting: number; failing: number }>(
    db,
    `SELECT count(*)::int AS waiting, count(*) FILTER (WHERE l.failures > 0)::int AS failing
     FROM webhook_lanes l JOIN webhooks w ON w.id = l.webhook_id
     WHERE w.paused_reason IS NULL AND l.seq <= l.last`,
  );
  return found ?? { waiting: 0, failing: 0 };
};

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
