import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { row, rows, type TimeLimited } from '../../../database/sql.js';
import { scanForPage, SearchPage } from './search-pages.js';
import { searchTypes, type Search } from './schemas.js';
import { selectNearest } from './near.sql.js';
import { differencesIn, textsAgainstImages } from '../../../ops/verify/account.sql.js';
import { countInTime } from '../totals.sql.js';
import type { TrashFilter } from '../images.sql.js';
import { longForm } from '../../../../testkit/long-form.js';
import { migratedSource, timeLimited } from '../../../../testkit/migrated-source.js';
import { idsOf } from '../../../../testkit/page-ids.js';
import { insertUser } from '../../../../testkit/insert-user.js';

const db = timeLimited(await migratedSource({ after }, 4));

/** Other tests may slow this down: totals wait for their count, however long it takes. */
const patient: TimeLimited = {
  query: (sql, parameters) => db.query(sql, parameters),
  queryWithin: (limitMs, sql, parameters) => db.queryWithin(100 * limitMs, sql, parameters),
};

/** Images of a user, oldest first, each with texts made by SQL from its number `n`. */
async function seed(
  count: number,
  texts: { readonly filename: string; readonly address?: string; readonly building?: string },
  values: readonly unknown[] = [],
): Promise<string> {
  const { platformId, userId } = await insertUser(db);
  await rows(db, `UPDATE platforms SET name = id::text WHERE id = $1`, [platformId]);
  await rows(
    db,
    `INSERT INTO images (id, platform_id, user_id, created_at, deleted_at, location, address_road,
       building_name, filename, bytes, original_bytes, upload_type, version_id, format, extension,
       thumb_extension, hash, width, height, thumbhash, original_extension)
     SELECT gen_random_uuid(), $1, $2, timestamptz '2024-01-01' + n / 2 * interval '1 minute',
       CASE WHEN n % 5 = 0 THEN now() END, ST_MakePoint(127, 37 + n / 1e5)::geography,
       ${texts.address ?? 'NULL'}, ${texts.building ?? 'NULL'}, ${texts.filename}, n, n, 'gallery',
       gen_random_uuid(), 'jpeg', 'jpg', 'jpg', '', 1, 1, '', 'jpg'
     FROM generate_series(1, $3::int) AS n`,
    [platformId, userId, count, ...values],
  );
  return userId;
}

interface SearchResult {
  readonly ids: readonly string[];
  /** Whether the totals of the first page were exact, and what they were. */
  readonly totals: { readonly items: number; readonly bytes: number; readonly exact?: boolean };
}

/** All pages of a search. */
async function readAll(
  userId: string,
  search: Search,
  { size = 60, trash = null }: { size?: number; trash?: TrashFilter } = {},
): Promise<SearchResult> {
  const ids: string[] = [];
  let after: readonly string[] | undefined;
  let totals: SearchResult['totals'] | undefined;
  for (;;) {
    const page = new SearchPage(patient, userId, { trash, search, periods: [] });
    const start = { ...(after && { after }), offset: 0 };
    const found = await page.find({ start, size, include: {} });
    totals ??= await page.totals();
    ids.push(...idsOf(found));
    if (!found.more) return { ids, totals };
    after = found.lastKey;
  }
}

const has = (text: string): string =>
  `strpos(searchable(${text}) COLLATE "C", searchable($2) COLLATE "C") > 0`;

const fields: Record<Exclude<Search['type'], 'all'>, string> = {
  // The six fields in their order, of which these tests fill in the first and the fourth.
  address: has(`i.address_road || U&'\\001F\\001F\\001F' || i.building_name || U&'\\001F\\001F'`),
  building_name: has('i.building_name'),
  filename: has('i.filename'),
  memo: `EXISTS (SELECT FROM memos m WHERE m.image_id = i.id AND ${has('m.message')})`,
  custom: `EXISTS (SELECT FROM customs c WHERE c.image_id = i.id
    AND ${has(`c.key || U&'\\001F' || c.value`)})`,
  folder: `EXISTS (SELECT FROM folders f WHERE f.id = i.folder_id AND ${has('f.title')})`,
};

/** The texts of every image of the user, for comparing them one by one. */
async function bruteForce(userId: string, { type, words }: Search, trash: TrashFilter) {
  const { all, ...one } = { ...fields, all: Object.values(fields).join(' OR ') };
  const condition = type === 'all' ? all : one[type];
  const inTrash = trash === null ? 'true' : `(i.deleted_at IS NOT NULL) = ${trash}`;
  return rows<{ id: string; bytes: number }>(
    db,
    `SELECT i.id, i.bytes FROM images i WHERE i.user_id = $1 AND ${inTrash} AND (${condition})
     ORDER BY i.created_at DESC, i.id DESC`,
    [userId, words],
  );
}

describe('a search finds what comparing every text finds', async () => {
  const letters = [
    'a',
    'B',
    'b',
    'é',
    'e\u0301',
    'É',
    'ß',
    'İ',
    '1',
    '2',
    '%',
    '_',
    '\\',
    '\u001f',
    ' ',
    '\n',
    '<',
    ',',
    ';',
    ':',
    '>',
    '서',
    '울',
    '서'.normalize('NFD'),
    '각',
    '가',
    '😀',
    "'",
    '"',
    '&',
    '|',
    '!',
    ':',
    '*',
    '(',
  ];
  const pick = (): string => letters[Math.floor(Math.random() * letters.length)] ?? 'a';
  const text = (length: number): string => Array.from({ length }, pick).join('');
  const texts = Array.from({ length: 40 }, () => text(3 + Math.floor(Math.random() * 30)));
  const some = '($4::text[])[1 + (n * 7 + hashtext(n::text || $5) & 1023) % 40]';
  const made = {
    filename: some,
    address: some.replace('7', '11'),
    building: some.replace('7', '13'),
  };
  const users = [await seed(500, made, [texts, 'x']), await seed(500, made, [texts, 'y'])];
  await rows(
    db,
    `INSERT INTO folders (id, user_id, title)
     SELECT gen_random_uuid(), u.id, ($2::text[])[n] || n
     FROM unnest($1::uuid[]) AS u (id), generate_series(1, 10) AS n`,
    [users, texts],
  );
  await rows(
    db,
    `UPDATE images i SET folder_id = f.id
     FROM (SELECT id, user_id, row_number() OVER (PARTITION BY user_id) AS n FROM folders) AS f
     WHERE f.user_id = i.user_id AND f.n = i.bytes % 20`,
  );
  await rows(
    db,
    `INSERT INTO memos (id, user_id, image_id, message, is_client)
     SELECT gen_random_uuid(), user_id, id, ($1::text[])[1 + bytes % 40], false
     FROM images WHERE bytes % 4 < 2`,
    [texts],
  );
  await rows(
    db,
    `INSERT INTO customs (id, user_id, image_id, key, value)
     SELECT gen_random_uuid(), user_id, id, ($1::text[])[1 + bytes % 37], ($1::text[])[1 + bytes % 31]
     FROM images WHERE bytes % 3 = 0`,
    [texts],
  );
  // Some entries are in the indexes, others in their pending lists.
  await rows(db, `SELECT gin_clean_pending_list('image_texts_filename_grams')`);

  const words = [
    '%',
    '_',
    '\\',
    '\u001f',
    '서',
    '울',
    '서울',
    'É',
    'e',
    '😀',
    "'",
    '"',
    '\\%',
    ' & ',
    "':*",
    '\n',
    '<,;:>',
    ';:',
    ...Array.from({ length: longForm ? 60 : 24 }, (_, n) => {
      const from = Array.from(texts[n % 40] ?? '');
      const start = Math.floor(Math.random() * from.length);
      const part = from.slice(start, start + 1 + (n % 6)).join('');
      return n % 3 === 0 ? part.toUpperCase() : n % 3 === 1 ? part.normalize('NFD') : part;
    }),
    ...Array.from({ length: longForm ? 15 : 6 }, (_, n) => text(1 + (n % 4))),
    ...texts.slice(0, 3),
  ];

  for (const type of searchTypes)
    test(`in ${type}`, async () => {
      let matches = 0;
      for (const [n, one] of words.entries()) {
        const [userId = ''] = n % 2 === 0 ? users : users.toReversed();
        const trash = [null, false, true][n % 3] ?? null;
        const expected = await bruteForce(userId, { type, words: one }, trash);
        const found = await readAll(userId, { type, words: one }, { trash, size: 60 });
        const what = JSON.stringify(one);
        assert.deepEqual(
          found.ids,
          expected.map(({ id }) => id),
          what,
        );
        const bytes = expected.reduce((sum, image) => sum + image.bytes, 0);
        assert.deepEqual(found.totals, { items: expected.length, bytes }, what);
        matches += expected.length;
      }
      assert.ok(matches > 100, `${matches} matches`);
    });

  test('nearest first', async () => {
    const near = { coordinates: { latitude: 37, longitude: 127 } };
    const search = { type: 'address', words: '서' } as const;
    const [userId = ''] = users;
    const filter = { trash: null, periods: [], near, search };
    const range = { start: { offset: 0 }, size: 1000, include: {} };
    const found = await selectNearest(db, userId, filter, range);
    const expected = await bruteForce(userId, search, null);
    assert.deepEqual(idsOf(found).sort(), expected.map(({ id }) => id).sort());
  });
});

describe('frequent words', async () => {
  // Of 6,000 images, the newest 1,500 have one word, the oldest 4,000 another, and two a third one.
  const filename = `CASE WHEN n > 4500 THEN 'new ' WHEN n <= 4000 THEN 'old ' ELSE '' END || n
    || CASE WHEN n IN (3, 5997) THEN ' rare' ELSE '' END`;
  const userId = await seed(6000, { filename });
  const all = async (words: string): Promise<string[]> =>
    (await bruteForce(userId, { type: 'filename', words }, null)).map(({ id }) => id);

  test('in the newest images: the total is a lower bound', async () => {
    const { ids, totals } = await readAll(userId, { type: 'filename', words: 'new' });
    assert.deepEqual(ids, await all('new'));
    assert.equal(ids.length, 1500);
    assert.deepEqual({ ...totals, bytes: 0 }, { items: 1001, bytes: 0, exact: false });
  });

  test('in old images only: the total is a lower bound', async () => {
    for (const size of [60, 999]) {
      const { ids, totals } = await readAll(userId, { type: 'filename', words: 'ld' }, { size });
      assert.deepEqual(ids, await all('ld'));
      assert.equal(ids.length, 4000);
      assert.deepEqual({ ...totals, bytes: 0 }, { items: 3000, bytes: 0, exact: false });
    }
  });

  test('rare words are counted exactly', async () => {
    const { ids, totals } = await readAll(userId, { type: 'filename', words: 'RARE' });
    assert.deepEqual(ids, await all('rare'));
    assert.deepEqual(totals, { items: 2, bytes: 6000 });
  });

  test('a page in the middle is found by its offset', async () => {
    const page = new SearchPage(db, userId, {
      trash: null,
      periods: [],
      search: { type: 'filename', words: 'ld' },
    });
    const found = await page.find({ start: { offset: 3990 }, size: 60, include: {} });
    assert.deepEqual(idsOf(found), (await all('ld')).slice(3990));
  });
});

describe('words of which all newest texts contain a part', async () => {
  // The newest 3,000 of 6,000 have a site; all have a road with one of 900 numbers.
  const road = `CASE WHEN n > 3000 THEN 'Upper Site, ' ELSE '' END || 'Röad ' || n % 900`;
  const filename = `'shot ' || n % 800`;
  const userId = await seed(6000, { filename, address: road, building: `'Hall ' || n % 300` });

  for (const [type, words, address, filename] of [
    ['address', 'röad 77', 'd 77', undefined],
    ['address', 'Upper SITE, RÖAD 77', 'd 77', undefined],
    ['address', 'röad', null, undefined],
    ['address', '77', null, undefined],
    ['address', 'site, lane 7', ', lane 7', undefined],
    ['filename', 'shot 77', undefined, 't 77'],
    ['all', 'Shot 77', 'shot 77', 't 77'],
    ['building_name', 'hall 77', 'l 77', undefined],
    ['memo', 'röad 77', undefined, undefined],
  ] as const)
    test(`in ${type}, ${words}`, async () => {
      const search = { type, words };
      const filter = { trash: null, periods: [], search };
      const limits = { limit: 61, scanLimit: 400 };
      const { items, selective } = await scanForPage(db, userId, filter, { offset: 0 }, limits);
      if (items < limits.limit) {
        const expected = { ...(address !== undefined && { address }) };
        assert.deepEqual(selective, { ...expected, ...(filename !== undefined && { filename }) });
      }
      const { ids, totals } = await readAll(userId, search);
      const found = await bruteForce(userId, search, null);
      assert.deepEqual(
        ids,
        found.map(({ id }) => id),
      );
      if (totals.exact !== false) assert.equal(totals.items, found.length);
    });
});

test('texts follow their image, and deleted texts are not found', async () => {
  const userId = await seed(2, { filename: `'picture ' || n`, address: `'Road ' || n` });
  const find = async (type: Search['type'], words: string): Promise<number> =>
    (await readAll(userId, { type, words })).ids.length;
  assert.equal(await find('address', 'road 1'), 1);
  await rows(db, `UPDATE images SET address_road = 'Lane 1' WHERE user_id = $1 AND bytes = 1`, [
    userId,
  ]);
  await rows(db, `UPDATE images SET filename = 'edited' WHERE user_id = $1 AND bytes = 1`, [
    userId,
  ]);
  assert.equal(await find('address', 'road 1'), 0);
  assert.equal(await find('address', 'lane'), 1);
  assert.equal(await find('filename', 'edited'), 1);
  const some = `CASE WHEN bytes = 2 THEN 'shore' END`;
  await rows(db, `UPDATE images SET address_det = ${some} WHERE user_id = $1`, [userId]);
  assert.equal(await find('address', 'shore'), 1);
  assert.equal(await find('address', 'lane'), 1);
  await rows(db, 'DELETE FROM images WHERE user_id = $1', [userId]);
  const sql = 'SELECT count(*) AS left FROM image_texts WHERE user_id = $1';
  assert.deepEqual(await row(db, sql, [userId]), { left: 0 });
});

test('texts follow an image to another user', async () => {
  const from = await seed(2, { filename: `'moving ' || n` });
  const to = crypto.randomUUID();
  await rows(
    db,
    `INSERT INTO users (id, platform_id, platform_user_id, max_storage_bytes)
     SELECT $2, platform_id, 'other', 1 FROM users WHERE id = $1`,
    [from, to],
  );
  await rows(db, 'UPDATE images SET user_id = $2 WHERE user_id = $1 AND bytes = 1', [from, to]);
  const find = async (userId: string): Promise<number> =>
    (await readAll(userId, { type: 'filename', words: 'moving' })).ids.length;
  assert.deepEqual([await find(from), await find(to)], [1, 1]);
  assert.deepEqual(await differencesIn(db, textsAgainstImages), []);
});

test('verify accounts finds a text without an image', async () => {
  const userId = await seed(1, { filename: `'kept'` });
  const { id } = (await row<{ id: string }>(db, 'SELECT id FROM images WHERE user_id = $1', [
    userId,
  ])) ?? { id: '' };
  const constraint = 'image_texts_image_id_fkey';
  await rows(db, `ALTER TABLE image_texts DROP CONSTRAINT ${constraint}`);
  await rows(db, 'DELETE FROM images WHERE id = $1', [id]);
  const found = await differencesIn(db, textsAgainstImages);
  assert.deepEqual(
    found.map(({ subject, expected, found: there }) => [subject, expected, there]),
    [[`${id} texts`, 0, 1]],
  );
  await rows(db, 'DELETE FROM image_texts WHERE image_id = $1', [id]);
  await rows(
    db,
    `ALTER TABLE image_texts ADD CONSTRAINT ${constraint} FOREIGN KEY (image_id)
     REFERENCES images ON DELETE CASCADE`,
  );
});

test('a long text is found by its middle', async () => {
  const userId = await seed(1, { filename: `'x'` });
  const message = Array.from({ length: 3000 }, (_, n) => `말${n}`)
    .join(' ')
    .slice(0, 10_000);
  await rows(
    db,
    `INSERT INTO memos (id, user_id, image_id, message, is_client)
     SELECT gen_random_uuid(), user_id, id, $2, false FROM images WHERE user_id = $1`,
    [userId, message],
  );
  for (const words of [
    '말1024 말1025',
    message.slice(120, 140),
    message.slice(-3),
    message.slice(0, 1000),
  ])
    assert.equal((await readAll(userId, { type: 'memo', words })).ids.length, 1, words);
  assert.equal((await readAll(userId, { type: 'memo', words: '말1024 말1026' })).ids.length, 0);
});

test('the server ends a count that takes too long, which leaves 0 as the lower bound', async () => {
  const slow = 'pg_sleep(600) /* slow count */, (SELECT 1 AS bytes) AS one';
  assert.deepEqual(await countInTime(db, slow, []), { items: 0, bytes: 0, exact: false });
  const running = `SELECT count(*) AS left FROM pg_stat_activity
    WHERE query LIKE '%/* slow count */%' AND state = 'active' AND pid <> pg_backend_pid()`;
  assert.deepEqual(await row(db, running), { left: 0 });
  assert.deepEqual(await row(db, 'SHOW statement_timeout'), { statement_timeout: '10min' });
  await assert.rejects(countInTime(db, 'nowhere', []), { name: 'QueryFailedError' });
});
