import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { column, rows } from '../../src/database/sql.js';
import type { ImageList } from '../../src/library/images/list/schemas.js';
import { seedFolder, seedImages } from '../../testkit/image-rows.js';
import { readPages } from '../../testkit/read-pages.js';
import type { UploadSet } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const { client, db } = service;

type Query = Record<string, string | number>;

const read = <Result>(who: Member, path: string, query: Query = {}) =>
  client.get<Result>(`${who.images}${path}`, { as: ['User', who.token], query });

const page = async (who: Member, query: Query): Promise<ImageList> => {
  const { status, result, error } = await read<ImageList>(who, '', query);
  assert.equal(status, 200, error?.message);
  return result;
};

/** The ids of all images of a list, from pages that most of them do not fit into. */
const idsOf = async (who: Member, query: Query): Promise<string[]> => {
  let total = 0;
  const found = await readPages(async (at) => {
    const one = await page(who, { page_size: 17, ...query, ...at });
    total = one.total_count;
    return one;
  });
  assert.equal(total, found.length, JSON.stringify(query));
  return found.map(({ id }) => id);
};

/** Whether an image of {@link library} has what a query asks for. */
interface Made {
  readonly n: number;
  readonly id: string;
}

const setOf = async (who: Member, ids: readonly string[]): Promise<string> => {
  const hashes = await column<string>(
    db,
    `SELECT encode(hash, 'hex') FROM images WHERE id = ANY ($1::uuid[])`,
    [ids],
  );
  const { result } = await client.post<UploadSet>(`/api/v1/users/${who.id}/upload-sets`, {
    as: ['User', who.token],
    json: { hashes },
  });
  // One of the images that have such a file is not of the set.
  await rows(db, 'UPDATE images SET upload_set_id = $2 WHERE id = ANY ($1::uuid[])', [
    ids.slice(1),
    result.id,
  ]);
  return result.id;
};

/** 60 images, the newest first, in every combination of what lists can be narrowed to. */
async function library() {
  const user = await service.user();
  const top = await seedFolder(service, user, 'top');
  const [below, aside] = [
    await seedFolder(service, user, 'below'),
    await seedFolder(service, user, 'aside'),
  ];
  const deep = await seedFolder(service, user, 'deep');
  const move = 'UPDATE folders SET parent_id = $2 WHERE id = $1';
  await rows(db, move, [below, top]);
  await rows(db, move, [deep, below]);
  const folders = [undefined, top, below, deep, aside];
  const ids = await seedImages(
    service,
    user,
    Array.from({ length: 60 }, (_, n) => {
      const folder = folders[n % 5];
      return {
        created_at: new Date(Date.UTC(2025, 0, 90 - n)).toISOString(),
        taken_at: new Date(Date.UTC(2024, 0, 1 + n)).toISOString(),
        ...(folder !== undefined && { folder_id: folder }),
        ...(n % 3 > 0 && { place: [n, n] as const }),
        ...(n % 4 > 0 && { camera: n % 4 === 1 ? 'Leica M11' : 'leica m11' }),
        ...(n % 7 === 0 && { deleted_at: '2025-05-01Z' }),
        has_det: n % 2 === 0,
        filename: `shot ${n % 6}.jpg`,
      };
    }),
  );
  const customs = [
    (n: number) => (n % 5 < 3 ? ['floor', `B${n % 2}`] : undefined),
    (n: number) => (n % 6 === 0 ? ['Floor', 'B0'] : undefined),
    (n: number) => (n % 10 === 1 ? ['floo', 'rB0'] : undefined),
  ].flatMap((of) => ids.flatMap((id, n) => [of(n)].flatMap((one) => (one ? [[id, ...one]] : []))));
  await rows(
    db,
    `INSERT INTO customs (id, user_id, image_id, key, value)
     SELECT gen_random_uuid(), $1, c->>0, c->>1, c->>2 FROM jsonb_array_elements($2::jsonb) AS c`.replace(
      'c->>0',
      '(c->>0)::uuid',
    ),
    [user.id, JSON.stringify(customs)],
  );
  const set = await setOf(user, ids.slice(0, 20));
  const images: Made[] = ids.map((id, n) => ({ id, n }));
  return { user, images, set, top, below, deep, aside };
}

describe('conditions of lists', async () => {
  const { user, images, set, top, below, deep } = await library();
  const isIn = (n: number, ...folders: number[]): boolean => folders.includes(n % 5);
  const conditions: readonly (readonly [Query, (n: number) => boolean])[] = [
    [{ located: 'True' }, (n) => n % 3 > 0],
    [{ located: 'False' }, (n) => n % 3 === 0],
    [{ camera: 'Leica M11' }, (n) => n % 4 === 1],
    [{ camera: 'Leica' }, () => false],
    [{ upload_set_id: set }, (n) => n > 0 && n < 20],
    [{ custom_key: 'floor' }, (n) => n % 5 < 3],
    [{ custom_key: 'floor', custom_value: 'B1' }, (n) => n % 5 < 3 && n % 2 === 1],
    [{ custom_key: 'floo' }, (n) => n % 10 === 1],
    [{ folder_id: 'root' }, (n) => isIn(n, 0)],
    [{ folder_id: ' ' }, (n) => isIn(n, 0)],
    [{ folder_id: 'root', with_subfolders: 'True' }, () => true],
    [{ folder_id: top }, (n) => isIn(n, 1)],
    [{ folder_id: top, with_subfolders: 'True' }, (n) => isIn(n, 1, 2, 3)],
    [{ folder_id: below.toUpperCase(), with_subfolders: 'True' }, (n) => isIn(n, 2, 3)],
    [{ folder_id: deep, with_subfolders: 'True' }, (n) => isIn(n, 3)],
  ];
  const others: readonly (readonly [Query, (n: number) => boolean])[] = [
    [{}, () => true],
    [{ has_delete_at: 'False' }, (n) => n % 7 > 0],
    [{ has_delete_at: 'True' }, (n) => n % 7 === 0],
    [{ has_det: 'True' }, (n) => n % 2 === 0],
    [{ search_type: 'filename', search: 'shot 3' }, (n) => n % 6 === 3],
    [{ search: 'shot' }, () => true],
    [
      {
        days_or_date_range: 'date_range',
        start_date: '20250101',
        end_date: '20250220',
        has_delete_at: 'False',
      },
      (n) => 90 - n <= 51 && n % 7 > 0,
    ],
    [
      { search_date_by: 'updated_at', days_or_date_range: 'days_range', days_range: 9_000 },
      () => true,
    ],
  ];

  for (const [query, matches] of conditions) {
    test(`${JSON.stringify(query)}, alone and with others, in both orders`, async () => {
      for (const [more, also] of others) {
        const expected = images.filter(({ n }) => matches(n) && also(n)).map(({ id }) => id);
        const both = { ...query, ...more };
        assert.deepEqual(await idsOf(user, both), expected, JSON.stringify(both));
        assert.deepEqual(
          await idsOf(user, { ...both, sort_by: 'taken_at' }),
          expected.toReversed(),
          `${JSON.stringify(both)} by taken_at`,
        );
      }
    });
  }

  test('every two of them', async () => {
    for (const [query, matches] of conditions) {
      for (const [more, also] of conditions) {
        const both = { ...query, ...more };
        // One field is given once.
        if (Object.keys(both).length < Object.keys(query).length + Object.keys(more).length)
          continue;
        const expected = images.filter(({ n }) => matches(n) && also(n)).map(({ id }) => id);
        const whole = await idsOf(user, { page_size: 60, ...both });
        assert.deepEqual(whole, expected, JSON.stringify(both));
      }
    }
  });

  test('maps, days, and exports heed them', async () => {
    const query = {
      camera: 'Leica M11',
      folder_id: top,
      with_subfolders: 'True',
      custom_key: 'floor',
    };
    const expected = images.filter(({ n }) => n % 4 === 1 && isIn(n, 1, 2, 3) && n % 5 < 3);
    const onMap = await page(user, { ...query, view_type: 'map', latitude: 0, longitude: 0 });
    const placed = expected.filter(({ n }) => n % 3 > 0);
    assert.deepEqual(
      onMap.items.map(({ id }) => id),
      placed.map(({ id }) => id),
    );
    assert.equal(onMap.total_count, placed.length);
    const days = await read<{ items: { images: { id: string }[] }[] }>(user, '', {
      ...query,
      view_type: 'grid_sep',
    });
    assert.deepEqual(
      days.result.items.flatMap((day) => day.images.map(({ id }) => id)),
      expected.map(({ id }) => id),
    );
    const raw = await fetch(
      `${service.service.url}${user.images}/export?${new URLSearchParams({ ...query, format: 'ndjson' }).toString()}`,
      { headers: { Authorization: `User ${user.token}` } },
    );
    const lines = (await raw.text()).trim().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { id: string }).id),
      expected.map(({ id }) => id),
    );
  });

  test('a page in the middle, with images moved meanwhile', async () => {
    const query = { folder_id: top, with_subfolders: 'True', page_size: 5 };
    const all = await idsOf(user, query);
    const middle = await page(user, { ...query, last_index: 12 });
    assert.deepEqual(
      middle.items.map(({ id }) => id),
      all.slice(12, 17),
    );
    const first = await page(user, query);
    // What has been read leaves the folder, and the next page is still the next.
    const left = first.items.slice(0, 2).map(({ id }) => id);
    const move = 'UPDATE images SET folder_id = $2 WHERE id = ANY ($1::uuid[])';
    const was = first.items[0]?.folder_id;
    await rows(db, move, [[left[0]], null]);
    const next = await page(user, { ...query, cursor: first.next_cursor ?? '' });
    assert.deepEqual(
      next.items.map(({ id }) => id),
      all.slice(5, 10),
    );
    await rows(db, move, [[left[0]], was]);
  });

  test('what is not there, or not of the user, or makes no sense', async () => {
    const stranger = await service.user();
    const foreign = await seedFolder(service, stranger, 'foreign');
    const [image = ''] = await seedImages(service, stranger, [{}]);
    const sets = await setOf(stranger, [image]);
    const refusals: readonly (readonly [Query, string, string | undefined])[] = [
      [{ folder_id: foreign }, 'folder_not_found', 'folder_id'],
      [{ folder_id: foreign, with_subfolders: 'True' }, 'folder_not_found', 'folder_id'],
      [{ folder_id: 'x' }, 'folder_not_found', 'folder_id'],
      [{ upload_set_id: sets }, 'upload_set_not_found', 'upload_set_id'],
      [{ upload_set_id: 'x' }, 'upload_set_not_found', 'upload_set_id'],
      [{ with_subfolders: 'True' }, 'missing_field', 'folder_id'],
      [{ custom_value: 'B1' }, 'missing_field', 'custom_key'],
      [{ located: 'Perhaps' }, 'invalid_field', 'located'],
      [{ with_subfolders: '1' }, 'invalid_field', 'with_subfolders'],
      [{ camera: 'x'.repeat(256) }, 'invalid_field', 'camera'],
      [{ custom_key: 'x'.repeat(256) }, 'invalid_field', 'custom_key'],
    ];
    for (const [query, code, field] of refusals) {
      for (const [path, more] of [
        ['', {}],
        ['/export', { format: 'csv' }],
      ] as const) {
        const { status, error } = await read(user, path, { ...query, ...more });
        assert.deepEqual(
          [status, error?.code, error?.field],
          [400, code, field],
          JSON.stringify(query),
        );
      }
    }
  });
});

test('the choices are those of the newest images, the most frequent first', async () => {
  const { user } = await library();
  const stranger = await service.user();
  const { result } = await read<unknown>(user, '/choices');
  assert.deepEqual(result, {
    cameras: [
      { camera: 'leica m11', images: 30 },
      { camera: 'Leica M11', images: 15 },
    ],
    customs: [
      { key: 'floor', images: 36, values: ['B0', 'B1'] },
      { key: 'Floor', images: 10, values: ['B0'] },
      { key: 'floo', images: 6, values: ['rB0'] },
    ],
  });
  assert.deepEqual((await read<unknown>(stranger, '/choices')).result, {
    cameras: [],
    customs: [],
  });
  const { status } = await client.get(`${user.images}/choices`, { as: ['User', stranger.token] });
  assert.equal(status, 403);
});
