import assert from 'node:assert/strict';
import { done, refused } from '../../testkit/expect.js';
import { sha256 } from '../../testkit/fetch.js';
import type { Image, Page } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';
import type { Answer, Call } from '../../testkit/client.js';
import { Model } from './model.js';
import type { Picture, Pictures } from './pictures.js';
import { Random } from '../../testkit/random.js';

/** Data of another user in a response. */
export class CrossTalk extends Error {
  override readonly name = 'CrossTalk';
}

/** An active user, with a model of the data that it must own. */
export class SimulatedUser {
  readonly model = new Model();
  readonly random: Random;
  #titles = 0;

  constructor(
    readonly member: Member,
    private readonly pictures: Pictures,
    seed: number,
  ) {
    this.random = new Random(seed);
  }

  get id(): string {
    return this.member.id;
  }

  get name(): string {
    return this.member.record.platform_user_id;
  }

  picture(): Picture {
    return this.pictures.next(this.random);
  }

  /** Unique among its titles; all users use the same titles. */
  title(): string {
    return `현장 ${(this.#titles += 1)}`;
  }

  get = async <R>(path: string, query?: Call['query']): Promise<R> =>
    this.own(await this.member.get<R>(path, query));
  post = async <R>(path: string, form?: Call['form']): Promise<R> =>
    this.own(await this.member.post<R>(path, form));
  put = async <R>(path: string, form?: Call['form'], query?: Call['query']): Promise<R> =>
    this.own(await this.member.put<R>(path, form, query));
  delete = async <R>(path: string): Promise<R> => this.own(await this.member.delete<R>(path));

  /** The result of a success, in which every record must be this user's. */
  own<R>(answer: Answer<R>): R {
    const result = done(answer);
    for (const [key, value] of fieldsOf(result)) {
      if (key === 'user_id' && value !== this.id)
        throw new CrossTalk(`a record of user ${String(value)}`);
    }
    return result;
  }

  /** Checks a rejection; a successful request for somebody else's data is cross-talk. */
  async denied(asked: Promise<Answer<unknown>>, status: number, code: string): Promise<void> {
    const answer = await asked;
    if (answer.status === 200)
      throw new CrossTalk(`a request succeeded that should have been rejected with ${code}`);
    refused(answer, status, code);
  }

  /** All images of a list, page by page. */
  async readPages(query: Call['query']): Promise<Image[]> {
    const found: Image[] = [];
    for (let index = 0, total = 1; index < total;) {
      const page = await this.get<Page<Image>>('/images', { ...query, last_index: index });
      assert.equal(page.last_index, index + page.count);
      assert.ok(page.count > 0 || page.total_count === 0, 'paging continues');
      found.push(...page.items);
      [index, total] = [page.last_index, page.total_count];
    }
    return found;
  }

  /** Checks that a signed URL returns bytes with this hash. */
  async checkBytes(url: string, hash: string): Promise<void> {
    const response = await this.member.tenant.client.raw('GET', url);
    assert.equal(response.status, 200, `${response.status} for a signed URL`);
    assert.equal(sha256(Buffer.from(await response.arrayBuffer())), hash, 'bytes as uploaded');
  }
}

/** Every field of a record and of the records in it. */
function* fieldsOf(value: unknown): Generator<[string, unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield [key, inner];
    yield* fieldsOf(inner);
  }
}
