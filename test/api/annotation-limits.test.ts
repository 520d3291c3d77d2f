import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { row, rows } from '../../src/database/sql.js';
import { refusal } from '../../testkit/expect.js';
import { operate } from '../../testkit/operator.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';

const most = 6;
const service = await ownService(
  { after },
  { 'limits.max_memos': `${most}`, 'limits.max_customs': `${most}`, 'limits.max_text_mb': '0.02' },
);
const textBytes = Math.round(0.02 * 1024 * 1024);
const { db } = service;
const album = await service.user();

const memo = (id: string, message: string) =>
  album.call<Image>('POST', `/images/${id}/memos`, { form: { message, is_client: 'True' } });
const custom = (id: string, key: string, value: string) =>
  album.call<{ id: string }>('POST', `/images/${id}/customs`, { form: { key, value } });
const statuses = async (calls: Promise<{ status: number }>[]) =>
  (await Promise.all(calls)).map(({ status }) => status).sort();
const many = <T>(count: number, one: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => one(n));

interface Totals {
  readonly memos: number;
  readonly customs: number;
  readonly bytes: number;
}

const totals = (id: string) =>
  row<Totals>(
    db,
    `SELECT memos, customs, text_bytes AS bytes FROM annotation_totals WHERE image_id = $1`,
    [id],
  );

describe('the memos and customs of an image are limited', () => {
  test('in number, exactly, even when created concurrently', async () => {
    const { id } = await album.upload();
    const six = many(most, () => 200);
    const four = many(4, () => 400);
    assert.deepEqual(await statuses(many(10, (n) => memo(id, `${n}`))), [...six, ...four]);
    assert.deepEqual(await statuses(many(10, (n) => custom(id, `${n}`, ''))), [...six, ...four]);
    const seventh = await memo(id, 'one more');
    assert.deepEqual(refusal(seventh), [400, 'too_many_memos', 'message']);
    assert.match(seventh.error?.message ?? '', /6 memos/);
    assert.deepEqual(refusal(await custom(id, 'k', 'v')), [400, 'too_many_customs', 'value']);
    assert.deepEqual(await totals(id), { memos: 6, customs: 6, bytes: 12 });
  });

  test('in total bytes of text, on creation and on update', async () => {
    const { id } = await album.upload();
    const message = '가'.repeat(3000);
    const { result } = await memo(id, message);
    const { result: pair } = await custom(id, 'key', 'v'.repeat(9000));
    const freeBytes = textBytes - 9000 - 9003;
    const refused = await memo(id, 'm'.repeat(freeBytes + 1));
    assert.deepEqual(refusal(refused), [400, 'too_much_text', 'message']);
    assert.match(refused.error?.message ?? '', /0\.02 MB/);
    assert.equal((await memo(id, 'm'.repeat(freeBytes - 1))).status, 200);

    const first = `/${id}/memos/${result.memos?.[0]?.id}`;
    const change = (form: Record<string, string>) => album.call('PUT', `/images${first}`, { form });
    assert.deepEqual(refusal(await change({ message: `${message}mm` })), [
      400,
      'too_much_text',
      'message',
    ]);
    assert.equal((await change({ message: `${message}m` })).status, 200);
    const changeCustom = (form: Record<string, string>) =>
      album.call('PUT', `/images/${id}/customs/${pair.id}`, { form });
    assert.deepEqual(refusal(await changeCustom({ key: 'keys' })), [400, 'too_much_text', 'key']);
    assert.deepEqual(refusal(await changeCustom({ value: 'v'.repeat(9001) })), [
      400,
      'too_much_text',
      'value',
    ]);
    assert.equal((await totals(id))?.bytes, textBytes);
    assert.equal((await change({ message: 'short' })).status, 200);
    assert.equal((await changeCustom({ key: 'keys' })).status, 200);
  });

  test('in text, exactly, when several are extended concurrently', async () => {
    const { id } = await album.upload();
    for (const n of many(most, (n) => n)) await memo(id, `${n}`);
    const { result } = await album.call<Image>('GET', `/images/${id}/memos`);
    const memos = result.memos ?? [];
    const message = 'x'.repeat(5000); // four fit into 20,971 bytes
    const changes = [...memos, ...memos, ...memos].map((one) =>
      album.call('PUT', `/images/${id}/memos/${one.id}`, { form: { message } }),
    );
    const answers = await statuses(changes);
    assert.ok(answers.every((status) => status === 200 || status === 400));
    assert.deepEqual(await totals(id), { memos: most, customs: 0, bytes: 4 * 5000 + 2 });
  });

  test('also for the memo of an upload, which is then not stored', async () => {
    const image_data = filePart(await jpeg());
    const before = await album.call<{ count: number }>('GET', '/images/count');
    const form = { image_data, message: '가'.repeat(8000) };
    const refused = await album.call('POST', '/images', { form });
    assert.deepEqual(refusal(refused), [400, 'too_much_text', 'message']);
    assert.deepEqual((await album.call('GET', '/images/count')).result, before.result);
  });

  test('annotations already beyond the limits can be read, shortened and deleted', async () => {
    const { id } = await album.upload();
    await rows(
      db,
      `INSERT INTO memos (id, user_id, image_id, message, is_client)
       SELECT gen_random_uuid(), $1, $2, repeat('m', 9000), true FROM generate_series(1, 9)`,
      [album.id, id],
    );
    assert.deepEqual(await totals(id), { memos: 9, customs: 0, bytes: 81_000 });
    const { result } = await album.call<Image>('GET', `/images/${id}/memos`);
    const [first, second] = result.memos ?? [];
    assert.equal(result.memos?.length, 9);
    const change = (message: string) =>
      album.call('PUT', `/images/${id}/memos/${first?.id}`, { form: { message } });
    assert.equal((await change('n'.repeat(9000))).status, 200);
    assert.equal((await change('n'.repeat(9001))).error?.code, 'too_much_text');
    assert.equal((await change('n'.repeat(8000))).status, 200);
    assert.equal((await album.call('DELETE', `/images/${id}/memos/${second?.id}`)).status, 200);
    assert.deepEqual(await totals(id), { memos: 8, customs: 0, bytes: 71_000 });
    assert.deepEqual(refusal(await memo(id, 'm')), [400, 'too_many_memos', 'message']);
  });
});

describe('totals of annotations', () => {
  test('are deleted with their image, without deadlocks under concurrent changes', async () => {
    const folders = `/api/v1/users/${album.id}/folders`;
    const as = ['User', album.token] as const;
    const round = async (n: number) => {
      const folder = (await album.folder(`round ${n}`)).id;
      const { id } = await album.upload({ folder_id: folder });
      const notes = await Promise.all(many(4, (m) => memo(id, `${m}`)));
      const pairs = await Promise.all(many(4, (m) => custom(id, `${m}`, 'v')));
      const memos = notes.find(({ result }) => result.memos?.length === 4)?.result.memos ?? [];
      const work = [
        ...many(4, () => memo(id, 'more')),
        ...memos.map((one, m) =>
          m % 2
            ? album.call('DELETE', `/images/${id}/memos/${one.id}`)
            : album.call('PUT', `/images/${id}/memos/${one.id}`, { form: { message: 'longer' } }),
        ),
        ...pairs.map(({ result }, m) =>
          m % 2
            ? album.call('DELETE', `/images/${id}/customs/${result.id}`)
            : album.call('PUT', `/images/${id}/customs/${result.id}`, {
                form: { value: 'longer' },
              }),
        ),
        service.client.delete(`${folders}/${folder}`, { as }),
      ];
      const answers = await Promise.all(work);
      for (const { status, error } of answers) {
        assert.ok(status === 200 || status === 400, JSON.stringify(error));
      }
      assert.equal(await totals(id), undefined);
    };
    for (let n = 0; n < 3; n += 1) await Promise.all(many(6, (m) => round(6 * n + m)));
    assert.equal(
      (
        await rows(
          db,
          `SELECT deadlocks FROM pg_stat_database WHERE deadlocks > 0
      AND datname = current_database()`,
        )
      ).length,
      0,
    );
  });

  test('agree with the annotations in the end', async () => {
    const verify = ['verify', 'accounts', '--platform', album.platformId];
    const { code, stdout } = await operate(service, verify);
    assert.equal(code, 0, stdout);
  });
});
