import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { row, rows } from '../../src/database/sql.js';
import { expireKeys } from '../../src/http/idempotency/keys.js';
import { eventually } from '../../testkit/eventually.js';
import { testService } from '../../testkit/service.js';
import { assertOnce, isReplayed, KeyedUser, type KeyedCall } from './keyed-user.js';

const service = await testService();
const { db } = service;
const keyed = await KeyedUser.of(service);

const create = (title: string, more: Record<string, string> = {}): KeyedCall => ({
  method: 'POST',
  path: '/folders',
  form: { title, ...more },
});
const count = async (sql: string, ...values: unknown[]): Promise<number> =>
  (await row<{ n: number }>(db, `SELECT count(*) AS n FROM ${sql}`, values))?.n ?? NaN;
const nothing = '01900000-0000-7000-8000-000000000000';

describe('a key', () => {
  for (const [what, key] of Object.entries({
    empty: '',
    'of 256 characters': 'x'.repeat(256),
    'of 10,000 characters': 'x'.repeat(10_000),
    'with a blank': 'a b',
    'with a tab': 'a\tb',
    'outside ASCII': 'caf\u00e9',
    'given twice': 'a, b',
  })) {
    test(`${what} is refused, and ignored where nothing changes`, async () => {
      const { status, error } = await keyed.send(create('x'), key);
      const expected = [400, 'invalid_field', 'Idempotency-Key'];
      assert.deepEqual([status, error?.code, error?.field], expected);
      const { token, id } = keyed.user;
      const headers = { 'Idempotency-Key': key };
      const read = await service.client.get(`/api/v1/users/${id}`, {
        as: ['User', token],
        headers,
      });
      assert.equal(read.status, 200);
    });
  }

  test('of 255 visible characters is accepted', async () => {
    const key = `!~"'${'x'.repeat(251)}`;
    assert.equal((await keyed.send(create('long key'), key)).status, 200);
    assert.ok(isReplayed(await keyed.send(create('long key'), key)));
  });

  test('is case-sensitive, and separate for each user', async () => {
    const other = await KeyedUser.of(service);
    const answers = [
      await keyed.send(create('key'), 'key'),
      await keyed.send(create('KEY'), 'KEY'),
      await other.send(create('key'), 'key'),
    ];
    assert.deepEqual(
      answers.map((answer) => [answer.status, isReplayed(answer)]),
      answers.map(() => [200, false]),
    );
  });

  test('is free again after a failed request', async () => {
    const wrong = await keyed.send(create('free', { parent_id: nothing }), 'free');
    assert.deepEqual([wrong.status, wrong.error?.code], [400, 'folder_not_found']);
    const right = await keyed.send(create('free'), 'free');
    assert.deepEqual([right.status, isReplayed(right)], [200, false]);
  });

  test('is ignored by operations that issue tokens', async () => {
    const { id, token } = await service.platform();
    const path = `/api/v1/platforms/${id}/users`;
    for (const name of ['one', 'two']) {
      const answer = await service.client.post(path, {
        as: ['Platform', token],
        form: { platform_user_id: name },
        headers: { 'Idempotency-Key': 'same' },
      });
      assert.deepEqual([answer.status, isReplayed(answer)], [200, false]);
    }
    assert.equal(await count('idempotency_keys WHERE owner = $1', id), 0);
  });

  test('is deleted with its user', async () => {
    const leaving = await KeyedUser.of(service);
    await leaving.send(create('x'));
    const kept = 'idempotency_keys WHERE owner = $1';
    assert.equal(await count(kept, leaving.user.id), 1);
    assert.equal((await leaving.send({ method: 'DELETE', path: '' }, null)).status, 200);
    assert.equal(await count(kept, leaving.user.id), 0);
  });

  test('expires after its hours: requests ignore it at once, the job deletes it later', async () => {
    const age = (key: string, hours: number): Promise<unknown> =>
      rows(
        db,
        `UPDATE idempotency_keys SET created_at = now() - make_interval(mins => $2) WHERE key = $1`,
        [key, hours * 60],
      );
    await keyed.send(create('old'), 'old');
    await keyed.send(create('younger'), 'younger');
    await age('old', 72.1);
    await age('younger', 71.9);
    const again = await keyed.send(create('old'), 'old');
    assert.deepEqual([again.status, again.error?.code], [400, 'folder_exists']);
    const renewed = await keyed.send(create('newer'), 'old');
    assert.deepEqual([renewed.status, isReplayed(renewed)], [200, false]);
    assert.ok(isReplayed(await keyed.send(create('newer'), 'old')));
    await age('old', 72.1);
    assert.deepEqual(await expireKeys(db, 72, new AbortController().signal), { rows: 1 });
    assert.ok(isReplayed(await keyed.send(create('younger'), 'younger')));
  });
});

test('two hundred keys at once', async () => {
  const users = await Promise.all(Array.from({ length: 20 }, () => KeyedUser.of(service)));
  /** Retries like clients while the service is busy. */
  const insist = async (i: number): Promise<number> => {
    const sender = users[i % users.length] ?? keyed;
    const { status } = await sender.send(create(`crowd ${i}`), `crowd-${i}`);
    return status === 503 ? insist(i) : status;
  };
  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => insist(i)));
  assert.deepEqual([...new Set(answers)], [200]);
  assert.equal(await count("folders WHERE title LIKE 'crowd %'"), 200);
  assert.equal(await count("idempotency_keys WHERE key LIKE 'crowd-%'"), 200);
});

/** Sessions that wait between the effect of a request and its commit. */
const waiting = `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
  AND query LIKE '%INTO idempotency_keys%'`;

/** Sessions that wait for the end of another transaction. */
const blocked =
  "pg_stat_activity WHERE datname = current_database() AND wait_event = 'transactionid'";

/** Makes requests wait before their commit while `act` runs. */
async function withoutEnd(act: () => Promise<void>): Promise<void> {
  const holder = db.createQueryRunner();
  try {
    await holder.startTransaction();
    await holder.query('LOCK TABLE idempotency_keys IN SHARE MODE');
    await act();
    await holder.commitTransaction();
  } finally {
    await holder.release();
  }
}

const atWork = (): Promise<void> =>
  eventually('it is at work', async () => (await count(waiting)) === 1);

test('a request whose connection dies before the commit has no effect, and can be repeated', async () => {
  const call = create('died');
  await withoutEnd(async () => {
    const first = keyed.send(call, 'died');
    await atWork();
    await rows(db, `SELECT pg_terminate_backend(pid) FROM ${waiting}`);
    const { status, error } = await first;
    assert.deepEqual([status, error?.code], [503, 'unavailable']);
  });
  assert.equal(await count("folders WHERE title = 'died'"), 0);
  const second = await keyed.send(call, 'died');
  assert.deepEqual([second.status, isReplayed(second)], [200, false]);
});

test('a client that disconnects before the answer gets it later', async () => {
  const gone = new AbortController();
  await withoutEnd(async () => {
    const left = keyed.send({ ...create('left'), signal: gone.signal }, 'left');
    await atWork();
    gone.abort();
    await assert.rejects(left);
  });
  const kept = "idempotency_keys WHERE key = 'left'";
  await eventually('it has happened', async () => (await count(kept)) === 1);
  assert.ok(isReplayed(await keyed.send(create('left'), 'left')));
});

describe('two nodes', () => {
  test('share running requests, and replay those of the other node', async () => {
    const second = keyed.through(await service.secondNode());
    const senders = [keyed, second, keyed, second, keyed, second, keyed, second];
    assertOnce(await Promise.all(senders.map((sender) => sender.send(create('both'), 'both'))));
    assert.equal(await count("folders WHERE title = 'both'"), 1);
    assert.ok(isReplayed(await second.send(create('both'), 'both')));
  });

  test('execute a request once even if the connections that hold the keys have died', async () => {
    const second = keyed.through(await service.secondNode());
    await second.send(create('first of the second'));
    let both: ReturnType<typeof keyed.send>[] = [];
    await withoutEnd(async () => {
      const first = keyed.send(create('torn'), 'torn');
      await atWork();
      const refused = await second.send(create('torn'), 'torn');
      assert.deepEqual([refused.status, refused.error?.code], [409, 'request_in_progress']);
      const killed = await rows(
        db,
        `SELECT pg_terminate_backend(pid) FROM pg_locks
       WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND mode = 'ExclusiveLock'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      assert.ok(killed.length >= 1);
      both = [first, second.send(create('torn'), 'torn')];
      // It goes on once the first has committed, and finds a folder with this title.
      await eventually('the second waits for the first', async () => (await count(blocked)) > 0);
    });
    assertOnce(await Promise.all(both));
    assert.equal(await count("folders WHERE title = 'torn'"), 1);
    assert.ok(isReplayed(await second.send(create('torn'), 'torn')));
    assert.equal((await keyed.send(create('afterward'), 'afterward')).status, 200);
  });
});
