import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { row } from '../../src/database/sql.js';
import type { Answer, Call } from '../../testkit/client.js';
import type { TestService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

/** A request of a user, with a path below that of the user. */
export interface KeyedCall extends Call {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
}

/** A user's rows in all tables, except the keys. */
const stateSql = `
  SELECT md5(concat(
    (SELECT string_agg(t::text, '' ORDER BY id) FROM users t),
    (SELECT string_agg(t::text, '' ORDER BY id) FROM folders t),
    (SELECT string_agg(t::text, '' ORDER BY id) FROM images t),
    (SELECT string_agg(t::text, '' ORDER BY id) FROM image_versions t),
    (SELECT string_agg(t::text, '' ORDER BY id) FROM memos t),
    (SELECT string_agg(t::text, '' ORDER BY id) FROM customs t)
  )) AS digest`;

/** A user who sends requests with idempotency keys. */
export class KeyedUser {
  constructor(
    readonly service: TestService,
    readonly user: Member,
    readonly client = service.client,
  ) {}

  static async of(service: TestService): Promise<KeyedUser> {
    return new KeyedUser(service, await service.user());
  }

  /** The same user through another node. */
  through(client: TestService['client']): KeyedUser {
    return new KeyedUser(this.service, this.user, client);
  }

  send<R = unknown>(
    { method, path, ...call }: KeyedCall,
    key: string | null = randomUUID(),
  ): Promise<Answer<R>> {
    return this.client.request<R>(method, `/api/v1/users/${this.user.id}${path}`, {
      as: ['User', this.user.token],
      ...call,
      headers: { ...call.headers, ...(key !== null && { 'Idempotency-Key': key }) },
    });
  }

  /** A digest of everything that a request may change. */
  async state(): Promise<string> {
    return (await row<{ digest: string }>(this.service.db, stateSql))?.digest ?? '';
  }
}

/** The parts of an answer that a client sees; signed URLs stay the same for a while. */
export const seen = ({ status, message, result, error }: Answer<unknown>) => ({
  status,
  message,
  result,
  error,
});

/** Whether an answer is a replay. */
export const isReplayed = ({ headers }: Answer<unknown>): boolean =>
  headers.get('idempotency-replayed') === 'true';

/** Asserts that the answers are one success, replays of it, and refusals while it is running. */
export function assertOnce(answers: readonly Answer<unknown>[]): void {
  const done = answers.filter(({ status }) => status === 200);
  const [first] = done.filter((answer) => !isReplayed(answer));
  assert.ok(first, JSON.stringify(answers.map(({ status, error }) => [status, error])));
  assert.equal(done.filter((answer) => !isReplayed(answer)).length, 1);
  for (const answer of done) assert.deepEqual(seen(answer), seen(first));
  for (const { status, error, headers } of answers) {
    if (status === 200) continue;
    assert.deepEqual([status, error?.code], [409, 'request_in_progress']);
    assert.equal(headers.get('retry-after'), '1');
  }
}
