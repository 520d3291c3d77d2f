import assert from 'node:assert/strict';
import { done, nobody, refused, timePattern, uuidV7 } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Image } from '../../testkit/records.js';
import type { Member } from '../../testkit/world.js';

const add = (user: Member, image: Image, message: string, is_client = 'True') =>
  user.post<Image>(`/images/${image.id}/memos`, { message, is_client });

const messages = ({ memos }: Image) => memos?.map(({ message }) => message);

export const memos = area('memos', (check) => {
  check(
    'createMemo',
    'IF 20 returns the image with all of its memos, oldest first',
    async (world) => {
      const user = await world.user();
      const image = await user.upload();
      done(await add(user, image, '첫째'));
      const record = done(await add(user, image, '둘째', 'False'));
      assert.equal(record.id, image.id);
      assert.deepEqual(messages(record), ['첫째', '둘째']);
      assert.deepEqual([record.customs, record.filedatas], [null, null]);
      const [first, second] = record.memos ?? [];
      assert.deepEqual([first?.is_client, second?.is_client], [true, false]);
      assert.match(first?.id ?? '', uuidV7);
      assert.equal(first?.image_id, image.id);
      assert.match(first?.created_at ?? '', timePattern);
      assert.match(first?.updated_at ?? '', timePattern);
    },
  );

  check('createMemo', 'IF 20 message and is_client are required', async (world) => {
    const user = await world.user();
    const path = `/images/${(await user.upload()).id}/memos`;
    refused(await user.post(path, { is_client: 'True' }), 400, 'missing_field', 'message');
    refused(await user.post(path, { message: 'm' }), 400, 'missing_field', 'is_client');
  });

  check('createMemo', '§6.25 a message has 1 to 10,000 characters', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    for (const message of ['', '가'.repeat(10_001), 'a\0b']) {
      refused(await add(user, image, message), 400, ['invalid_field', 'missing_field'], 'message');
    }
    done(await add(user, image, '😀'.repeat(10_000)));
  });

  check('createMemo', '§1.3 is_client is True or False, in any case', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    for (const word of ['maybe', 'None']) {
      refused(await add(user, image, 'm', word), 400, 'invalid_field', 'is_client');
    }
    assert.equal(done(await add(user, image, 'm', 'FALSE')).memos?.[0]?.is_client, false);
    const json = { message: 'by JSON', is_client: false };
    const memos = done(await user.call<Image>('POST', `/images/${image.id}/memos`, { json })).memos;
    assert.deepEqual([memos?.[1]?.message, memos?.[1]?.is_client], ['by JSON', false]);
  });

  check(
    'createMemo',
    '§6.25 an image in the trash keeps its memos and accepts new ones',
    async (world) => {
      const user = await world.user();
      const image = await user.upload();
      done(await add(user, image, 'before'));
      await user.trash(image);
      assert.deepEqual(messages(done(await add(user, image, 'after'))), ['before', 'after']);
    },
  );

  check('createMemo', '§6.25 memos added concurrently are all stored', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const all = Array.from({ length: 8 }, (_, n) => `memo ${n}`);
    for (const answer of await Promise.all(all.map((text) => add(user, image, text)))) done(answer);
    const read = done(await user.get<Image>(`/images/${image.id}/memos`));
    assert.deepEqual(messages(read)?.sort(), all);
  });

  check('listMemos', '§6.25 returns the image with memos filled', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const read = async () => done(await user.get<Image>(`/images/${image.id}/memos`));
    assert.deepEqual((await read()).memos, []);
    done(await add(user, image, 'a'));
    done(await add(user, image, 'b'));
    assert.deepEqual(messages(await read()), ['a', 'b']);
  });

  check('updateMemo', 'IF 22 both fields are optional; returns the image', async (world) => {
    const user = await world.user();
    const image = done(await add(user, await user.upload(), 'a', 'True'));
    const path = `/images/${image.id}/memos/${image.memos?.[0]?.id}`;
    const after = async (form: Record<string, string>) => {
      const [memo] = done(await user.put<Image>(path, form)).memos ?? [];
      return [memo?.message, memo?.is_client];
    };
    assert.deepEqual(await after({ message: 'b' }), ['b', true]);
    assert.deepEqual(await after({ is_client: 'False' }), ['b', false]);
    assert.deepEqual(await after({}), ['b', false]);
  });

  check('updateMemo', '§6.25 both fields are validated as on creation', async (world) => {
    const user = await world.user();
    const image = done(await add(user, await user.upload(), 'a'));
    const path = `/images/${image.id}/memos/${image.memos?.[0]?.id}`;
    for (const [field, value] of [
      ['message', ''],
      ['message', 'x'.repeat(10_001)],
      ['is_client', 'perhaps'],
    ] as const) {
      refused(await user.put(path, { [field]: value }), 400, 'invalid_field', field);
    }
  });

  check('deleteMemo', '§6.25 returns the image without the memo', async (world) => {
    const user = await world.user();
    const image = await user.upload();
    const [memo] = done(await add(user, image, 'a')).memos ?? [];
    done(await add(user, image, 'b'));
    const path = `/images/${image.id}/memos/${memo?.id}`;
    assert.deepEqual(messages(done(await user.delete<Image>(path))), ['b']);
    refused(await user.delete(path), 400, 'memo_not_found');
  });

  for (const operation of ['updateMemo', 'deleteMemo'] as const) {
    const method = operation === 'updateMemo' ? 'PUT' : 'DELETE';
    check(operation, '§2.2 an unknown memo, or one of another image', async (world) => {
      const user = await world.user();
      const [image, other] = [await user.upload(), done(await add(user, await user.upload(), 'a'))];
      for (const id of [nobody, 'no-uuid', other.memos?.[0]?.id]) {
        const answer = await user.call(method, `/images/${image.id}/memos/${id}`);
        refused(answer, 400, 'memo_not_found');
      }
    });
  }

  for (const [operation, method] of [
    ['createMemo', 'POST'],
    ['listMemos', 'GET'],
    ['updateMemo', 'PUT'],
    ['deleteMemo', 'DELETE'],
  ] as const) {
    check(operation, '§2.2 an unknown image, with any memo', async (world) => {
      const [user, other] = [await world.user(), await world.user()];
      const own = done(await add(user, await user.upload(), 'stays'));
      const one = method === 'PUT' || method === 'DELETE';
      const path = one ? `/${own.memos?.[0]?.id}` : '';
      for (const id of [nobody, 'no-uuid', (await other.upload()).id]) {
        const form: Record<string, string> =
          method === 'POST' ? { message: 'm', is_client: 'True' } : {};
        const answer = await user.call(method, `/images/${id}/memos${path}`, { form });
        refused(answer, 400, 'image_not_found');
      }
    });
  }
});
