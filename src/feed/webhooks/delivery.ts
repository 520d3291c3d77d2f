import type { DataSource } from 'typeorm';
import type { Logger } from '../../base/telemetry/logger.js';
import { webhookSeconds } from '../../base/telemetry/metrics.js';
import type { WallClock } from '../../base/time.js';
import { secondMs, hourMs, minuteMs } from '../../base/units.js';
import { prepared, row, type Queryable } from '../../database/sql.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import type { Outgoing } from '../../http/outgoing.js';
import { changeRecord, type ChangeRow } from '../changes/entries.js';
import { types } from '../changes/schemas.js';
import {
  advanceLane,
  postponeLane,
  type Claimed,
  type ClaimedLane,
  claimedRows,
  laneOf,
  type ClaimedRow,
} from './lanes.sql.js';
import {
  eventMessage,
  messageId,
  signedHeaders,
  type EventData,
  type Message,
  openSecret,
  post,
  type DeliveryOutcome,
} from './message.js';
import {
  insertAttempt,
  pauseWebhook,
  ofActivePlatform,
  attemptValues,
  attemptInsert,
  type Attempt,
} from './webhooks.sql.js';

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
async function settleSuccess(
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

/** The wait after each failed attempt. */
const waits = [
  5 * secondMs,
  ...[5, 30].map((minutes) => minutes * minuteMs),
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
];

/** Maximum deviation of a wait, as a fraction of it, so that retries spread out. */
const jitter = 0.2;

/**
 * @param failures failed attempts so far.
 * @returns milliseconds until the next one; undefined after the last.
 */
export function waitAfter(failures: number, random = Math.random()): number | undefined {
  const wait = waits[failures - 1];
  return wait && Math.round(wait * (1 + jitter * (2 * random - 1)));
}

export interface DeliveryParts {
  readonly db: DataSource;
  readonly master: MasterKey;
  readonly clock: WallClock;
  readonly logger: Logger;
  readonly posting: Outgoing;
  /** The record of an image as in the API, as JSON; null if the image has been deleted. */
  readonly recordOf: (userId: string, imageId: string) => Promise<string | null>;
  /** The newest checkpoint of a platform's log; null without one. */
  readonly checkpointOf: (platformId: string) => Promise<string | null>;
}

interface Attempted {
  readonly entry: ChangeRow;
  readonly event: string;
  readonly message: Message;
  readonly outcome: DeliveryOutcome;
  readonly ms: number;
}

const isSuccess = (outcome: DeliveryOutcome): boolean =>
  'status' in outcome && outcome.status >= 200 && outcome.status < 300;

/** Sends one entry to one webhook, and records the outcome. */
export class Delivery {
  constructor(
    private readonly parts: DeliveryParts,
    /** Aborted to end running attempts. */
    private readonly stopping: AbortSignal,
  ) {}

  /**
   * @param leaseMs how long to claim the lane's next entry after a success; 0: not at all. @returns
   *   the lane with that entry, if there is one.
   */
  async send(lane: Claimed, leaseMs: number): Promise<Claimed | undefined> {
    const { db, master, posting } = this.parts;
    const { webhookId, url, entry } = lane;
    if (!entry) {
      await advanceLane(db, lane, lane.last);
      return undefined;
    }
    const data = await this.#data(lane, entry);
    const id = messageId(webhookId, lane.userId, entry.seq);
    const message = eventMessage(id, entry.at, data);
    const secrets = lane.secrets.map((sealed) => openSecret(master, webhookId, sealed));
    const headers = signedHeaders(message, secrets);
    const began = performance.now();
    const outcome = await post({ url, headers, body: message.body }, posting, this.stopping);
    if (this.stopping.aborted && 'error' in outcome) {
      await postponeLane(db, lane, { failures: lane.failures, ms: 0 });
      return undefined;
    }
    const ms = Math.round(performance.now() - began);
    webhookSeconds.of(isSuccess(outcome) ? 'delivered' : 'failed').observe(ms / secondMs);
    const event = `${data.type}.${data.action}`;
    return this.#settle(lane, { entry, event, message, outcome, ms }, leaseMs);
  }

  async #data({ userId }: ClaimedLane, entry: ChangeRow): Promise<EventData> {
    if (entry.type > types.length) {
      const checkpoint = await this.parts.checkpointOf(userId); // the id of the platform
      return { type: 'checkpoint', action: 'created', platform_id: userId, checkpoint };
    }
    const change = { user_id: userId, ...changeRecord(entry, this.parts.clock) };
    const imageId = change.type === 'image' ? change.id : change.image_id;
    if (imageId === undefined) return change;
    return { ...change, record: await this.parts.recordOf(userId, imageId) };
  }

  async #settle(
    lane: ClaimedLane,
    attempted: Attempted,
    leaseMs: number,
  ): Promise<Claimed | undefined> {
    const { db } = this.parts;
    const { entry, event, message, outcome, ms } = attempted;
    const attempt = {
      webhookId: lane.webhookId,
      messageId: message.id,
      type: event,
      userId: lane.userId,
      seq: entry.seq,
      attempt: lane.failures + 1,
      status: 'status' in outcome ? outcome.status : null,
      error: 'error' in outcome ? outcome.error : null,
      ms,
    };
    if (isSuccess(outcome)) {
      const next = await settleSuccess(db, lane, attempt, leaseMs);
      if (!next || next.entry) return next;
      await postponeLane(db, next, { failures: 0, ms: 0 });
      return undefined;
    }
    await this.#postpone(lane, attempted);
    await insertAttempt(db, attempt);
    return undefined;
  }

  /** Schedules the next attempt after a failure, or pauses the webhook. */
  async #postpone(lane: ClaimedLane, { message, outcome }: Attempted): Promise<void> {
    const { db } = this.parts;
    const failures = lane.failures + 1;
    const answer = 'status' in outcome ? `the receiver answered ${outcome.status}` : outcome.error;
    const gone = 'status' in outcome && outcome.status === 410;
    const ms = gone ? undefined : waitAfter(failures);
    if (ms !== undefined) {
      await postponeLane(db, lane, { failures, ms });
      return;
    }
    await this.#pause(
      lane,
      gone ? answer : `${failures} attempts to send ${message.id} failed: ${answer}`,
    );
    await postponeLane(db, lane, { failures: 0, ms: 0 });
  }

  async #pause({ webhookId: id, url }: ClaimedLane, reason: string): Promise<void> {
    await pauseWebhook(this.parts.db, { id }, reason);
    this.parts.logger.warn('a webhook is paused', { url, reason });
  }
}
