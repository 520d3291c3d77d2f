import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import { guarded, ignore } from '../../base/guarded.js';
import { runWithin } from '../../base/telemetry/context.js';
import { minuteMs, secondMs } from '../../base/units.js';
import { collectText } from '../../http/paging/batches.js';
import type { ResolveUrl } from '../../library/images/record.js';
import type { Images } from '../../library/images/images.js';
import { waitUntilWoken } from '../changes/events.js';
import { Waiter } from '../changes/watch.js';
import { Delivery, type DeliveryParts } from './delivery.js';
import {
  deleteEmptyLanes,
  feedLanes,
  hasActiveWebhook,
  claimLanes,
  type Claimed,
} from './lanes.sql.js';
import { messageId, attemptMs } from './message.js';
import { deleteOldAttempts } from './webhooks.sql.js';

/** Reads records of images as in the API, as JSON; null for deleted images. */
export const imageRecords =
  (images: Images, resolveUrl: ResolveUrl) =>
  async (userId: string, imageId: string): Promise<string | null> => {
    try {
      return await collectText(await images.get(userId, imageId, {}, resolveUrl));
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'image_not_found') return null;
      throw error;
    }
  };

/** How often to poll for new entries and due lanes, in milliseconds. */
const pollMs = 200;
/** The same while there is no active webhook or the database is unavailable. */
const idleMs = secondMs;
/** How often old attempts are deleted. */
const tidyMs = minuteMs;
/** Longer than an attempt: a claim expires only if the node that made it has died. */
const leaseMs = 2 * attemptMs;
/** How long running attempts may take when the service stops; interrupted ones are sent again. */
const graceMs = 2 * secondMs;

/** Entries of a lane that are sent before the other lanes of its webhook get their turn. */
const maxConsecutive = 16;

/** Concurrent attempts, in total and per webhook. */
const maxConcurrent = 128;
const maxPerWebhook = 16;

/**
 * Sends entries of the change feed to webhooks, sharing the work with all other nodes
 * (docs/adr/0015).
 */
export class Deliveries {
  readonly #closing = new AbortController();
  readonly #cut = new AbortController();
  readonly #waiter = new Waiter();
  readonly #running = new Set<Promise<void>>();
  /** Running attempts of each webhook. */
  readonly #busy = new Map<string, number>();
  /** Webhooks with attempts since old ones were last deleted. */
  readonly #attempted = new Set<string>();
  readonly #delivery: Delivery;
  readonly #ended: Promise<void>;

  constructor(private readonly parts: DeliveryParts) {
    this.#delivery = new Delivery(parts, this.#cut.signal);
    this.#ended = this.#run();
  }

  /** Starts no new attempts, and gives running ones a moment to finish. */
  async stop(): Promise<void> {
    this.#closing.abort();
    await this.#ended;
    const cut = setTimeout(
      guarded(ignore, () => this.#cut.abort()),
      graceMs,
    );
    await Promise.all(this.#running);
    clearTimeout(cut);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let next = { poll: 0, tidy: performance.now() + tidyMs };
    let [active, failed] = [false, false];
    while (!signal.aborted) {
      try {
        const now = performance.now();
        if (now >= next.poll) {
          active = await this.#poll();
          next = { ...next, poll: now + pollMs };
        }
        if (active) await this.#claim();
        if (now >= next.tidy) {
          await this.#tidy();
          next = { ...next, tidy: now + tidyMs };
        }
        failed = false;
      } catch (error) {
        if (!failed)
          this.parts.logger.warn('cannot poll for webhook deliveries; retrying', { error });
        failed = true;
      }
      await waitUntilWoken(this.#waiter, { ms: active && !failed ? pollMs : idleMs, signal });
    }
  }

  /** @returns whether there is an active webhook. */
  async #poll(): Promise<boolean> {
    const { db, logger } = this.parts;
    if (!(await hasActiveWebhook(db))) return false;
    for (const { id, missed } of await feedLanes(db)) {
      if (missed)
        logger.warn('changes that a webhook has not sent are no longer kept', { webhook: id });
    }
    if (this.#attempted.size > 0) await deleteEmptyLanes(db);
    return true;
  }

  async #claim(): Promise<void> {
    const free = maxConcurrent - this.#running.size;
    if (free === 0) return;
    // The second half is reserved for webhooks without a running attempt, so that slow webhooks
    // cannot hold up the others.
    const early = free > maxConcurrent / 2;
    const wanted = {
      claim: uuidv7(),
      leaseMs,
      busy: this.#busy,
      perWebhook: early ? maxPerWebhook : 1,
      limit: early ? free - maxConcurrent / 2 : free,
    };
    for (const lane of await claimLanes(this.parts.db, wanted)) this.#begin(lane);
  }

  #begin(lane: Claimed): void {
    const { webhookId: id } = lane;
    this.#count(id, 1);
    this.#attempted.add(id);
    const running = this.#deliver(lane).then(() => {
      this.#running.delete(running);
      this.#count(id, -1);
      this.#waiter.wake();
    });
    this.#running.add(running);
  }

  /** Sends up to `maxConsecutive` entries of the lane, one after the other. */
  async #deliver(lane: Claimed): Promise<void> {
    let next: Claimed | undefined = lane;
    for (let n = 1; next; n += 1) {
      const last = n === maxConsecutive || this.#closing.signal.aborted;
      next = await this.#deliverOne(next, last ? 0 : leaseMs);
    }
  }

  #deliverOne(lane: Claimed, leaseMs: number): Promise<Claimed | undefined> {
    const { webhookId: id, userId, entry } = lane;
    const message = entry && messageId(id, userId, entry.seq);
    const work = {
      caller: 'webhooks',
      logged: { webhook: id, ...(message !== undefined && { id: message }) },
    };
    return runWithin(work, () => this.#delivery.send(lane, leaseMs)).catch((error: unknown) => {
      this.parts.logger.warn('a webhook delivery is delayed', { ...work.logged, error });
      return undefined;
    });
  }

  #count(id: string, more: number): void {
    const busy = (this.#busy.get(id) ?? 0) + more;
    if (busy > 0) this.#busy.set(id, busy);
    else this.#busy.delete(id);
  }

  async #tidy(): Promise<void> {
    const ids = [...this.#attempted];
    this.#attempted.clear();
    await deleteOldAttempts(this.parts.db, ids);
  }
}
