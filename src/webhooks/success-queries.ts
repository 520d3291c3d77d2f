import { prepared } from '../database/prepared.js';
import { row } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import { ofActivePlatform } from './active-platform.js';
import { claimedRows, laneOf } from './lane-queries.js';
import type { Claimed, ClaimedLane, ClaimedRow } from './lane-queries.js';
import { attemptValues, noteAttempt } from './log-queries.js';
import type { Attempt } from './log-queries.js';

/** Where the lane goes on, unless a replay has set it elsewhere meanwhile. */
const next = 'CASE WHEN l.seq = $11 THEN $12 ELSE l.seq END';

/** Whether it goes on under the same claim. */
const goesOn = `(${next} <= l.last AND w.may_go_on)`;

/**
 * Notes a successful attempt and has the lane go on after its entry. Locks the webhook before the
 * lane, as a replay does.
 * @param leaseMs for how long to claim the next entry; 0 to give the lane back, so that others have
 *   their turn.
 * @returns the lane, if it is still claimed. Without an entry, what was added to it meanwhile cannot
 *   be seen yet.
 */
export async function settleSuccess(
  db: Queryable,
  lane: ClaimedLane,
  attempt: Attempt,
  leaseMs: number,
): Promise<Claimed | undefined> {
  const found = await row<ClaimedRow>(
    db,
    prepared(`WITH noted AS (${noteAttempt}),
     claimed AS (
       UPDATE webhook_lanes l
       SET seq = ${next}, failures = 0, claim = CASE WHEN ${goesOn} THEN l.claim END,
           due_at = now() + make_interval(secs => CASE WHEN ${goesOn} THEN $13::float8 / 1000 ELSE 0 END)
       FROM (
         SELECT id, $13 > 0 AND paused_reason IS NULL AND ${ofActivePlatform('h')} AS may_go_on
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
