import { v7 as uuidv7 } from 'uuid';
import { wokenWithin } from '../changes/waiting.js';
import { Waiter } from '../changes/watch.js';
import { guarded, ignore } from '../guarded.js';
import { runWithin } from '../telemetry/context.js';
import { minuteMs, secondMs } from '../units.js';
import { Delivery } from './delivery.js';
import type { DeliveryParts } from './delivery.js';
import { deleteEmptyLanes, feedLanes, hasActiveWebhook } from './feed-queries.js';
import { claimLanes } from './lane-queries.js';
import type { Claimed } from './lane-queries.js';
import { deleteOldAttempts } from './log-queries.js';
import { messageId } from './message.js';
import { attemptMs } from './post.js';

/** How often new entries are looked for, and lanes that are due, in milliseconds. */
const lookMs = 200;
/** The same while there is no active webhook, or the database does not answer. */
const idleMs = secondMs;
/** How often old attempts are forgotten. */
const tidyMs = minuteMs;
/** A claim outlives its attempt; then the node that made it is dead. */
const leaseMs = 2 * attemptMs;
/** How long attempts under way may take when the service stops; what is cut off is sent again. */
const graceMs = 2 * secondMs;

/** Entries of a lane that are sent before other lanes of its webhook have their turn. */
const inARow = 16;

/** Attempts under way at a time, in all and of one webhook. */
const most = 128;
const mostPerWebhook = 16;

/** Sends what the change feed tells to webhooks, together with all other nodes (docs/adr/0038). */
export class Deliveries {
  readonly #closing = new AbortController();
  readonly #cut = new AbortController();
  readonly #waiter = new Waiter();
  readonly #running = new Set<Promise<void>>();
  /** Attempts under way of each webhook. */
  readonly #busy = new Map<string, number>();
  /** Webhooks with attempts since old ones were forgotten. */
  readonly #attempted = new Set<string>();
  readonly #delivery: Delivery;
  readonly #ended: Promise<void>;

  constructor(private readonly parts: DeliveryParts) {
    this.#delivery = new Delivery(parts, this.#cut.signal);
    this.#ended = this.#rounds();
  }

  /** Begins nothing new, and gives what is under way a moment. */
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

  async #rounds(): Promise<void> {
    const { signal } = this.#closing;
    let next = { look: 0, tidy: performance.now() + tidyMs };
    let [active, failed] = [false, false];
    while (!signal.aborted) {
      try {
        const now = performance.now();
        if (now >= next.look) {
          active = await this.#look();
          next = { ...next, look: now + lookMs };
        }
        if (active) await this.#claim();
        if (now >= next.tidy) {
          await this.#tidy();
          next = { ...next, tidy: now + tidyMs };
        }
        failed = false;
      } catch (error) {
        if (!failed) this.parts.logger.warn('cannot look for webhooks; trying again', { error });
        failed = true;
      }
      await wokenWithin(this.#waiter, { ms: active && !failed ? lookMs : idleMs, signal });
    }
  }

  /** @returns whether there is an active webhook. */
  async #look(): Promise<boolean> {
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
    const free = most - this.#running.size;
    if (free === 0) return;
    // The second half is for webhooks that have no attempt under way, so that all have their turn
    // however many are slow.
    const early = free > most / 2;
    const wanted = {
      ...{ claim: uuidv7(), leaseMs, busy: this.#busy },
      perWebhook: early ? mostPerWebhook : 1,
      most: early ? free - most / 2 : free,
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

  /** Sends what the lane has, up to a number of entries, one after the other. */
  async #deliver(lane: Claimed): Promise<void> {
    let next: Claimed | undefined = lane;
    for (let n = 1; next; n += 1) {
      const last = n === inARow || this.#closing.signal.aborted;
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
    return runWithin(work, () => this.#delivery.of(lane, leaseMs)).catch((error: unknown) => {
      this.parts.logger.warn('a webhook has to wait', { ...work.logged, error });
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
