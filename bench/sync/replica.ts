import { isDeepStrictEqual } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { withDeadline } from '../../src/deadline.js';
import { Client } from '../../testkit/client.js';
import { Random } from '../../testkit/random.js';
import type { CreatedUser, Folder, Image } from '../../testkit/records.js';
import { Replica, serverState } from '../../testkit/replica-of-user.js';
import type { Scope } from '../../testkit/scope.js';
import { Member, Tenant } from '../../testkit/world.js';
import { Field } from './field.js';
import { NodesClient } from './nodes-client.js';
import type { Part, Shown } from './part.js';

const minutes = 5;
/** How often the reader is stopped, and goes on with what it had written to its disk. */
const stops = 20;
const writers = 4;
/** Between two blows, in seconds. */
const everySeconds = 8;

/** Does a bit of everything, at whichever node; what is not answered may have happened. */
async function write(field: Field, owner: CreatedUser, n: number, signal: AbortSignal) {
  const random = new Random(n);
  const folders: Folder[] = [];
  const images: Image[] = [];
  let [done, failed] = [0, 0];
  while (!signal.aborted) {
    const addresses = await field.addresses();
    const client = new Client(addresses[random.below(addresses.length)] ?? '');
    const user = new Member(new Tenant(client, { id: owner.platform_id } as never), owner);
    const steps: readonly (() => Promise<unknown>)[] = [
      async () => folders.push(await user.folder(`${n} ${done}`, random.of(folders))),
      async () => {
        const folder = random.of(folders);
        images.push(await user.upload(folder && { folder_id: folder.id }));
      },
      async () => user.put(`/images/${random.of(images)?.id}`, { has_det: 'True' }),
      async () => user.post(`/images/${random.of(images)?.id}/memos`, { message: `${done}` }),
      async () => user.put(`/images/${random.of(images)?.id}`, { delete: 'True' }),
      async () => user.put(`/images/${random.of(images)?.id}`, { delete: 'False' }),
      async () => user.put(`/folders/${random.of(folders)?.id}`, {}, { delete: 'true' }),
      async () => user.put(`/folders/${random.of(folders)?.id}`, {}, { delete: 'false' }),
      async () => user.delete(`/folders/${folders.splice(0, 1)[0]?.id}`),
    ];
    const step = steps[random.below(random.below(12) < 6 ? 2 : steps.length)];
    await step?.().then(
      () => (done += 1),
      () => (failed += 1),
    );
    await delay(20);
  }
  return { done, failed };
}

/** A client with a disk, which is stopped now and then in the middle of what it does. */
class Reader {
  stops = 0;
  entries = 0;
  #disk: string | undefined;

  constructor(
    private readonly field: Field,
    private readonly owner: CreatedUser,
  ) {}

  /** Follows the feed until it is stopped. */
  async #follow(signal: AbortSignal): Promise<void> {
    const replica = await this.#resume(signal);
    for (const before = replica.entries; !signal.aborted;) {
      await replica.follow(20);
      this.#disk = replica.save();
      this.entries = Math.max(this.entries, before + replica.entries);
    }
  }

  async #resume(signal?: AbortSignal): Promise<Replica> {
    const service = { client: new NodesClient(this.field.addresses, signal) };
    const user = userOf(this.owner);
    while (this.#disk === undefined) {
      const replica = await Replica.of(service, user).catch(() => undefined);
      this.#disk = replica?.save();
    }
    return Replica.saved(service, user, this.#disk);
  }

  async stopNowAndThen(signal: AbortSignal): Promise<void> {
    const random = new Random(5);
    const mean = Math.floor((minutes * 60_000) / (stops + 1));
    for (; this.stops < stops && !signal.aborted; this.stops += 1) {
      const soon = Math.floor(mean / 2) + random.below(mean);
      await withDeadline(signal, soon, (stop) => this.#follow(stop)).catch((error: unknown) => {
        const isStop = error instanceof DOMException && error.name === 'TimeoutError';
        if (!isStop && !signal.aborted) throw error;
      });
    }
  }

  /** Everything that is left. */
  async catchUp(): Promise<Replica> {
    const replica = await this.#resume();
    await replica.catchUp();
    return replica;
  }
}

const userOf = ({ user_id: id, platform_id: platformId, access_token: token }: CreatedUser) => ({
  ...{ id, platformId, token },
  images: `/api/v1/users/${id}/images`,
});

async function run(scope: Scope, report: (line: string) => void): Promise<Shown> {
  const field = await Field.start(scope);
  const owner = await field.parts.newUser('replicated');
  const over = AbortSignal.timeout(minutes * 60_000);
  const start = Date.now();
  const reader = new Reader(field, owner);
  const work = Promise.all([
    reader.stopNowAndThen(over),
    ...Array.from({ length: writers }, (_, n) => write(field, owner, n, over)),
  ]);
  const struck = await field.strikeWhile(work, {
    every: everySeconds,
    progress: () => (Date.now() - start) / 1000,
    report: (blow) => report(`${Math.round((Date.now() - start) / 1000)} s: ${blow}`),
  });
  const [, ...written] = await work;
  await field.parts.allUp();
  const replica = await reader.catchUp();
  const pool = new pg.Pool({ connectionString: field.parts.databaseUrl });
  scope.after(() => pool.end());
  const db = {
    query: async (sql: string, values: unknown[] = []) =>
      (await pool.query<object>(sql, values)).rows,
  };
  const client = new NodesClient(field.addresses);
  const there = await serverState({ client, db }, userOf(owner));
  const [done, failed] = [sum(written.map((w) => w.done)), sum(written.map((w) => w.failed))];
  const [images, folders] = [Object.keys(there.images).length, Object.keys(there.folders).length];
  return {
    facts: [
      `${minutes} minutes, ${struck} times something was killed or came back; the reader was stopped ${reader.stops} times`,
      `${done} changes answered, ${failed} not; the feed goes up to ${replica.last}`,
      `${images} images and ${folders} folders are there`,
    ],
    findings: isDeepStrictEqual(replica.state(), there) ? [] : ['the replica is another'],
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

export const replica: Part = {
  name: 'replica',
  about: 'a replica from snapshot and feed, while nodes and the reader itself are stopped',
  run,
};
