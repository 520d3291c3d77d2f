import { NIL } from 'uuid';
import type { DataSource } from 'typeorm';
import { noteAct } from '../../http/audit/acts.js';
import { readCursor } from '../changes/cursor.js';
import type { FeedPosition } from '../changes/cursor.js';
import type { Changes } from '../changes/service.js';
import type { WallClock } from '../../base/time.js';
import { countLanes } from './lane.sql.js';
import { selectAttempts } from './log.sql.js';
import { bodyOf, signedHeaders } from './message.js';
import { post } from './post.js';
import type { DeliveryOutcome, Posting } from './post.js';
import { countByState, selectWebhook } from './webhooks.sql.js';
import { cutLanes, lockFeeding, moveBack } from './replay.sql.js';
import type { Webhooks } from './service.js';

export interface UpkeepParts {
  readonly db: DataSource;
  readonly clock: WallClock;
  readonly webhooks: Webhooks;
  readonly changes: Changes;
  readonly posting: Posting;
}

/** The position before all entries. */
const beginning: FeedPosition = { position: 0, userId: NIL, seq: 0 };

/** The numbers of active and paused webhooks. */
export const webhookCounts = countByState;

/** Users with something to deliver to active webhooks. */
export const laneCounts = countLanes;

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

  /** The latest attempts, newest first. */
  async attempts(id: string, limit: number) {
    const { db, clock, webhooks } = this.parts;
    await webhooks.get({ id });
    return (await selectAttempts(db, id, limit)).map((attempt) => ({
      at: clock.format(attempt.at),
      message_id: attempt.messageId,
      type: attempt.type,
      user_id: attempt.userId,
      seq: attempt.seq,
      attempt: attempt.attempt,
      status: attempt.status,
      error: attempt.error,
      ms: attempt.ms,
    }));
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
      await lockFeeding(tx, id);
      await cutLanes(tx, id, position);
      await moveBack(tx, id, position);
      await noteAct(tx, { act: 'webhook.replay', platformId, details: { webhook: id } });
    });
  }
}
