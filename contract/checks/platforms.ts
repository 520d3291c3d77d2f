import assert from 'node:assert/strict';
import { done, hasFields, near, refused, timePattern, uuidV7 } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { CreatedPlatform, Image, NumberedPage, Platform } from '../../testkit/records.js';
import type { Tenant, World } from '../../testkit/world.js';
import { unique } from '../../testkit/world.js';

interface PlatformRecord extends Platform {
  readonly user_count: number;
}

interface PlatformInfo extends PlatformRecord {
  readonly image_count: number;
  readonly part_total_filesize_mb: number;
  readonly total_filesize_mb: number;
}

type Grouped = NumberedPage<{ user_id: string; result: Image[] }>;

const info = async (tenant: Tenant) => done(await tenant.call<PlatformInfo>('GET', '/info'));

const page = async (tenant: Tenant, query = {}) =>
  done(await tenant.call<Grouped>('GET', '/images', { query }));

export const platforms = area('platforms', (check) => {
  check('createPlatform', 'IF 1 answers the creation record with tokens', async (world) => {
    const record = done(await world.admin<CreatedPlatform>('POST'));
    assert.match(record.id, uuidV7);
    assert.match(record.created_at, timePattern);
    assert.match(record.updated_at, timePattern);
    assert.equal(record.token_type, 'bearer');
    hasFields(record, ['access_token', 'refresh_token']);
  });

  check(
    'createPlatform',
    '§4 without a name one is generated, unlike all others',
    async (world) => {
      const [a, b] = await Promise.all([
        world.admin<Platform>('POST'),
        world.admin<Platform>('POST'),
      ]);
      assert.ok(done(a).platform.length > 0);
      assert.notEqual(done(a).platform, done(b).platform);
    },
  );

  check('createPlatform', '§4 names are unique', async (world) => {
    const platform = unique('platform');
    assert.equal(
      done(await world.admin<Platform>('POST', { form: { platform } })).platform,
      platform,
    );
    refused(await world.admin('POST', { form: { platform } }), 400, 'platform_exists');
  });

  check('listPlatforms', '§4 lists platform records with their users counted', async (world) => {
    const tenant = await world.platform();
    await tenant.user();
    const list = done(await world.admin<PlatformRecord[]>('GET'));
    const record = list.find(({ id }) => id === tenant.id);
    assert.ok(record);
    assert.deepEqual(
      Object.keys(record).sort(),
      ['created_at', 'id', 'platform', 'updated_at', 'user_count'],
      'tokens are never shown again',
    );
    assert.equal(record.user_count, 1);
  });

  check('getPlatform', '§4 answers the same record as the list', async (world) => {
    const tenant = await world.platform();
    const record = done(await tenant.call<PlatformRecord>('GET', ''));
    const list = done(await world.admin<PlatformRecord[]>('GET'));
    assert.deepEqual(
      record,
      list.find(({ id }) => id === tenant.id),
    );
  });

  check('platformInfo', '§4 a platform without users has zeros', async (world) => {
    const tenant = await world.platform();
    const { user_count, image_count, part_total_filesize_mb, total_filesize_mb, ...record } =
      await info(tenant);
    assert.deepEqual([user_count, image_count], [0, 0]);
    assert.deepEqual([part_total_filesize_mb, total_filesize_mb], [0, 0]);
    assert.equal(record.id, tenant.id);
    hasFields(record, ['platform', 'created_at', 'updated_at']);
  });

  check(
    'platformInfo',
    '§4 part_total counts current versions outside the trash',
    async (world) => {
      const tenant = await world.platform();
      const [a, b] = await Promise.all([tenant.user(), tenant.user()]);
      const kept = await a.upload();
      const edited = await a.edit(kept);
      const gone = await b.upload();
      await b.trash(gone);
      const facts = await info(tenant);
      assert.deepEqual([facts.user_count, facts.image_count], [2, 1]);
      near(facts.part_total_filesize_mb, edited.filesize_mb);
    },
  );

  check('platformInfo', '§4 total counts originals and edits, trash included', async (world) => {
    const tenant = await world.platform();
    const user = await tenant.user();
    const kept = await user.upload();
    const edited = await user.edit(kept);
    const gone = await user.trash(await user.upload());
    const stored = kept.filesize_mb + edited.filesize_mb + gone.filesize_mb;
    near((await info(tenant)).total_filesize_mb, stored);
  });

  check('platformImages', '§4 pages run over images, by user, then newest first', async (world) => {
    const { tenant, images } = await populated(world);
    const seen: Image[] = [];
    for (let number = 1; number <= 3; number += 1) {
      const answer = await page(tenant, { page: number, page_size: 2 });
      const items = answer.items.flatMap(({ result }) => result);
      assert.deepEqual([answer.total_count, answer.total_pages], [5, 3]);
      assert.deepEqual([answer.page, answer.page_size, answer.count], [number, 2, items.length]);
      for (const group of answer.items) {
        assert.ok(group.result.every((image) => image.user_id === group.user_id));
      }
      seen.push(...items);
    }
    assert.deepEqual(seen.map(({ id }) => id).sort(), images.map(({ id }) => id).sort());
    const order = seen.map(({ user_id }) => user_id);
    assert.equal(order.filter((id, at) => id !== order[at - 1]).length, 2, 'users come together');
    for (const user of new Set(order)) {
      const times = seen.filter((i) => i.user_id === user).map(({ created_at }) => created_at);
      assert.deepEqual(times, [...times].sort().reverse());
    }
  });

  check('platformImages', '§4 trashed images are included', async (world) => {
    const tenant = await world.platform();
    const user = await tenant.user();
    const image = await user.trash(await user.upload());
    const { items, total_count } = await page(tenant);
    assert.equal(total_count, 1);
    assert.equal(items[0]?.result[0]?.delete_at, image.delete_at);
  });

  check('platformImages', 'IF 5 with_history fills filedatas', async (world) => {
    const tenant = await world.platform();
    const user = await tenant.user();
    await user.edit(await user.upload());
    const first = (answer: Grouped) => answer.items[0]?.result[0]?.filedatas;
    assert.equal(first(await page(tenant)), null);
    assert.equal(first(await page(tenant, { with_history: 'True' }))?.length, 1);
  });

  check('platformImages', '§1.9 a page past the end is empty', async (world) => {
    const { tenant } = await populated(world);
    const answer = await page(tenant, { page: 9 });
    assert.deepEqual([answer.count, answer.items, answer.total_count], [0, [], 5]);
  });

  for (const [name, value] of [
    ['page', '0'],
    ['page', 'x'],
    ['page_size', '0'],
    ['page_size', '1001'],
    ['with_history', 'perhaps'],
  ] as const) {
    check('platformImages', `§1.9 ${name}=${value} is refused`, async (world) => {
      const tenant = await world.platform();
      const query = { [name]: value };
      refused(await tenant.call('GET', '/images', { query }), 400, 'invalid_field', name);
    });
  }
});

/** A platform of two users with five images. */
async function populated(world: World): Promise<{ tenant: Tenant; images: Image[] }> {
  const tenant = await world.platform();
  const images: Image[] = [];
  for (const count of [2, 3]) {
    const user = await tenant.user();
    for (let day = 1; day <= count; day += 1) {
      images.push(await user.upload({ created_at: `2024010${day}_120000` }));
    }
  }
  return { tenant, images };
}
