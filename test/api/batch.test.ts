import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { ChangeReader } from '../../testkit/change-reader.js';
import { done, refused } from '../../testkit/expect.js';
import { seedImages } from '../../testkit/image-rows.js';
import { Random } from '../../testkit/random.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const changeReader = new ChangeReader(service.db);

interface BatchResult {
  readonly count: number;
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
  readonly images?: readonly Image[];
}
type Json = Readonly<Record<string, unknown>>;

const batch = (user: Member, json: Json) =>
  user.call<BatchResult>('POST', '/images/batch', { json });

const run = async (user: Member, json: Json): Promise<BatchResult> => done(await batch(user, json));

/** A user with so many images, oldest first. */
async function owner(images: number): Promise<{ user: Member; ids: readonly string[] }> {
  const user = await service.user();
  const time = (n: number): string => new Date(1.7e12 + n * 1e6).toISOString();
  const ids = await seedImages(
    service,
    user,
    Array.from({ length: images }, (_, n) => ({
      filename: `${n}.jpg`,
      created_at: time(n),
      ...(n % 3 > 0 && { taken_at: time(n - 1000) }),
    })),
  );
  return { user, ids };
}

const everything = { with_memo: 'True', with_custom: 'True' };

/** A record without what tells it from a twin of another user. */
function anonymous(image: Image, folders: readonly (string | null)[]): unknown {
  const { memos, customs, folder_id } = image;
  const own = /(_url|^id|user_id|hash.*|updated_at|delete_at)$/;
  const rest = Object.entries(image).filter(([name]) => !own.test(name));
  return {
    ...Object.fromEntries(rest),
    folder_id: folders.indexOf(folder_id),
    trashed: image.delete_at !== null,
    memos: memos?.map(({ message, is_client }) => [message, is_client]),
    customs: customs?.map(({ key, value }) => [key, value]),
  };
}

describe('a batch of changes', () => {
  test('does what the same changes do one by one, to the images and to the feed', async () => {
    const [one, other] = [await owner(60), await owner(60)];
    const foldersOf = async ({ user }: typeof one) => [
      null,
      (await user.folder('a')).id,
      (await user.folder('b')).id,
    ];
    const folders = [await foldersOf(one), await foldersOf(other)] as const;
    const random = new Random(11);
    const choices: readonly (() => Json)[] = [
      () => ({}),
      () => ({ has_det: random.of(['True', 'False', '']) }),
      () => ({ delete: random.of(['True', 'False']) }),
      () => ({ is_shared: 'True', is_signed: 'True' }),
      () => ({ latitude: `${random.below(80)}.5`, longitude: '127.25' }),
      () => ({ lat: '', lng: '' }),
      () => ({ address_road: `road ${random.below(3)}`, building_name: '' }),
      () => ({ camera: random.of(['', 'A camera']), direction: '360', original_name: 'x.jpg' }),
    ];
    for (let round = 0; round < 4; round += 1) {
      const changes = one.ids.map((_, n) => ({
        n,
        folder: random.below(5),
        fields: Object.assign({}, ...[1, 2].map(() => random.of(choices)?.())) as Json,
      }));
      const fieldsOf = (which: 0 | 1, { folder, fields }: (typeof changes)[number]): Json => {
        const target = folders[which][folder];
        return { ...fields, ...(target !== undefined && { folder_id: target ?? ' ' }) };
      };
      const made = await run(one.user, {
        changes: changes.map((change) => ({
          image_id: one.ids[change.n],
          ...fieldsOf(0, change),
        })),
      });
      const differs: number[] = [];
      for (const change of changes) {
        const id = other.ids[change.n] ?? '';
        const before = await other.user.image(id);
        await other.user.put(`/images/${id}`, fieldsOf(1, change) as Record<string, string>);
        const after = await other.user.image(id);
        const same = JSON.stringify({ ...before, updated_at: '' });
        if (JSON.stringify({ ...after, updated_at: '' }) !== same) differs.push(change.n);
      }
      assert.deepEqual(
        made.changed,
        differs.map((n) => one.ids[n]),
      );
      assert.equal(made.count, 60);
      assert.deepEqual(new Set([...made.changed, ...made.unchanged]), new Set(one.ids));
      for (const n of one.ids.keys()) {
        const [a, b] = [one.ids[n] ?? '', other.ids[n] ?? ''];
        assert.deepEqual(
          anonymous(await one.user.image(a, everything), folders[0]),
          anonymous(await other.user.image(b, everything), folders[1]),
          `${round} ${n} ${JSON.stringify(changes[n])}`,
        );
      }
    }
    const told = async ({ user, ids }: typeof one) =>
      (await changeReader.entries(user.id))
        .filter(({ type }) => type === 1)
        .map(({ action, id }) => `${ids.indexOf(id)} ${action}`)
        .sort();
    assert.deepEqual(await told(one), await told(other));
  });

  test('of image_ids is the same for all, in the order asked, each once', async () => {
    const { user, ids } = await owner(3);
    const [a = '', b = '', c = ''] = ids;
    const asked = { image_ids: [c, a, c.toUpperCase(), b], has_det: true };
    const first = await run(user, { ...asked, with_records: true });
    assert.deepEqual([first.count, first.changed, first.unchanged], [3, [c, a, b], []]);
    assert.deepEqual(
      first.images?.map(({ id, has_det, memos }) => [id, has_det, memos]),
      [c, a, b].map((id) => [id, true, null]),
    );
    const again = await run(user, asked);
    assert.deepEqual([again.changed, again.unchanged, again.images], [[], [c, a, b], undefined]);
    assert.deepEqual((await run(user, { image_ids: ids })).unchanged, ids);
    const form = { image_ids: ids.join(','), has_det: 'False' };
    assert.deepEqual(done(await user.post<BatchResult>('/images/batch', form)).changed, ids);
    const changes = JSON.stringify([{ image_id: a, has_det: 'True' }]);
    assert.deepEqual(done(await user.post<BatchResult>('/images/batch', { changes })).changed, [a]);
  });

  test('shifts the time when pictures were taken, where there is one', async () => {
    const { user, ids } = await owner(3);
    const before = await Promise.all(ids.map((id) => user.image(id)));
    const shifted = await run(user, { image_ids: ids, shift_taken_at: -3600 });
    assert.deepEqual(shifted.changed, ids.slice(1));
    await run(user, { changes: [{ image_id: ids[1], shift_taken_at: '7200' }] });
    const after = await Promise.all(ids.map((id) => user.image(id)));
    const seconds = (time: string | null | undefined): number =>
      Date.parse(
        (time ?? '').replace(/^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z'),
      ) / 1000;
    assert.equal(after[0]?.taken_at, null);
    assert.equal(seconds(after[1]?.taken_at) - seconds(before[1]?.taken_at), 3600);
    assert.equal(seconds(after[2]?.taken_at) - seconds(before[2]?.taken_at), -3600);
    assert.deepEqual(
      after.map((image) => image.created_at),
      before.map((image) => image.created_at),
    );
    refused(
      await batch(user, { image_ids: ids, shift_taken_at: 1, taken_at: 'x' }),
      400,
      'invalid_field',
    );
    const tooFar = { image_ids: ids, shift_taken_at: 3654 * 86_400 };
    refused(await batch(user, tooFar), 400, 'invalid_field', 'shift_taken_at');
  });

  test('adds a memo to each, and sets, adds and removes customs by their keys', async () => {
    const { user, ids } = await owner(3);
    const [a = '', b = ''] = ids;
    const custom = (id: string, key: string, value: string) =>
      user.post(`/images/${id}/customs`, { key, value }).then(done);
    await custom(a, 'floor', '1');
    await custom(a, 'gone', 'x');
    await custom(b, 'floor', '3');
    await changeReader.entries(user.id);
    const customs = { floor: '3', new: 'n', gone: null };
    const made = await run(user, { image_ids: ids, message: 'seen', is_client: true, customs });
    assert.deepEqual(made.changed, ids);
    for (const id of ids) {
      const image = await user.image(id, everything);
      assert.deepEqual(
        image.memos?.map(({ message, is_client }) => [message, is_client]),
        [['seen', true]],
      );
      const set = image.customs?.map(({ key, value }) => `${key} ${value}`).sort();
      assert.deepEqual(set, ['floor 3', 'new n']);
    }
    const told = (await changeReader.entries(user.id)).map(
      ({ type, action }) => `${type} ${action}`,
    );
    const expected = [
      ...Array<string>(3).fill('4 0'), // memos
      ...Array<string>(4).fill('5 0'), // three of "new", and one of "floor"
      '5 1',
      '5 5',
    ];
    assert.deepEqual(told.sort(), expected.sort());
    assert.deepEqual((await run(user, { image_ids: ids, customs })).changed, []);
    await custom(a, 'floor', 'again');
    const answer = await batch(user, { image_ids: ids, customs: { floor: '4' } });
    refused(answer, 400, 'custom_ambiguous', 'image_ids');
    assert.deepEqual(answer.error?.details, {
      offenders: [{ image_id: a, code: 'custom_ambiguous' }],
    });
  });

  test('deletes for good what is in the trash, and only that', async () => {
    const { user, ids } = await owner(3);
    const [a = '', b = '', c = ''] = ids;
    await run(user, { image_ids: [a, b], delete: true });
    refused(await batch(user, { image_ids: ids, purge: true }), 400, 'image_not_in_trash');
    const both = { purge: true, has_det: true };
    refused(await batch(user, { image_ids: [a], ...both }), 400, 'invalid_field', 'purge');
    const records = { image_ids: [a], purge: true, with_records: true };
    refused(await batch(user, records), 400, 'invalid_field', 'with_records');
    const made = await run(user, {
      changes: [
        { image_id: b, purge: true },
        { image_id: c, has_det: true },
      ],
    });
    assert.deepEqual(made.changed, [b, c]);
    refused(await user.get(`/images/${b}`), 400, 'image_not_found');
    assert.equal((await user.image(a)).id, a);
  });

  test('is done as a whole, or not at all: it names who is at fault, the first asked first', async () => {
    const { user, ids } = await owner(4);
    const [a = '', b = '', c = '', d = ''] = ids;
    const closed = await user.folder('closed');
    await user.trashFolder(closed);
    const foreign = (await owner(1)).ids[0] ?? '';
    const answer = await batch(user, {
      changes: [
        { image_id: a, has_det: true },
        { image_id: b, folder_id: closed.id },
        { image_id: c, folder_id: uuidv7() },
        { image_id: foreign, has_det: true },
        { image_id: 'x', has_det: true },
        { image_id: d, has_det: 'perhaps' },
      ],
    });
    refused(answer, 400, 'folder_in_trash', 'changes');
    assert.deepEqual(answer.error?.details, {
      offenders: [
        { image_id: b, code: 'folder_in_trash' },
        { image_id: c, code: 'folder_not_found' },
        { image_id: foreign, code: 'image_not_found' },
        { image_id: 'x', code: 'image_not_found' },
        { image_id: d, code: 'invalid_field' },
      ],
    });
    assert.equal((await user.image(a)).has_det, null);
    const unknown = Array.from({ length: 150 }, () => uuidv7());
    const many = await batch(user, { image_ids: [...unknown, a], has_det: true });
    refused(many, 400, 'image_not_found', 'image_ids');
    const { offenders } = many.error?.details as { offenders: { image_id: string }[] };
    assert.deepEqual(
      offenders.map(({ image_id }) => image_id),
      unknown.slice(0, 100),
    );
    const shared = await batch(user, { image_ids: ids, folder_id: closed.id });
    refused(shared, 400, 'folder_in_trash', 'folder_id');
    assert.equal(shared.error?.details, undefined);
  });

  test('that cannot be understood is refused', async () => {
    const { user, ids } = await owner(2);
    const [image_id] = ids;
    const wrong: [Json, string, string][] = [
      [{ has_det: true }, 'invalid_field', 'image_ids'],
      [{ image_ids: ids, changes: [{ image_id }] }, 'invalid_field', 'image_ids'],
      [{ image_ids: [] }, 'missing_field', 'image_ids'],
      [{ image_ids: Array.from({ length: 1001 }, () => uuidv7()) }, 'invalid_field', 'image_ids'],
      [{ changes: [] }, 'invalid_field', 'changes'],
      [{ changes: 'x' }, 'invalid_field', 'changes'],
      [{ changes: [1] }, 'invalid_field', 'changes'],
      [{ changes: [{ has_det: true }] }, 'invalid_field', 'changes'],
      [{ changes: [{ image_id }, { image_id }] }, 'invalid_field', 'changes'],
      [{ changes: [{ image_id }], has_det: true }, 'invalid_field', 'has_det'],
      [{ changes: [{ image_id }], purge: true }, 'invalid_field', 'purge'],
      [{ image_ids: ids, customs: { '': 'x' } }, 'invalid_field', 'customs'],
      [{ image_ids: ids, customs: ['x'] }, 'invalid_field', 'customs'],
      [
        {
          image_ids: ids,
          customs: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, ''])),
        },
        'invalid_field',
        'customs',
      ],
      [{ image_ids: ids, latitude: 1 }, 'missing_field', 'longitude'],
    ];
    for (const [json, code, field] of wrong) refused(await batch(user, json), 400, code, field);
    const many = Array.from({ length: 1001 }, () => ({ image_id: uuidv7() }));
    for (const changes of [[], many, [1]]) {
      assert.match((await batch(user, { changes })).error?.message ?? '', / a JSON array of 1 to /);
    }
  });

  test('of 1,000 images with 30 fields each is read, as JSON and in a form', async () => {
    const { user } = await owner(0);
    const customs = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`key ${n}`, 'v']));
    const fields = { latitude: 37, longitude: 127, direction: 90, customs };
    const changes = Array.from({ length: 1_000 }, () => ({ image_id: uuidv7(), ...fields }));
    refused(await batch(user, { changes }), 400, 'image_not_found');
    const form = { changes: JSON.stringify(changes) };
    refused(await user.post('/images/batch', form), 400, 'image_not_found');
  });

  test('writes no more than fits: of an image, of the user, and 8 MB', async () => {
    const { user, ids } = await owner(900);
    const long = 'x'.repeat(10_000);
    refused(await batch(user, { image_ids: ids, message: long }), 400, 'too_much_text');
    const few = ids.slice(0, 3);
    const quota = { max_storage_mb: '900.02' };
    done(await user.call('PUT', '', { form: quota }));
    refused(
      await batch(user, { image_ids: few, message: long }),
      400,
      'storage_quota_exceeded',
      'message',
    );
    done(await user.call('PUT', '', { form: { max_storage_mb: '902' } }));
    const customs = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'v']));
    const some = ids.slice(0, 300);
    const made = await run(user, { image_ids: some, customs, message: 'short' });
    assert.equal(made.changed.length, 300);
    const [{ n } = { n: 0 }] = await service.db.query<{ n: number }[]>(
      'SELECT count(*)::int AS n FROM customs WHERE user_id = $1',
      [user.id],
    );
    assert.equal(n, 15_000);
  });

  test('takes effect once with an idempotency key', async () => {
    const { user, ids } = await owner(2);
    const call = {
      json: { image_ids: ids, message: 'once' },
      headers: { 'Idempotency-Key': uuidv7() },
    };
    const [first, again] = [
      await user.call<BatchResult>('POST', '/images/batch', call),
      await user.call<BatchResult>('POST', '/images/batch', call),
    ];
    assert.deepEqual(done(again), done(first));
    assert.equal((await user.image(ids[0] ?? '', everything)).memos?.length, 1);
  });
});
