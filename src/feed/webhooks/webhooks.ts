import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import type { Database } from '../../database/joint-transaction.js';
import type { Queryable } from '../../database/sql.js';
import { noteAct, type ActName } from '../../http/audit/acts.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import type { Targets } from '../../http/outgoing.js';
import type { FeedPosition } from '../changes/entries.js';
import {
  eventTypes,
  type NewWebhook,
  type WebhookChanges,
  type WebhookDelivery,
  type WebhookRecord,
  type WebhookWithSecret,
} from './schemas.js';
import { newSecret, openSecret } from './message.js';
import * as queries from './webhooks.sql.js';
import type { WebhookKey, WebhookRow } from './webhooks.sql.js';

/** A webhook as represented in the API. */
const webhookRecord = (row: WebhookRow, clock: WallClock): WebhookRecord => ({
  id: row.id,
  url: row.url,
  types: row.types ?? [...eventTypes],
  description: row.description,
  state: row.pausedReason === null ? 'active' : 'paused',
  paused_reason: row.pausedReason,
  created_at: clock.format(row.createdAt),
  updated_at: clock.format(row.updatedAt),
  made_with: row.madeWith as WebhookRecord['made_with'],
});

/** Maximum number of webhooks of one platform. */
const maxPerPlatform = 20;

/**
 * Interval and number of checks while a new webhook waits until the feed shows all existing
 * entries.
 */
const settling = { ms: 20, attempts: 50 };

interface WebhookParts {
  readonly db: Database;
  readonly master: MasterKey;
  readonly clock: WallClock;
  readonly targets: Targets;
}

/** Manages the webhooks of platforms. */
export class Webhooks {
  constructor(private readonly parts: WebhookParts) {}

  /** @throws ServiceError `invalid_field`, `too_many_webhooks`, `platform_not_found`. */
  async create(platformId: string, wanted: NewWebhook): Promise<WebhookWithSecret> {
    const { db, master, targets } = this.parts;
    targets.assertPossible(wanted.url);
    const id = uuidv7();
    const { secret, sealed } = newSecret(master, id);
    const start = await this.#start(platformId);
    const { url, types, description = null } = wanted;
    const row = await db.transaction(async (tx) => {
      await queries.lockPlatform(tx, platformId);
      const webhook = { id, platformId, url, types: typesOf(types), description, sealed };
      const inserted = await queries.insertWebhook(tx, webhook, { start, max: maxPerPlatform });
      const details = { webhook: id };
      if (inserted) await noteAct(tx, { act: 'webhook.create', platformId, details });
      return inserted;
    });
    if (!row) throw new ServiceError('too_many_webhooks');
    return { ...this.#record(row), secret };
  }

  /** Oldest first; those of all platforms if none is given. */
  async list(platformId?: string): Promise<WebhookRecord[]> {
    return (await queries.selectWebhooks(this.parts.db, platformId)).map((row) =>
      this.#record(row),
    );
  }

  get = (key: WebhookKey): Promise<WebhookRecord> => this.#found(key, queries.selectWebhook);

  /** The latest attempts to deliver, newest first. @throws ServiceError `webhook_not_found`. */
  async deliveries(key: WebhookKey, limit: number): Promise<WebhookDelivery[]> {
    const { db, clock } = this.parts;
    const { id } = await this.get(key);
    return (await queries.selectAttempts(db, id, limit)).map((attempt) => ({
      at: clock.format(attempt.at),
      message_id: attempt.messageId,
      type: attempt.type,
      user_id: attempt.userId,
      seq: attempt.seq,
      attempt: attempt.attempt,
      status: attempt.status,
      error: attempt.error,
      ms: attempt.ms,
      next_at: attempt.nextAt && clock.format(attempt.nextAt),
    }));
  }

  /** Includes the current secret. */
  async getWithSecret(key: WebhookKey): Promise<WebhookWithSecret> {
    const { db, master } = this.parts;
    const row = isUuid(key.id) ? await queries.selectSealed(db, key) : undefined;
    if (!row) throw new ServiceError('webhook_not_found');
    return { ...this.#record(row), secret: openSecret(master, row.id, row.sealed) };
  }

  update(key: WebhookKey, { types, ...given }: WebhookChanges): Promise<WebhookRecord> {
    if (given.url !== undefined) this.parts.targets.assertPossible(given.url);
    const changes = { ...given, ...(types && { types: typesOf(types) }) };
    return this.#changed('webhook.update', key, (tx) => queries.updateWebhook(tx, key, changes));
  }

  remove = (key: WebhookKey): Promise<WebhookRecord> =>
    this.#changed('webhook.delete', key, queries.deleteWebhook);

  /** For a while, messages are also signed with the previous secret. */
  async rotate(key: WebhookKey): Promise<WebhookWithSecret> {
    const { secret, sealed } = newSecret(this.parts.master, key.id);
    const record = await this.#changed('webhook.rotate', key, (tx) =>
      queries.replaceSecret(tx, key, sealed),
    );
    return { ...record, secret };
  }

  pause = (key: WebhookKey, reason: string): Promise<WebhookRecord> =>
    this.#changed('webhook.pause', key, (tx) => queries.pauseWebhook(tx, key, reason));

  resume = (key: WebhookKey): Promise<WebhookRecord> =>
    this.#changed('webhook.resume', key, queries.resumeWebhook);

  /**
   * The position after the newest entry. Waits for entries that are committed but not in the feed
   * yet, since they would be sent otherwise.
   */
  async #start(platformId: string): Promise<FeedPosition> {
    for (let attempt = 1; ; attempt += 1) {
      const { start, settled } = await queries.selectFeedStart(this.parts.db, platformId);
      if (settled || attempt === settling.attempts) return start;
      await delay(settling.ms);
    }
  }

  async #found(
    key: WebhookKey,
    act: (db: Queryable, key: WebhookKey) => Promise<WebhookRow | undefined>,
  ): Promise<WebhookRecord> {
    const row = isUuid(key.id) ? await act(this.parts.db, key) : undefined;
    if (!row) throw new ServiceError('webhook_not_found');
    return this.#record(row);
  }

  /** Changes a webhook and writes the audit entry, in one transaction. */
  #changed(
    act: ActName,
    key: WebhookKey,
    change: (db: Queryable, key: WebhookKey) => Promise<WebhookRow | undefined>,
  ): Promise<WebhookRecord> {
    return this.#found(key, () =>
      this.parts.db.transaction(async (tx) => {
        const row = await change(tx, key);
        if (row) {
          const { id: webhook, platformId } = row;
          await noteAct(tx, { act, platformId, details: { webhook } });
        }
        return row;
      }),
    );
  }

  #record = (row: WebhookRow): WebhookRecord => webhookRecord(row, this.parts.clock);
}

/** An empty list means all types, including future ones; so does a list of all current types. */
const typesOf = (types: readonly string[] = []): string[] | null =>
  types.length === 0 || types.length === eventTypes.length ? null : [...types];
