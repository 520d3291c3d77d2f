import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { forEachLimited } from '../../../src/base/concurrency.js';
import { Client } from '../../../testkit/client.js';
import { filePart, jpeg } from '../../../testkit/pictures.js';
import type { CreatedUser, Image } from '../../../testkit/records.js';
import { sha256 } from '../../../testkit/fetch.js';

/** Delay before a client retries a failed request, in milliseconds. */
const pauseMs = 200;

/** Pause of a client after each picture, in milliseconds: nodes take a while to restart. */
const restMs = 300;

/** Timeout of one request in milliseconds; a timeout counts as a failure. */
const patience = 30_000;

interface Picture {
  readonly owner: CreatedUser;
  readonly id: string;
  readonly hash: string;
}

/** The results of the clients. */
export interface Seen {
  uploads: number;
  reads: number;
  /** Failed requests that were retried, by error. */
  readonly failures: Map<string, number>;
  /** The longest time without an acknowledged upload, in milliseconds. */
  longestStall: number;
  /** The longest time that one client had to retry, in milliseconds. */
  longestWait: number;
}

/** Clients that upload and read continuously on any node that answers. */
export class Traffic {
  readonly seen: Seen = {
    uploads: 0,
    reads: 0,
    longestStall: 0,
    longestWait: 0,
    failures: new Map(),
  };
  readonly #pictures: Picture[] = [];
  readonly #acknowledged = new EventEmitter();
  #stopped = false;
  #work: Promise<unknown> = Promise.resolve();
  #turn = 0;
  #last = Date.now();

  constructor(private readonly urls: () => readonly string[]) {}

  start(users: readonly CreatedUser[]): void {
    this.#last = Date.now();
    this.#work = Promise.all(users.map((user) => this.#client(user)));
  }

  /** Resolves when this many more pictures have been acknowledged. */
  async more(pictures: number): Promise<void> {
    for (const goal = this.seen.uploads + pictures; this.seen.uploads < goal;) {
      await Promise.race([once(this.#acknowledged, 'picture'), this.#work]);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#work;
  }

  /** Reads every acknowledged picture, and compares it with the original. */
  async readAll(): Promise<number> {
    await forEachLimited(this.#pictures, 8, (picture) => this.#read(picture));
    return this.#pictures.length;
  }

  async #client(user: CreatedUser): Promise<void> {
    while (!this.#stopped) {
      await this.#upload(user);
      const picture = this.#pictures[Math.floor(Math.random() * this.#pictures.length)];
      if (picture) await this.#read(picture);
      await delay(restMs);
    }
  }

  async #upload(owner: CreatedUser): Promise<void> {
    const bytes = await jpeg({ width: 320, height: 240, seed: Math.floor(Math.random() * 1e6) });
    const id = await this.#persistently(async (client) => {
      const answer = await client.post<Image>(`/api/v1/users/${owner.user_id}/images`, {
        ...signed(owner),
        form: { image_data: filePart(bytes) },
      });
      return accepted(answer).id;
    });
    this.#pictures.push({ owner, id, hash: sha256(bytes) });
    this.seen.uploads += 1;
    this.seen.longestStall = Math.max(this.seen.longestStall, Date.now() - this.#last);
    this.#last = Date.now();
    this.#acknowledged.emit('picture');
  }

  async #read({ owner, id, hash }: Picture): Promise<void> {
    const got = await this.#persistently(async (client) => {
      const path = `/api/v1/users/${owner.user_id}/images/${id}`;
      const { org_path_url } = accepted(await client.get<Image>(path, signed(owner)));
      const answer = await fetch(org_path_url, { signal: AbortSignal.timeout(patience) });
      if (answer.status !== 200) throw new Refused(`file ${answer.status}`, answer.status);
      return sha256(new Uint8Array(await answer.arrayBuffer()));
    });
    assert.equal(got, hash, `the picture ${id} came back changed`);
    this.seen.reads += 1;
  }

  /** Sends a request to one node after another until one succeeds. */
  async #persistently<T>(request: (client: Client) => Promise<T>): Promise<T> {
    for (const start = Date.now(); ;) {
      const urls = this.urls();
      const url = urls[(this.#turn += 1) % urls.length] ?? '';
      try {
        const done = await request(new Client(url));
        this.seen.longestWait = Math.max(this.seen.longestWait, Date.now() - start);
        return done;
      } catch (error) {
        if (error instanceof Refused && error.status !== 503) throw error;
        const kind = error instanceof Refused ? error.message : 'connection lost';
        this.seen.failures.set(kind, (this.seen.failures.get(kind) ?? 0) + 1);
        if (Date.now() - start > 4 * patience) throw error;
        await delay(pauseMs);
      }
    }
  }
}

const signed = (owner: CreatedUser) => ({
  as: ['User', owner.access_token] as const,
  signal: AbortSignal.timeout(patience),
});

/** An answer that is not 200. */
class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

function accepted<R>(answer: { status: number; result: R; error?: { code: string } }): R {
  if (answer.status === 200) return answer.result;
  throw new Refused(`${answer.status} ${answer.error?.code}`, answer.status);
}
