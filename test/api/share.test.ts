import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import type { ImageRecord } from '../../src/images/schemas.js';
import { assertAccounts } from '../../testkit/accounts.js';
import { Album, refusal } from '../../testkit/album.js';
import type { Call } from '../../testkit/client.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const album = await Album.of(service);

const share = (call: Call) => album.call<ImageRecord[]>('POST', '/share', call);
const several = (count: number) =>
  Promise.all(Array.from({ length: count }, () => album.upload())).then((images) =>
    images.map(({ id }) => id),
  );

describe('sharing images', () => {
  const spellings: [string, (ids: string[]) => Call][] = [
    ['a repeated field', (ids) => ({ form: { image_ids: ids } })],
    ['a repeated image_ids[]', (ids) => ({ form: { 'image_ids[]': ids } })],
    ['text with commas', (ids) => ({ urlencoded: { image_ids: ids.join(', ') } })],
    ['a JSON array in a form', (ids) => ({ form: { image_ids: JSON.stringify(ids) } })],
    ['a JSON array in a JSON body', (ids) => ({ json: { image_ids: ids } })],
    ['text with commas in the query', (ids) => ({ query: { image_ids: ids.join(',') } })],
  ];
  for (const [how, call] of spellings) {
    test(`takes the ids as ${how}, and answers in their order`, async () => {
      const [a, b, c] = await several(3);
      const asked = [c, a, b].map(String);
      const { status, result } = await share(call(asked));
      assert.equal(status, 200);
      assert.deepEqual(
        result.map(({ id }) => id),
        asked,
      );
      assert.ok(result.every((image) => image.is_shared && image.filedatas === null));
    });
  }

  test('takes one id, in upper case, and answers each image once', async () => {
    const { id } = await album.upload();
    const { result } = await share({ form: { image_ids: [id.toUpperCase(), id] } });
    assert.deepEqual(
      result.map((image) => image.id),
      [id],
    );
  });

  test('sharing again is no error and changes nothing', async () => {
    const { id } = await album.upload({ is_shared: 'True', message: 'x' });
    const { status, result } = await share({ form: { image_ids: id } });
    const { updated_at } = await album.get(id);
    assert.deepEqual([status, result[0]?.updated_at], [200, updated_at]);
  });

  test('is all or nothing: the answer lists every offender, and nothing is shared', async () => {
    const [good = '', trashed = ''] = await several(2);
    await album.update(trashed, { delete: 'True' });
    const theirs = (await (await Album.of(service)).upload()).id;
    const unknown = uuidv7();
    const answer = await share({
      form: { image_ids: [good, trashed, theirs, unknown, 'no-uuid'] },
    });
    assert.deepEqual(refusal(answer), [400, 'image_not_found', 'image_ids']);
    assert.deepEqual(answer.error?.details, [
      { image_id: trashed, code: 'image_in_trash' },
      { image_id: theirs, code: 'image_not_found' },
      { image_id: unknown, code: 'image_not_found' },
      { image_id: 'no-uuid', code: 'image_not_found' },
    ]);
    assert.equal((await album.get(good)).is_shared, false);
  });

  test('refuses an image in the trash', async () => {
    const [id = ''] = await several(1);
    await album.update(id, { delete: 'True' });
    const answer = await share({ form: { image_ids: id } });
    assert.deepEqual(refusal(answer), [400, 'image_in_trash', 'image_ids']);
    assert.deepEqual(answer.error?.details, [{ image_id: id, code: 'image_in_trash' }]);
  });

  const nothing: [string, Call][] = [
    ['no body', {}],
    ['an empty field', { form: { image_ids: '' } }],
    ['an empty list', { json: { image_ids: [] } }],
    ['commas alone', { form: { image_ids: ' , ' } }],
  ];
  for (const [what, call] of nothing) {
    test(`refuses ${what}`, async () => {
      assert.deepEqual(refusal(await share(call)), [400, 'missing_field', 'image_ids']);
    });
  }

  const wrong: [string, Call][] = [
    ['an object', { json: { image_ids: { a: 1 } } }],
    ['a list of lists', { json: { image_ids: [['a']] } }],
    ['a broken JSON array', { form: { image_ids: '["a"' } }],
    ['a deep JSON array', { form: { image_ids: '['.repeat(50_000) } }],
    ['one id 1,001 times', { form: { image_ids: `${uuidv7()},`.repeat(1001) } }],
    ['more than 1,000 ids', { json: { image_ids: Array.from({ length: 1001 }, () => uuidv7()) } }],
  ];
  for (const [what, call] of wrong) {
    test(`refuses ${what}`, async () => {
      assert.deepEqual(refusal(await share(call)), [400, 'invalid_field', 'image_ids']);
    });
  }

  test('1,000 ids are not too many', async () => {
    const ids = Array.from({ length: 1000 }, () => uuidv7());
    const answer = await share({ form: { image_ids: ids } });
    assert.deepEqual([answer.status, answer.error?.code], [400, 'image_not_found']);
    assert.equal((answer.error?.details as unknown[]).length, 1000);
  });

  test('answers extras where asked', async () => {
    const { id } = await album.upload({ message: 'hello' });
    const { result } = await share({ query: { with_memo: 'True' }, form: { image_ids: id } });
    assert.equal(result[0]?.memos?.[0]?.message, 'hello');
  });

  test('another user’s token is refused', async () => {
    const other = await service.user();
    const { status } = await service.client.post(`${album.user.images}/share`, {
      as: ['User', other.token],
      form: { image_ids: uuidv7() },
    });
    assert.equal(status, 403);
  });

  test('an image is either shared or trashed first, never shared in the trash', async () => {
    const ids = await several(6);
    const [shared] = await Promise.all([
      share({ form: { image_ids: ids } }),
      ...ids.map((id) => album.update(id, { delete: 'True' })),
    ]);
    const marks = await Promise.all(ids.map(async (id) => (await album.get(id)).is_shared));
    assert.deepEqual(
      marks,
      ids.map(() => shared.status === 200),
    );
    await assertAccounts(service);
  });
});
