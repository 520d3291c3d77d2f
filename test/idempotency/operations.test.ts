import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seedFolder, seedSeries } from '../../testkit/image-rows.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import type { CustomRecord } from '../../src/library/annotations/schemas.js';
import { Linker } from '../../testkit/links.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { assertOnce, isReplayed, KeyedUser, seen, type KeyedCall } from './keyed-user.js';

const service = await testService();
const keyed = await KeyedUser.of(service);
const { user } = keyed;
const album = user;

/** An image with a memo and a custom. */
async function annotated() {
  const { id } = await album.upload();
  const memo = await album.call<Image>('POST', `/images/${id}/memos`, {
    form: { message: 'm', is_client: 'True' },
  });
  assert.equal(memo.status, 200, JSON.stringify(memo));
  const form = { key: 'k', value: 'v' };
  const custom = await album.call<CustomRecord>('POST', `/images/${id}/customs`, { form });
  return { image: `/images/${id}`, memo: memo.result.memos?.[0]?.id, custom: custom.result.id };
}

let titles = 0;
const title = (): string => `folder ${(titles += 1)}`;

/** A link to a new folder. @returns its id. */
const linked = async (): Promise<string> =>
  (
    await new Linker(service.client, user).create({
      kind: 'view',
      folder_id: (await album.folder(title())).id,
    })
  ).id;

const image_data = filePart(await jpeg({ width: 60, height: 40 }));

/** Each operation that changes something: a request, and another with different fields. */
const requests: Record<string, () => Promise<readonly [KeyedCall, KeyedCall]>> = {
  updateUser: async () => {
    const call = { method: 'PUT', path: '' } as const;
    return [
      { ...call, form: { max_storage_mb: '5000' } },
      { ...call, json: { max_storage_mb: 1 } },
    ];
  },
  createFolder: async () => {
    const call = { method: 'POST', path: '/folders' } as const;
    return [
      { ...call, form: { title: title() } },
      { ...call, form: { title: title() } },
    ];
  },
  updateFolder: async () => {
    const path = `/folders/${(await album.folder(title())).id}`;
    return [
      { method: 'PUT', path, query: { delete: true } },
      { method: 'PUT', path, query: { delete: false } },
    ];
  },
  deleteFolder: async () => [
    { method: 'DELETE', path: `/folders/${(await album.folder(title())).id}` },
    { method: 'DELETE', path: `/folders/${(await album.folder(title())).id}` },
  ],
  uploadImage: async () => {
    const call = { method: 'POST', path: '/images' } as const;
    return [
      { ...call, form: { image_data } },
      { ...call, form: { image_data, has_det: 'True' } },
    ];
  },
  addFiledata: async () => [
    { method: 'POST', path: `${(await annotated()).image}/filedata`, form: { image_data } },
    { method: 'POST', path: `${(await annotated()).image}/filedata`, form: { image_data } },
  ],
  updateImage: async () => {
    const call = { method: 'PUT', path: (await annotated()).image } as const;
    return [
      { ...call, form: { has_det: 'True' } },
      { ...call, form: { has_det: 'False' } },
    ];
  },
  shareImages: async () => {
    const ids = [(await album.upload()).id, (await album.upload()).id];
    const call = { method: 'POST', path: '/images/share' } as const;
    return [
      { ...call, json: { image_ids: ids } },
      { ...call, json: { image_ids: ids.slice(1) } },
    ];
  },
  createLink: async () => {
    const call = { method: 'POST', path: '/links' } as const;
    const folder_id = (await album.folder(title())).id;
    return [
      { ...call, json: { kind: 'view', folder_id } },
      { ...call, json: { kind: 'request', folder_id } },
    ];
  },
  updateLink: async () => {
    const call = { method: 'PUT', path: `/links/${await linked()}` } as const;
    return [
      { ...call, json: { state: 'paused', password: 'x' } },
      { ...call, json: { state: 'active' } },
    ];
  },
  deleteLink: async () => [
    { method: 'DELETE', path: `/links/${await linked()}` },
    { method: 'DELETE', path: `/links/${await linked()}` },
  ],
  emptyTrash: async () => {
    await album.put<Image>(`/images/${(await album.upload()).id}`, { delete: 'True' });
    const other = (await album.upload()).id;
    return [
      { method: 'DELETE', path: '/trash' },
      { method: 'DELETE', path: `/trash/${other}` },
    ];
  },
  deleteFromTrash: async () => {
    const { id } = await album.upload();
    await album.put<Image>(`/images/${id}`, { delete: 'True' });
    return [
      { method: 'DELETE', path: `/trash/${id}` },
      { method: 'DELETE', path: '/trash' },
    ];
  },
  createMemo: async () => {
    const call = { method: 'POST', path: `${(await annotated()).image}/memos` } as const;
    return [
      { ...call, form: { message: 'a', is_client: 'True' } },
      { ...call, form: { message: 'b', is_client: 'True' } },
    ];
  },
  updateMemo: async () => {
    const { image, memo } = await annotated();
    const call = { method: 'PUT', path: `${image}/memos/${memo}` } as const;
    return [
      { ...call, form: { message: 'a', is_client: 'True' } },
      { ...call, form: { message: 'b', is_client: 'True' } },
    ];
  },
  deleteMemo: async () => {
    const { image, memo } = await annotated();
    const call = { method: 'DELETE', path: `${image}/memos/${memo}` } as const;
    return [call, { ...call, path: `${image}/memos/${user.id}` }];
  },
  createCustom: async () => {
    const call = { method: 'POST', path: `${(await annotated()).image}/customs` } as const;
    return [
      { ...call, form: { key: 'a', value: 'b' } },
      { ...call, form: { key: 'a', value: 'c' } },
    ];
  },
  updateCustom: async () => {
    const { image, custom } = await annotated();
    const call = { method: 'PUT', path: `${image}/customs/${custom}` } as const;
    return [
      { ...call, form: { value: 'a' } },
      { ...call, form: { value: 'b' } },
    ];
  },
  deleteCustom: async () => {
    const { image, custom } = await annotated();
    const call = { method: 'DELETE', path: `${image}/customs/${custom}` } as const;
    return [call, { ...call, path: `${image}/customs/${user.id}` }];
  },
};

for (const [operation, prepare] of Object.entries(requests)) {
  describe(operation, () => {
    test('a repeat changes nothing and returns the first answer', async () => {
      const [call, other] = await prepare();
      const key = `${operation} 1`.replaceAll(' ', '~');
      const first = await keyed.send(call, key);
      assert.deepEqual(
        [first.status, isReplayed(first)],
        [200, false],
        JSON.stringify(first.error),
      );
      const state = await keyed.state();
      for (const path of [call.path, `${call.path}/`]) {
        const repeat = await keyed.send({ ...call, path }, key);
        assert.deepEqual(seen(repeat), seen(first));
        assert.ok(isReplayed(repeat));
      }
      const another = await keyed.send(other, key);
      assert.deepEqual([another.status, another.error?.code], [422, 'idempotency_key_reused']);
      assert.equal(await keyed.state(), state);
    });

    test('several concurrent ones have one effect', async () => {
      const [call] = await prepare();
      const key = `${operation}~2`;
      assertOnce(await Promise.all(Array.from({ length: 8 }, () => keyed.send(call, key))));
      assert.ok(isReplayed(await keyed.send(call, key)));
    });
  });
}

test('an answer in many chunks is replayed unchanged', async () => {
  const folderId = await seedFolder(service, user, 'large');
  const ids = await seedSeries(service, user, { folderId, count: 3_000 });
  const share: KeyedCall = {
    method: 'POST',
    path: '/images/share',
    json: { image_ids: ids.slice(0, 1_000) },
  };
  const shared = await keyed.send<Image[]>(share, 'share');
  assert.equal(shared.result.length, 1_000);
  assert.match(shared.result[999]?.path_url ?? '', /\/original\.jpg\?exp=/);
  const remove: KeyedCall = { method: 'DELETE', path: `/folders/${folderId}` };
  const removed = await keyed.send<{ deleted_images: string[] }>(remove, 'remove');
  assert.deepEqual([...removed.result.deleted_images].sort(), [...ids].sort());
  for (const [call, key, first] of [
    [share, 'share', shared],
    [remove, 'remove', removed],
  ] as const) {
    const repeat = await keyed.send(call, key);
    assert.ok(isReplayed(repeat));
    assert.deepEqual(seen(repeat), seen(first));
  }
});

test('the first answer is replayed even if the record has changed since', async () => {
  const create: KeyedCall = { method: 'POST', path: '/folders', form: { title: 'Sample' } };
  const first = await keyed.send<{ id: string }>(create, 'sample');
  await keyed.send({ method: 'DELETE', path: `/folders/${first.result.id}` });
  assert.deepEqual(seen(await keyed.send(create, 'sample')), seen(first));
});

test('text that looks like a placeholder is left unchanged', async () => {
  const message = '\u0001a/b/original.jpg\u0001 \\u0001 "';
  const { image } = await annotated();
  const call: KeyedCall = {
    method: 'POST',
    path: `${image}/memos`,
    json: { message, is_client: true },
  };
  const first = await keyed.send<Image>(call, 'mark');
  assert.equal(first.result.memos?.at(-1)?.message, message);
  assert.deepEqual(seen(await keyed.send(call, 'mark')), seen(first));
});
