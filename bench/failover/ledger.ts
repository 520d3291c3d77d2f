import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { forEachLimited } from '../../src/base/concurrency.js';
import { minuteMs } from '../../src/base/units.js';
import { Client } from '../../testkit/client.js';
import { done } from '../../testkit/expect.js';
import { eventually } from '../../testkit/eventually.js';
import { userChanges } from '../../testkit/feeds.js';
import type { Installation } from '../../testkit/installation.js';
import { answer, Receiver, type Received } from '../../testkit/receiver.js';
import type { CreatedPlatform, CreatedUser } from '../../testkit/records.js';
import type { Scope } from '../../testkit/scope.js';
import { Member, picture, Tenant } from '../../testkit/world.js';
import { Gaps } from './watch.js';

/** One of so many writes of a writer is a picture; the others are folders. */
const pictureEvery = 20;

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

type Change = Awaited<ReturnType<typeof userChanges>>['result']['changes'][number];

/** A user whose writes, entries of the feed, and events are noted. */
class Account {
  readonly acknowledged: string[] = [];
  /** Digests of what was uploaded, by image. */
  readonly pictures = new Map<string, string>();
  /** Entries of the feed as they were read. */
  readonly fed: Change[] = [];
  /** The number of the last event. */
  lastEvent = 0;

  constructor(
    readonly member: Member,
    readonly record: CreatedUser,
  ) {}

  get lastEntry(): number {
    return this.fed.at(-1)?.seq ?? 0;
  }
}

/** Users who write through all nodes, and what is known of what was acknowledged. */
export class Ledger {
  readonly gaps = new Gaps();
  readonly findings: string[] = [];
  refused = 0;
  events = 0;
  readonly accounts: Account[] = [];
  #isWriting = true;
  /** Whether the last write has been answered. */
  #isOver = false;
  #writing: Promise<unknown> = Promise.resolve();
  #reading: Promise<unknown> = Promise.resolve();

  readonly #clients: readonly Client[];
  #turn = 0;

  private constructor(parts: Installation) {
    this.#clients = parts.urls.map((url) => new Client(url));
  }

  static async start(scope: Scope, parts: Installation, writers: number): Promise<Ledger> {
    const ledger = new Ledger(parts);
    const platform = await parts.command<CreatedPlatform>('platform', 'create', '--name', 'soak');
    const receiver = await Receiver.start(scope);
    receiver.answering = (event, response) => {
      ledger.#receive(event);
      receiver.received.length = 0;
      answer(204)(event, response);
    };
    const form = { url: receiver.url };
    const tenants = ledger.#clients.map((client) => new Tenant(client, platform));
    done(await tenants[0]!.call('POST', '/webhooks', { form }));
    for (let n = 0; n < writers; n += 1) {
      const { record } = await tenants[0]!.user(`writer ${n}`);
      ledger.accounts.push(new Account(new Member(tenants[n % tenants.length]!, record), record));
    }
    scope.after(() => ledger.stop());
    ledger.#writing = Promise.all(ledger.accounts.map((account) => ledger.#write(account)));
    ledger.#reading = Promise.all(ledger.accounts.map((account) => ledger.#follow(account)));
    return ledger;
  }

  get acknowledged(): number {
    return this.accounts.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  }

  /** Waits for so many more acknowledgements. */
  async goesOn(more = 50): Promise<void> {
    const wanted = this.acknowledged + more;
    await eventually('writes', () => this.acknowledged >= wanted, minuteMs);
  }

  async #write({ member, acknowledged, pictures }: Account): Promise<void> {
    for (let n = 0; this.#isWriting; n += 1) {
      const bytes = n % pictureEvery === 0 ? await picture() : undefined;
      const written = bytes
        ? await member.tryUpload({}, bytes)
        : await member.post<{ id: string }>('/folders', { title: randomUUID() });
      const { status, result } = written;
      if (status === 200) {
        this.gaps.note();
        acknowledged.push(result.id);
        if (bytes) pictures.set(result.id, digest(bytes));
      } else {
        if (status !== 503) this.findings.push(`a write was answered with ${status}`);
        this.refused += 1;
        await delay(50);
      }
    }
  }

  /** Follows the feed until it is at its end, and nothing is written any more. */
  async #follow(account: Account): Promise<void> {
    for (;;) {
      const wasOver = this.#isOver;
      const changes = await this.#changes(account, account.lastEntry, wasOver ? 0 : 2);
      for (const change of changes) {
        if (change.seq !== account.lastEntry + 1) {
          this.findings.push(`entry ${change.seq} follows ${account.lastEntry}`);
        }
        account.fed.push(change);
      }
      if (wasOver && changes.length === 0) return;
    }
  }

  /** Asks one node after the other until one answers. */
  async #changes({ record }: Account, after: number, wait = 0): Promise<readonly Change[]> {
    const { user_id: id, access_token: token } = record;
    for (const end = Date.now() + 5 * minuteMs; ; await delay(150)) {
      const client = this.#clients[(this.#turn += 1) % this.#clients.length]!;
      const query = { after, limit: 500, wait };
      const answer = await userChanges({ client }, { id, token }, query).catch(() => undefined); // broken off
      if (answer && answer.status < 500) return done(answer).changes;
      if (Date.now() > end) throw new Error(`no node answers with the feed of ${id}`);
    }
  }

  /** An event is the next one of its user, or repeats the last one. */
  #receive({ data }: Received): void {
    const account = this.accounts.find(({ member }) => member.id === data.user_id);
    if (!account) return;
    const { lastEvent } = account;
    if (data.seq !== lastEvent && data.seq !== lastEvent + 1) {
      this.findings.push(`event ${data.seq} follows ${lastEvent}`);
    }
    account.lastEvent = data.seq;
    this.events += 1;
  }

  async stop(): Promise<void> {
    this.#isWriting = false;
    await this.#writing;
    this.#isOver = true;
    await this.#reading;
  }

  /** Ends the writes, and compares what was acknowledged with everything. @param url of the database. */
  async compare(url: string): Promise<void> {
    await this.stop();
    await this.#compareRows(url);
    for (const account of this.accounts) {
      await this.#compareFeed(account);
      await this.#comparePictures(account);
      const { lastEntry } = account;
      await eventually('all events arrive', () => account.lastEvent >= lastEntry, minuteMs).catch(
        () => this.findings.push(`events end at ${account.lastEvent} of ${lastEntry}`),
      );
    }
  }

  /** What was read while servers failed is what there is, and has everything that was acknowledged. */
  async #compareFeed(account: Account): Promise<void> {
    const created = new Set<string>();
    for (let after = 0; after < account.lastEntry;) {
      for (const { seq, id, action } of await this.#changes(account, after)) {
        const read = account.fed[seq - 1];
        if (read?.id !== id || read.action !== action) {
          this.findings.push(
            `entry ${seq} is ${action} ${id}, and was ${read?.action} ${read?.id}`,
          );
        }
        if (action === 'created') created.add(id);
        after = seq;
      }
    }
    const missing = account.acknowledged.filter((id) => !created.has(id)).length;
    if (missing > 0) this.findings.push(`${missing} are missing in the feed`);
  }

  #comparePictures({ member, pictures }: Account): Promise<void> {
    return forEachLimited(pictures, 4, async ([id, expected]) => {
      const { org_path_url: original } = await member.image(id);
      const answered = await fetch(original);
      if (digest(new Uint8Array(await answered.arrayBuffer())) !== expected) {
        this.findings.push(`image ${id} has other bytes`);
      }
    });
  }

  async #compareRows(connectionString: string): Promise<void> {
    const db = new pg.Client({ connectionString });
    await db.connect();
    const sql = `
      SELECT (SELECT count(*) FROM folders WHERE id = ANY($1))
           + (SELECT count(*) FROM images WHERE id = ANY($1)) AS found`;
    const ids = this.accounts.flatMap(({ acknowledged }) => acknowledged);
    const { rows } = await db.query<{ found: string }>(sql, [ids]);
    await db.end();
    const lost = ids.length - Number(rows[0]?.found);
    if (lost > 0) this.findings.push(`${lost} acknowledged writes are lost`);
  }
}
