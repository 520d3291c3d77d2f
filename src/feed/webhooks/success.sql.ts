import { prepared, row, type Queryable } from '../../database/sql.js';
import { ofActivePlatform } from './active-platform.js';
import {
  claimedRows,
  laneOf,
  type Claimed,
  type ClaimedLane,
  type ClaimedRow,
} from './lane.sql.js';
import { attemptValues, attemptInsert, type Attempt } from './log.sql.js';

/** The next number of the lane, unless a replay has moved it in the meantime. */
const nextSeq = 'CASE WHEN l.seq = $11 THEN $12 ELSE l.seq END';

/** Whether the lane continues under the same claim. */
const continues = `(${nextSeq} <= l.last AND w.may_continue)`;

/**
 * Records a successful attempt and advances the lane past its entry. Locks the webhook before the
 * lane, like a replay.
 * @param leaseMs how long to claim the next entry; 0 to release the lane, so that others get their
 *   turn. @returns the lane, if it is still claimed. Without an entry, entries added in the
 *   meantime are not visible yet.
 */
export async function settleSuccess(
  db: Queryable,
  lane: ClaimedLane,
  attempt: Attempt,
  leaseMs: number,
): Promise<Claimed | undefined> {
  const found = await row<ClaimedRow>(
    db,
    prepared(`WITH noted AS (${attemptInsert}),
     claimed AS (
       UPDATE webhook_lanes l
       SET seq = ${nextSeq}, failures = 0, claim = CASE WHEN ${continues} THEN l.claim END,
           due_at = now() + make_interval(secs => CASE WHEN ${continues} THEN $13::float8 / 1000 ELSE 0 END)
       FROM (
         SELECT id, $13 > 0 AND paused_reason IS NULL AND ${ofActivePlatform('h')} AS may_continue
         FROM webhooks h WHERE id = $1 FOR KEY SHARE
       ) AS w
       WHERE l.webhook_id = w.id AND l.user_id = $4 AND l.claim = $10
       RETURNING l.*
     )
     ${claimedRows}
     WHERE l.claim IS NOT NULL`),
    [...attemptValues(attempt), lane.claim, lane.from, attempt.seq + 1, leaseMs],
  );
  return found && laneOf(found);
}
