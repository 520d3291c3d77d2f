import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { noteAct } from '../audit/acts.js';
import type { ActName } from '../audit/acts.js';
import type { MasterKey } from '../auth/secrets.js';
import type { FeedPosition } from '../changes/cursor.js';
import type { Database } from '../database/joint-transaction.js';
import { ServiceError } from '../errors/catalogue.js';
import type { Queryable } from '../database/sql.js';
import type { WallClock } from '../time.js';
import { eventTypes } from './event-types.js';
import {
  deleteWebhook,
  insertWebhook,
  lockPlatform,
  pauseWebhook,
  replaceSecret,
  resumeWebhook,
  selectSealed,
  selectStart,
  selectWebhook,
  selectWebhooks,
  updateWebhook,
} from './queries.js';
import type { WebhookKey, WebhookRow } from './queries.js';
import { webhookRecord } from './record.js';
import type { NewWebhook, WebhookChanges, WebhookRecord, WebhookWithSecret } from './schemas.js';
import { newSecret, openSecret } from './secret.js';
import type { Targets } from './target.js';

/** Webhooks of one platform. */
const mostPerPlatform = 20;

/** How long, and how often, a new webhook waits for the feed to show what is there already. */
const settling = { ms: 20, looks: 50 };

export interface WebhookParts {
  readonly db: Database;
  readonly master: MasterKey;
  readonly clock: WallClock;
  readonly targets: Targets;
}

/** Where platforms have changes sent. */
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
      await lockPlatform(tx, platformId);
      const webhook = { id, platformId, url, types: typesOf(types), description, sealed };
      const inserted = await insertWebhook(tx, webhook, { start, most: mostPerPlatform });
      const details = { webhook: id };
      if (inserted) await noteAct(tx, { act: 'webhook.create', platformId, details });
      return inserted;
    });
    if (!row) throw new ServiceError('too_many_webhooks');
    return { ...this.#record(row), secret };
  }

  /** The oldest first; those of all platforms if none is given. */
  async list(platformId?: string): Promise<WebhookRecord[]> {
    return (await selectWebhooks(this.parts.db, platformId)).map((row) => this.#record(row));
  }

  get = (key: WebhookKey): Promise<WebhookRecord> => this.#found(key, selectWebhook);

  /** With the secret that it has now. */
  async getWithSecret(key: WebhookKey): Promise<WebhookWithSecret> {
    const { db, master } = this.parts;
    const row = isUuid(key.id) ? await selectSealed(db, key) : undefined;
    if (!row) throw new ServiceError('webhook_not_found');
    return { ...this.#record(row), secret: openSecret(master, row.id, row.sealed) };
  }

  update(key: WebhookKey, { types, ...given }: WebhookChanges): Promise<WebhookRecord> {
    if (given.url !== undefined) this.parts.targets.assertPossible(given.url);
    const changes = { ...given, ...(types && { types: typesOf(types) }) };
    return this.#changed('webhook.update', key, (tx) => updateWebhook(tx, key, changes));
  }

  remove = (key: WebhookKey): Promise<WebhookRecord> =>
    this.#changed('webhook.delete', key, deleteWebhook);

  /** For a while, what is sent is signed with the secret before as well. */
  async rotate(key: WebhookKey): Promise<WebhookWithSecret> {
    const { secret, sealed } = newSecret(this.parts.master, key.id);
    const record = await this.#changed('webhook.rotate', key, (tx) =>
      replaceSecret(tx, key, sealed),
    );
    return { ...record, secret };
  }

  pause = (key: WebhookKey, reason: string): Promise<WebhookRecord> =>
    this.#changed('webhook.pause', key, (tx) => pauseWebhook(tx, key, reason));

  resume = (key: WebhookKey): Promise<WebhookRecord> =>
    this.#changed('webhook.resume', key, resumeWebhook);

  /** After the newest entry. What is committed but not in the feed yet would be sent, if not waited for. */
  async #start(platformId: string): Promise<FeedPosition> {
    for (let look = 1; ; look += 1) {
      const { start, settled } = await selectStart(this.parts.db, platformId);
      if (settled || look === settling.looks) return start;
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

  /** Changes a webhook and notes who did, in one transaction. */
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

/** No type means all of them, those to come included; so does every type there is. */
const typesOf = (types: readonly string[] = []): string[] | null =>
  types.length === 0 || types.length === eventTypes.length ? null : [...types];
