import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import type { ImageRecord } from '../../src/images/schemas.js';
import { Album, refusal } from '../../testkit/album.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const album = await Album.of(service);
const other = await Album.of(service);

let image: ImageRecord;
let second: ImageRecord;
let theirs: ImageRecord;

before(async () => {
  [image, second, theirs] = await Promise.all([album.upload(), album.upload(), other.upload()]);
});

const add = (message: string, is_client = 'True', imageId = image.id) =>
  album.call<ImageRecord>('POST', `/${imageId}/memos`, { form: { message, is_client } });
const lastMemo = (record: ImageRecord): string => record.memos?.at(-1)?.id ?? '';
const messages = (record: ImageRecord) => record.memos?.map(({ message }) => message);

describe('memos', () => {
  test('creating answers the image with all its memos, oldest first', async () => {
    const { id } = await album.upload();
    await add('first', 'True', id);
    const { status, result } = await add('둘째', 'False', id);
    assert.equal(status, 200);
    assert.equal(result.id, id);
    assert.deepEqual(messages(result), ['first', '둘째']);
    assert.deepEqual(
      result.memos?.map((memo) => [memo.is_client, memo.image_id]),
      [
        [true, id],
        [false, id],
      ],
    );
    assert.match(result.memos?.[0]?.created_at ?? '', /^\d{8}_\d{6}$/);
    assert.deepEqual([result.customs, result.filedatas], [null, null]);
  });

  test('listing answers the image, with an empty array before there are any', async () => {
    const { id } = await album.upload();
    const { status, result } = await album.call<ImageRecord>('GET', `/${id}/memos/`);
    assert.deepEqual([status, result.id, result.memos], [200, id, []]);
  });

  test('takes 10,000 characters, counted as characters', async () => {
    assert.equal((await add('😀'.repeat(10_000))).status, 200);
    assert.deepEqual(refusal(await add('a'.repeat(10_001))), [400, 'invalid_field', 'message']);
  });

  test('a JSON body does as well', async () => {
    const json = { message: 'by JSON', is_client: false };
    const { result } = await album.call<ImageRecord>('POST', `/${image.id}/memos`, { json });
    assert.deepEqual(
      result.memos?.slice(-1).map(({ message, is_client }) => [message, is_client]),
      [['by JSON', false]],
    );
  });

  const wrong: [string, Record<string, string>, string, string][] = [
    ['no message', { is_client: 'True' }, 'missing_field', 'message'],
    ['an empty message', { message: '', is_client: 'True' }, 'invalid_field', 'message'],
    ['no is_client', { message: 'x' }, 'missing_field', 'is_client'],
    ['is_client None', { message: 'x', is_client: 'None' }, 'invalid_field', 'is_client'],
    ['NUL in a message', { message: 'a\0', is_client: 'True' }, 'invalid_field', 'message'],
  ];
  for (const [what, form, code, field] of wrong) {
    test(`creating refuses ${what}`, async () => {
      const answer = await album.call('POST', `/${image.id}/memos`, { form });
      assert.deepEqual(refusal(answer), [400, code, field]);
    });
  }

  test('changing takes either field or none, and answers the image', async () => {
    const { id } = await album.upload();
    const memo = lastMemo((await add('before', 'True', id)).result);
    const change = async (form: Record<string, string>) => {
      const answer = await album.call<ImageRecord>('PUT', `/${id}/memos/${memo}`, { form });
      assert.equal(answer.status, 200);
      return answer.result.memos?.map(({ message, is_client }) => [message, is_client]);
    };
    assert.deepEqual(await change({ message: 'after' }), [['after', true]]);
    assert.deepEqual(await change({ is_client: 'false' }), [['after', false]]);
    assert.deepEqual(await change({ x: 'y' }), [['after', false]]);
  });

  test('changing refuses what creating refuses', async () => {
    const memo = lastMemo((await add('stays')).result);
    for (const [field, value] of [
      ['message', ''],
      ['message', 'a'.repeat(10_001)],
      ['is_client', 'perhaps'],
    ] as const) {
      const answer = await album.call('PUT', `/${image.id}/memos/${memo}`, {
        form: { [field]: value },
      });
      assert.deepEqual(refusal(answer), [400, 'invalid_field', field]);
    }
  });

  test('deleting answers the image without the memo; deleting again finds nothing', async () => {
    const { id } = await album.upload();
    await add('keep', 'True', id);
    const memo = lastMemo((await add('drop', 'True', id)).result);
    const gone = await album.call<ImageRecord>('DELETE', `/${id}/memos/${memo}`);
    assert.deepEqual([gone.status, messages(gone.result)], [200, ['keep']]);
    const again = await album.call('DELETE', `/${id}/memos/${memo}`);
    assert.deepEqual([again.status, again.error?.code], [400, 'memo_not_found']);
  });

  test('an image in the trash keeps and takes memos', async () => {
    const { id } = await album.upload();
    await album.update(id, { delete: 'True' });
    const { status, result } = await add('in the trash', 'True', id);
    assert.deepEqual([status, messages(result)], [200, ['in the trash']]);
  });

  test('a memo of another image is not found', async () => {
    const memo = lastMemo((await add('elsewhere', 'True', second.id)).result);
    for (const id of [memo, uuidv7(), 'no-uuid']) {
      for (const method of ['PUT', 'DELETE']) {
        const answer = await album.call(method, `/${image.id}/memos/${id}`, {
          form: { message: 'x' },
        });
        assert.deepEqual([answer.status, answer.error?.code], [400, 'memo_not_found']);
      }
    }
    const { result } = await album.call<ImageRecord>('GET', `/${second.id}/memos`);
    assert.deepEqual(messages(result), ['elsewhere']);
  });

  test('another user’s image is not found under one’s own path, whatever the memo', async () => {
    const form = { message: 'mine?', is_client: 'True' };
    const created = await other.call<ImageRecord>('POST', `/${theirs.id}/memos`, { form });
    const memo = lastMemo(created.result);
    for (const id of [theirs.id, uuidv7(), 'no-uuid']) {
      for (const [method, path] of [
        ['POST', ''],
        ['GET', ''],
        ['PUT', `/${memo}`],
        ['DELETE', `/${memo}`],
      ] as const) {
        const call = method === 'GET' ? {} : { form };
        const answer = await album.call(method, `/${id}/memos${path}`, call);
        assert.deepEqual([answer.status, answer.error?.code], [400, 'image_not_found']);
      }
    }
    const { result } = await other.call<ImageRecord>('GET', `/${theirs.id}/memos`);
    assert.deepEqual(messages(result), ['mine?']);
  });

  test('another user’s path is forbidden', async () => {
    const memo = lastMemo((await add('private')).result);
    for (const [method, path] of [
      ['POST', ''],
      ['GET', ''],
      ['PUT', `/${memo}`],
      ['DELETE', `/${memo}`],
    ] as const) {
      const address = `${album.user.images}/${image.id}/memos${path}`;
      const answer = await service.client.request(method, address, {
        as: ['User', other.user.token],
      });
      assert.deepEqual([answer.status, answer.error?.code], [403, 'forbidden']);
    }
  });

  test('memos added at the same time are all there', async () => {
    const { id } = await album.upload();
    const all = Array.from({ length: 8 }, (_, i) => `memo ${i}`);
    await Promise.all(all.map((message) => add(message, 'True', id)));
    const { result } = await album.call<ImageRecord>('GET', `/${id}/memos`);
    assert.deepEqual(messages(result)?.sort(), all);
  });
});
