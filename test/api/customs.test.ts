import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import type { CustomRecord } from '../../src/annotations/schemas.js';
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

const add = (form: Record<string, string>, imageId = image.id) =>
  album.call<CustomRecord>('POST', `/${imageId}/customs`, { form });
const list = async (imageId: string) =>
  (await album.call<CustomRecord[]>('GET', `/${imageId}/customs`)).result.map(({ key, value }) => [
    key,
    value,
  ]);

describe('customs', () => {
  test('creating answers the custom', async () => {
    const { status, result } = await add({ key: '색', value: '파랑' });
    assert.equal(status, 200);
    const { id, created_at, updated_at, ...rest } = result;
    assert.deepEqual(rest, { image_id: image.id, key: '색', value: '파랑' });
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.equal(created_at, updated_at);
    assert.match(created_at, /^\d{8}_\d{6}$/);
  });

  test('listing answers the array, oldest first, the same key twice', async () => {
    const { id } = await album.upload();
    assert.deepEqual(await list(id), []);
    await add({ key: 'k', value: '1' }, id);
    await add({ key: 'a', value: '2' }, id);
    await add({ key: 'k', value: '3' }, id);
    assert.deepEqual(await list(id), [
      ['k', '1'],
      ['a', '2'],
      ['k', '3'],
    ]);
    const { result } = await album.call<ImageRecord>('GET', `/${id}?with_custom=True`);
    assert.equal(result.customs?.length, 3);
  });

  test('lengths: 1 to 255 and up to 10,000 characters', async () => {
    const longest = await add({ key: '열'.repeat(255), value: '값'.repeat(10_000) });
    assert.equal(longest.status, 200);
    assert.equal((await add({ key: 'empty', value: '' })).result.value, '');
  });

  const wrong: [string, Record<string, string>, string, string][] = [
    ['no key', { value: 'x' }, 'missing_field', 'key'],
    ['an empty key', { key: '', value: 'x' }, 'invalid_field', 'key'],
    ['a key too long', { key: 'a'.repeat(256), value: 'x' }, 'invalid_field', 'key'],
    ['no value', { key: 'x' }, 'missing_field', 'value'],
    ['a value too long', { key: 'x', value: 'a'.repeat(10_001) }, 'invalid_field', 'value'],
  ];
  for (const [what, form, code, field] of wrong) {
    test(`creating refuses ${what}`, async () => {
      assert.deepEqual(refusal(await add(form)), [400, code, field]);
    });
  }

  test('changing takes either field or none, and answers the custom', async () => {
    const { id } = (await add({ key: 'before', value: '1' })).result;
    const change = async (form: Record<string, string>) => {
      const path = `/${image.id}/customs/${id}`;
      const { status, result } = await album.call<CustomRecord>('PUT', path, { form });
      return [status, result.id === id, result.key, result.value];
    };
    assert.deepEqual(await change({ key: 'after' }), [200, true, 'after', '1']);
    assert.deepEqual(await change({ value: '' }), [200, true, 'after', '']);
    assert.deepEqual(await change({ x: 'y' }), [200, true, 'after', '']);
    const answer = await album.call('PUT', `/${image.id}/customs/${id}`, { form: { key: '' } });
    assert.deepEqual(refusal(answer), [400, 'invalid_field', 'key']);
  });

  test('deleting answers the deleted custom; deleting again finds nothing', async () => {
    const { result: custom } = await add({ key: 'drop', value: 'me' });
    const path = `/${image.id}/customs/${custom.id}`;
    const gone = await album.call<CustomRecord>('DELETE', path);
    assert.deepEqual([gone.status, gone.result], [200, custom]);
    const again = await album.call('DELETE', path);
    assert.deepEqual([again.status, again.error?.code], [400, 'custom_not_found']);
  });

  test('an image in the trash keeps and takes customs', async () => {
    const { id } = await album.upload();
    await album.update(id, { delete: 'True' });
    assert.equal((await add({ key: 'k', value: 'v' }, id)).status, 200);
    assert.deepEqual(await list(id), [['k', 'v']]);
  });

  test('a custom of another image is not found', async () => {
    const custom = (await add({ key: 'else', value: 'where' }, second.id)).result.id;
    for (const id of [custom, uuidv7(), 'no-uuid']) {
      for (const method of ['PUT', 'DELETE']) {
        const answer = await album.call(method, `/${image.id}/customs/${id}`, {
          form: { key: 'x' },
        });
        assert.deepEqual([answer.status, answer.error?.code], [400, 'custom_not_found']);
      }
    }
    assert.deepEqual(await list(second.id), [['else', 'where']]);
  });

  test('another user’s image is not found under one’s own path, and forbidden under theirs', async () => {
    const form = { key: 'k', value: 'v' };
    const created = await other.call<CustomRecord>('POST', `/${theirs.id}/customs`, { form });
    for (const [method, path] of [
      ['POST', ''],
      ['GET', ''],
      ['PUT', `/${created.result.id}`],
      ['DELETE', `/${created.result.id}`],
    ] as const) {
      const call = method === 'GET' ? {} : { form };
      for (const id of [theirs.id, uuidv7(), 'no-uuid']) {
        const answer = await album.call(method, `/${id}/customs${path}`, call);
        assert.deepEqual([answer.status, answer.error?.code], [400, 'image_not_found']);
      }
      const address = `${other.user.images}/${theirs.id}/customs${path}`;
      const foreign = await service.client.request(method, address, {
        as: ['User', album.user.token],
        ...call,
      });
      assert.deepEqual([foreign.status, foreign.error?.code], [403, 'forbidden']);
    }
    const { result } = await other.call<CustomRecord[]>('GET', `/${theirs.id}/customs`);
    assert.deepEqual(result, [created.result]);
  });
});
