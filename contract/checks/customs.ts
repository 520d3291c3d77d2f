import assert from 'node:assert/strict';
import { done, nobody, refused, timePattern, uuidV7 } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Custom, Image } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';

const add = async (user: Member, image: Image, key: string, value: string) =>
  done(await user.post<Custom>(`/images/${image.id}/customs`, { key, value }));

export const customs = area('customs', (check) => {
  check('createCustom', 'IF 24 returns the custom', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const custom = await add(user, image, '관리 번호', 'A-1');
    assert.match(custom.id, uuidV7);
    assert.deepEqual([custom.image_id, custom.key, custom.value], [image.id, '관리 번호', 'A-1']);
    assert.match(custom.created_at, timePattern);
    assert.equal(custom.updated_at, custom.created_at);
  });

  check('createCustom', '§6.26 the same key twice is allowed', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    await add(user, image, 'k', '1');
    await add(user, image, 'k', '2');
    const { customs: both } = await user.image(image.id, { with_custom: 'True' });
    assert.deepEqual(
      both?.map(({ key, value }) => [key, value]),
      [
        ['k', '1'],
        ['k', '2'],
      ],
    );
  });

  check('createCustom', 'IF 24 key and value are required', async (world) => {
    const user = await world.user();
    const path = `/images/${(await user.upload()).id}/customs`;
    refused(await user.post(path, { value: 'v' }), 400, 'missing_field', 'key');
    refused(await user.post(path, { key: 'k' }), 400, 'missing_field', 'value');
  });

  check('createCustom', '§6.26 key 1 to 255 characters, value up to 10,000', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const path = `/images/${image.id}/customs`;
    for (const [key, value, field] of [
      ['', 'v', 'key'],
      ['k'.repeat(256), 'v', 'key'],
      ['k', 'v'.repeat(10_001), 'value'],
    ] as const) {
      refused(
        await user.post(path, { key, value }),
        400,
        ['invalid_field', 'missing_field'],
        field,
      );
    }
    await add(user, image, '가'.repeat(255), '나'.repeat(10_000));
    assert.equal((await add(user, image, 'k', '')).value, '');
  });

  check('listCustoms', '§6.26 returns the array, oldest first', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const path = `/images/${image.id}/customs`;
    assert.deepEqual(done(await user.get(path)), []);
    const made = [await add(user, image, 'b', '1'), await add(user, image, 'a', '2')];
    assert.deepEqual(done(await user.get(path)), made);
  });

  check('updateCustom', '§6.26 returns the custom; both fields are optional', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const custom = await add(user, image, 'k', 'v');
    const change = async (form: Record<string, string>) => {
      const path = `/images/${image.id}/customs/${custom.id}`;
      const { id, key, value } = done(await user.put<Custom>(path, form));
      return [id, key, value];
    };
    assert.deepEqual(await change({ key: 'K' }), [custom.id, 'K', 'v']);
    assert.deepEqual(await change({ value: '' }), [custom.id, 'K', '']);
    assert.deepEqual(await change({}), [custom.id, 'K', '']);
  });

  check('updateCustom', '§6.26 key and value are validated as on creation', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const path = `/images/${image.id}/customs/${(await add(user, image, 'k', 'v')).id}`;
    for (const key of ['', 'k'.repeat(256)]) {
      refused(await user.put(path, { key }), 400, 'invalid_field', 'key');
    }
    refused(await user.put(path, { value: 'v'.repeat(10_001) }), 400, 'invalid_field', 'value');
  });

  check('deleteCustom', '§6.26 returns the deleted custom', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const custom = await add(user, image, 'k', 'v');
    const path = `/images/${image.id}/customs/${custom.id}`;
    assert.deepEqual(done(await user.delete(path)), custom);
    refused(await user.delete(path), 400, 'custom_not_found');
    assert.deepEqual(done(await user.get(`/images/${image.id}/customs`)), []);
  });

  check(
    'createCustom',
    '§6.26 an image in the trash keeps its customs and accepts new ones',
    async (world) => {
      const user = await world.user();
      const image = await user.upload();
      const kept = await add(user, image, 'before', 'v');
      await user.trash(image);
      const added = await add(user, image, 'after', 'v');
      assert.deepEqual(done(await user.get(`/images/${image.id}/customs`)), [kept, added]);
    },
  );

  for (const [operation, method] of [
    ['updateCustom', 'PUT'],
    ['deleteCustom', 'DELETE'],
  ] as const) {
    check(operation, '§2.2 an unknown custom, or one of another image', async (world) => {
      const user = await world.user();
      const [image, other] = [await user.upload(), await user.upload()];
      for (const id of [nobody, 'no-uuid', (await add(user, other, 'k', 'v')).id]) {
        const answer = await user.call(method, `/images/${image.id}/customs/${id}`);
        refused(answer, 400, 'custom_not_found');
      }
    });
  }

  for (const [operation, method, path] of [
    ['createCustom', 'POST', 'customs'],
    ['listCustoms', 'GET', 'customs'],
    ['updateCustom', 'PUT', `customs/${nobody}`],
    ['deleteCustom', 'DELETE', `customs/${nobody}`],
  ] as const) {
    check(operation, '§2.2 an unknown image', async (world) => {
      const [user, other] = [await world.user(), await world.user()];
      for (const id of [nobody, 'no-uuid', (await other.upload()).id]) {
        const form: Record<string, string> = method === 'POST' ? { key: 'k', value: 'v' } : {};
        const answer = await user.call(method, `/images/${id}/${path}`, { form });
        refused(answer, 400, 'image_not_found');
      }
    });
  }
});
