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

/** What the list says beyond the record (ext). */
const stored: readonly string[] = ['image_count', 'last_upload_at', 'used_storage_mb'];

export const platforms = area('platforms', (check) => {
  check('createPlatform', 'IF 1 returns the creation record with tokens', async (world) => {
    const record = done(await world.admin<CreatedPlatform>('POST'));
    assert.match(record.id, uuidV7);
    assert.match(record.created_at, timePattern);
    assert.match(record.updated_at, timePattern);
    assert.equal(record.token_type, 'bearer');
    assert.deepEqual(Object.keys(record).sort(), [
      'access_token',
      'created_at',
      'id',
      'platform',
      'refresh_token',
      'token_type',
      'updated_at',
    ]);
  });

  check('createPlatform', '§4.1 without a name, a unique one is generated', async (world) => {
    const [a, b] = await Promise.all([
      world.admin<Platform>('POST'),
      world.admin<Platform>('POST'),
    ]);
    assert.ok(done(a).platform.length > 0);
    assert.notEqual(done(a).platform, done(b).platform);
  });

  check('createPlatform', '§4.1 names are unique', async (world) => {
    const platform = unique('platform');
    assert.equal(
      done(await world.admin<Platform>('POST', { form: { platform } })).platform,
      platform,
    );
    const again = await world.admin('POST', { form: { platform } });
    refused(again, 400, 'platform_exists', 'platform');
  });

  check(
    'createPlatform',
    '§4.1 of many concurrent requests with the same name, one succeeds',
    async (world) => {
      const json = { platform: unique('only once') };
      const create = () => world.admin('POST', { json });
      const answers = await Promise.all([create(), create(), create()]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
    },
  );

  check('createPlatform', '§1.2 the name is accepted in every type of body', async (world) => {
    for (const part of ['urlencoded', 'form', 'json', 'query']) {
      const named = { platform: unique(part) };
      const { platform } = done(await world.admin<Platform>('POST', { [part]: named }));
      assert.equal(platform, named.platform);
    }
  });

  check('createPlatform', '§4.1 a name is text of 1 to 255 characters', async (world) => {
    for (const platform of ['', 'x'.repeat(256), 'a\0b', { deep: true }, ['two', 'names'], true]) {
      refused(await world.admin('POST', { json: { platform } }), 400, 'invalid_field', 'platform');
    }
  });

  check('listPlatforms', '§4.2 lists platform records with their users counted', async (world) => {
    const tenant = await world.platform();
    await tenant.user();
    const list = done(await world.admin<PlatformRecord[]>('GET'));
    const record = list.find(({ id }) => id === tenant.id);
    assert.ok(record);
    assert.deepEqual(
      Object.keys(record).sort(),
      [...stored, 'created_at', 'id', 'platform', 'updated_at', 'user_count'].sort(),
      'tokens are never shown again',
    );
    assert.equal(record.user_count, 1);
    const times = list.map(({ created_at }) => created_at);
    assert.deepEqual(times, times.toSorted(), 'oldest first');
  });

  check('getPlatform', '§4.2 returns the same record as the list', async (world) => {
    const tenant = await world.platform();
    const record = done(await tenant.call<PlatformRecord>('GET', ''));
    const list = done(await world.admin<PlatformRecord[]>('GET'));
    const listed = Object.entries(list.find(({ id }) => id === tenant.id) ?? {});
    const shared = Object.fromEntries(listed.filter(([name]) => !stored.includes(name)));
    assert.deepEqual(record, shared);
  });

  check('platformInfo', '§4.3 a platform without users has zeros', async (world) => {
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
    '§4.3 part_total counts current versions outside the trash',
    async (world) => {
      const tenant = await world.platform();
      const [a, b] = await Promise.all([tenant.user(), tenant.user()]);
      const kept = await a.upload();
      const edited = await a.edit(kept);
      const gone = await b.upload();
      await b.trash(gone);
      const record = await info(tenant);
      assert.deepEqual([record.user_count, record.image_count], [2, 1]);
      near(record.part_total_filesize_mb, edited.filesize_mb);
    },
  );

  check('platformInfo', '§4.3 total counts originals and edits, trash included', async (world) => {
    const tenant = await world.platform();
    const user = await tenant.user();
    const kept = await user.upload();
    const edited = await user.edit(kept);
    const gone = await user.trash(await user.upload());
    const stored = kept.filesize_mb + edited.filesize_mb + gone.filesize_mb;
    near((await info(tenant)).total_filesize_mb, stored);
  });

  check('platformImages', '§4.4 pages over images, by user, then newest first', async (world) => {
    const { tenant, images } = await populated(world);
    const readAll = async (page_size: number): Promise<Image[]> => {
      const seen: Image[] = [];
      const pages = Math.ceil(images.length / page_size);
      for (let number = 1; number <= pages; number += 1) {
        const answer = await page(tenant, { page: number, page_size });
        const items = answer.items.flatMap(({ result }) => result);
        assert.deepEqual([answer.total_count, answer.total_pages], [images.length, pages]);
        assert.deepEqual([answer.page, answer.page_size], [number, page_size]);
        assert.equal(answer.count, items.length);
        for (const group of answer.items) {
          assert.ok(group.result.every((image) => image.user_id === group.user_id));
        }
        seen.push(...items);
      }
      return seen;
    };
    const seen = await readAll(2);
    for (const size of [1, 3, 4, 5, 1000]) {
      assert.deepEqual(
        (await readAll(size)).map(({ id }) => id),
        seen.map(({ id }) => id),
      );
    }
    assert.deepEqual(seen.map(({ id }) => id).sort(), images.map(({ id }) => id).sort());
    const order = seen.map(({ user_id }) => user_id);
    assert.equal(order.filter((id, at) => id !== order[at - 1]).length, 2, 'users come together');
    for (const user of new Set(order)) {
      const times = seen.filter((i) => i.user_id === user).map(({ created_at }) => created_at);
      assert.deepEqual(times, [...times].sort().reverse());
    }
  });

  check('platformImages', '§1.9 a cursor walks over all users', async (world) => {
    const { tenant, images } = await populated(world);
    const whole = (await page(tenant)).items.flatMap(({ result }) => result);
    for (const page_size of [1, 2, 3, 1000]) {
      const walked: Image[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const answer: Grouped = await page(tenant, { page_size, ...(cursor && { cursor }) });
        assert.equal(answer.page, cursor === '' ? 1 : null);
        walked.push(...answer.items.flatMap(({ result }) => result));
        cursor = answer.next_cursor;
      }
      assert.equal(walked.length, images.length);
      assert.deepEqual(
        walked.map(({ id }) => id),
        whole.map(({ id }) => id),
      );
    }
  });

  check('platformImages', '§4.4 trashed images are included', async (world) => {
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
    for (const number of [9, 1_000_000_000]) {
      const answer = await page(tenant, { page: number });
      assert.deepEqual([answer.count, answer.items, answer.total_count], [0, [], 5]);
    }
  });

  check('platformImages', 'IF 5 a platform without images has none', async (world) => {
    assert.deepEqual(await page(await world.platform()), {
      count: 0,
      total_count: 0,
      next_cursor: null,
      page: 1,
      page_size: 60,
      total_pages: 0,
      items: [],
    });
  });

  for (const [name, value] of [
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', 'x'],
    ['page_size', '0'],
    ['page_size', '1001'],
    ['with_history', 'perhaps'],
  ] as const) {
    check('platformImages', `§1.9 ${name}=${value} is rejected`, async (world) => {
      const { tenant, id } = await world.user();
      const query = { [name]: value };
      for (const path of ['/images', `/users/${id}/images`]) {
        refused(await tenant.call('GET', path, { query }), 400, 'invalid_field', name);
      }
    });
  }
});

/** A platform with two users who have five images, and one who has none. */
async function populated(world: World): Promise<{ tenant: Tenant; images: Image[] }> {
  const tenant = await world.platform();
  const images: Image[] = [];
  for (const count of [2, 0, 3]) {
    const user = await tenant.user();
    for (let day = 1; day <= count; day += 1) {
      images.push(await user.upload({ created_at: `2024010${day}_120000` }));
    }
  }
  return { tenant, images };
}
