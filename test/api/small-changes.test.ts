import assert from 'node:assert/strict';
import { test } from 'node:test';
import { row } from '../../src/database/sql.js';
import { verifyStatistics } from '../../src/ops/verify/verify.js';
import { seedImages } from '../../testkit/image-rows.js';
import { Random } from '../../testkit/random.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const { db } = service;

/** Signed URLs expire at different times. */
const comparable = (record: Image) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !name.endsWith('_url')));

const noDifferences = async ({ platformId }: Member): Promise<void> => {
  const parts = { db, store: service.service.store, platformId, report: () => undefined };
  assert.deepEqual((await verifyStatistics(parts)).differences, []);
};

test('a change returns the image as a read does', async () => {
  const album = await service.user();
  const folder = (await album.folder('a')).id;
  const { id } = await album.upload({ folder_id: folder });
  await album.call('POST', `/images/${id}/memos`, { form: { message: 'x', is_client: 'True' } });
  const forms: Record<string, string>[] = [
    { has_det: 'True' },
    { has_det: 'True' },
    { has_det: '' },
    { latitude: '37.5', longitude: '127' },
    { is_shared: 'True', is_signed: 'True', address_road: 'road' },
    { delete: 'True', has_det: 'False' },
    { delete: 'True', address_det: 'second floor' },
    { delete: 'False' },
    { delete: 'False', folder_id: ' ' },
    { folder_id: folder, latitude: '', longitude: '' },
    {},
  ];
  for (const form of forms) {
    const query = { with_memo: 'True', with_history: 'True' };
    const changed = await album.call<Image>('PUT', `/images/${id}`, { form, query });
    assert.equal(changed.status, 200, JSON.stringify(changed.error));
    const read = await album.call<Image>('GET', `/images/${id}`, { query });
    assert.deepEqual(comparable(changed.result), comparable(read.result), JSON.stringify(form));
  }
  await album.put<Image>(`/images/${id}`, { is_shared: 'False' });
  for (let again = 0; again < 2; again += 1) {
    const shared = await album.call<Image[]>('POST', '/images/share', { form: { image_ids: id } });
    const read = await album.image(id);
    assert.deepEqual(shared.result.map(comparable), [comparable(read)]);
    assert.equal(read.is_shared, true);
  }
  await noDifferences(album);
});

test('an image of another user, or an unknown one, is neither changed nor shared', async () => {
  const [album, stranger] = [await service.user(), await service.user()];
  const { id } = await album.upload();
  const forms: Record<string, string>[] = [
    { has_det: 'True' },
    { is_signed: 'True' },
    { delete: 'False' },
    {},
  ];
  for (const form of forms) {
    const { status, error } = await stranger.put<Image>(`/images/${id}`, form);
    assert.deepEqual([status, error?.code], [400, 'image_not_found']);
  }
  for (const wanted of [id, 'nonsense']) {
    const { error } = await stranger.call('POST', '/images/share', { form: { image_ids: wanted } });
    assert.equal(error?.code, 'image_not_found');
  }
  const { has_det, is_shared, is_signed } = await album.image(id);
  assert.deepEqual([has_det, is_shared, is_signed], [null, false, false]);
});

test('many concurrent mixed changes of one user do not deadlock, and keep the accounting correct', async () => {
  const album = await service.user();
  const folders = await Promise.all(
    ['a', 'b', 'c'].map(async (title) => (await album.folder(title)).id),
  );
  const images = await seedImages(
    service,
    album,
    Array.from({ length: 24 }, (_, n) => {
      const folder_id = folders[n % 4];
      return { bytes: 1000 + n, ...(folder_id !== undefined && { folder_id }) };
    }),
  );
  const random = new Random(26);
  const image = () => random.of(images) ?? '';
  const folder = () => random.of(folders) ?? '';
  const put = (form: Record<string, string>) => () => album.put<Image>(`/images/${image()}`, form);
  const kinds = [
    put({ has_det: 'True' }),
    put({ has_det: 'None' }),
    put({ is_signed: 'True', address_road: 'x' }),
    put({ latitude: '37', longitude: '127' }),
    put({ latitude: '', longitude: '' }),
    put({ delete: 'True' }),
    put({ delete: 'False' }),
    () => album.put<Image>(`/images/${image()}`, { folder_id: folder() }),
    () => album.put<Image>(`/images/${image()}`, { folder_id: ' ', delete: 'False' }),
    () => album.call('POST', '/images/share', { form: { image_ids: image() } }),
    () =>
      album.call('POST', '/images/share', {
        form: { image_ids: random.shuffled(images).slice(0, 9) },
      }),
    () =>
      album.call('POST', `/images/${image()}/memos`, { form: { message: 'm', is_client: 'True' } }),
    () => album.put(`/folders/${folder()}`, {}, { delete: 'true' }),
    () => album.put(`/folders/${folder()}`, {}, { delete: 'false' }),
  ] as const;
  const allowed = new Set(['image_in_trash', 'folder_in_trash']);
  for (let wave = 0; wave < 8; wave += 1) {
    const answers = await Promise.all(Array.from({ length: 24 }, () => random.of(kinds)()));
    for (const { status, error } of answers)
      assert.ok(status === 200 || allowed.has(error?.code ?? ''), `${status} ${error?.code}`);
  }
  const found = await row<{ deadlocks: number }>(
    db,
    `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`,
  );
  assert.equal(found?.deadlocks, 0);
  const parts = { db, store: service.service.store, platformId: album.platformId };
  const { differences } = await verifyStatistics({ ...parts, report: () => undefined });
  // The seeded images have no objects.
  assert.deepEqual(
    differences.filter(({ kind }) => !kind.startsWith('object_')),
    [],
  );
});
