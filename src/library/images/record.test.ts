import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { rows } from '../../database/sql.js';
import type { FieldsOf } from '../../database/columns.js';
import type { imageColumns } from './entity.js';
import { selectImageText } from './images.sql.js';
import { selectNewest } from './list/list.sql.js';
import { selectNearest, withDistances } from './list/near.sql.js';
import { selectWholePage } from './list/whole.sql.js';
import type { RecordPage } from './page.sql.js';
import { ImageRecords, runsOf, type Frame } from './record.js';
import type { ReadImage } from './record-fields.js';
import type { ImageRecord } from './schemas.js';
import { collectText } from '../../http/paging/batches.js';
import { LocalStore } from '../../store/local-store.js';
import { SignedUrls } from '../../store/signed-url.js';
import { WallClock } from '../../base/time.js';
import { toMegabytes } from '../../base/units.js';
import { migratedSource } from '../../../testkit/migrated-source.js';
import { insertUser } from '../../../testkit/insert-user.js';
import { parsed } from '../../../testkit/parsed.js';

const db = await migratedSource({ after });
const { platformId, userId } = await insertUser(db);
const folderId = uuidv7();
await rows(db, `INSERT INTO folders (id, user_id, title) VALUES ($1, $2, 'f')`, [folderId, userId]);

const usual = {
  created_at: '2026-03-01 12:34:56.789012+00',
  updated_at: '2026-03-01 12:34:57+00',
  upload_type: 'gallery',
  filename: 'a.jpg',
  format: 'jpeg',
  extension: 'jpg',
  display_extension: 'jpg',
  thumb_extension: 'webp',
  hash: `\\x${'00ff'.repeat(16)}`,
  bytes: 1_048_576,
  width: 4000,
  height: 3000,
  thumbhash: '\\x1c0812',
  original_extension: 'jpg',
  original_bytes: 1,
  version: 0,
  edits: 0,
  edit_bytes: 0,
  is_shared: false,
  is_signed: false,
  is_incomplete: false,
};

const controls = Array.from({ length: 31 }, (_, n) => String.fromCodePoint(n + 1)).join('');
const texts = [
  controls,
  '"\\/\u007f\u0080\u00a0\u2028\u2029\ufeff\uffff',
  '여행 👩‍👩‍👧 𝄞 é e\u0301',
  '\u0001uplatform/user\u0001 \u0001t0\u0001 \\u0001 %s $1 {}',
  `it's E'\\n'`,
  '',
  ' '.repeat(1000),
];
const places = [
  [0, 0],
  [1e-7, -1e-7],
  [90, 180],
  [-90, -180],
  [37.5664999, 126.9779692],
  [1 / 3, 100 / 3],
];
const numbers = [0, 1e-7, 359.999999, 123.456789, 1 / 3, 1e21, 5e-324];
// Around clock changes in several zones, before zones had whole minutes, and at the limits of the type.
const times = [
  '1969-12-31 23:59:59.999999+00',
  '1970-01-01 00:00:00+00',
  '1969-12-31 23:59:58+00',
  '1900-01-01 00:00:00+00',
  '1908-03-31 15:32:07+00',
  '1883-11-18 17:00:00.5+00',
  '1987-05-09 17:00:00+00',
  '1988-10-08 17:59:59.9+00',
  '1954-03-20 15:29:59+00',
  '2026-03-29 00:59:59.999999+00',
  '2026-03-29 01:00:00+00',
  '2026-10-25 01:00:00+00',
  '2026-03-08 06:59:59+00',
  '2026-11-01 06:00:00+00',
  '2026-04-04 14:59:59+00',
  '0001-01-01 00:00:00+00',
  '0044-03-15 12:00:00.25+00 BC',
  '9999-12-31 23:59:59.999999+00',
];
const sizes = [0, 1, 524, 525, 1_048_575, 52_428_800, 2 ** 40 + 1, 2 ** 51 - 1];

const odd: Record<string, unknown>[] = [
  {},
  { folder_id: folderId, has_det: true, is_shared: true, is_signed: true, is_incomplete: true },
  { has_det: false, deleted_at: '2026-03-02 00:00:00.000001+00', taken_at: times[4] },
  { display_extension: null, format: 'heif', extension: 'heic', original_extension: 'heic' },
  { version_id: uuidv7(), version: 3, edits: 3, edit_bytes: 9, extension: 'png' },
  { thumbhash: `\\x${'a5'.repeat(200)}`, hash: `\\x${'ff'.repeat(32)}` },
  { thumbhash: '\\x', width: 1, height: 100_000 },
  ...texts.map((text, i) => ({
    address_road: text,
    address_land: text,
    address_land_number: text,
    building_name: text,
    address_sort: text,
    address_det: text,
    filename: text || `${i}`,
    camera: text,
    original_name: text,
    display_extension: text.length > 10 ? null : 'jpg',
  })),
  ...places.map(([lat, lng]) => ({ lat, lng })),
  ...numbers.map((number) => ({ direction: number, altitude_m: -number, accuracy_m: number })),
  ...times.map((at) => ({ created_at: at, updated_at: at, taken_at: at, deleted_at: at })),
  ...sizes.map((bytes) => ({ bytes })),
  ...Array.from({ length: 40 }, () => ({ bytes: Math.floor(Math.random() * 2 ** 36) })),
];

for (const image of odd) {
  const id = uuidv7();
  const values = { id, platform_id: platformId, user_id: userId, version_id: id };
  const { lat, lng, ...columns } = { ...values, ...usual, ...image } as Record<string, unknown>;
  const names = Object.keys(columns).join(', ');
  await rows(
    db,
    `INSERT INTO images (${names}, location)
     SELECT ${names}, ST_SetSRID(ST_MakePoint($2, $3), 4326)::geography
     FROM jsonb_populate_record(NULL::images, $1)`,
    [JSON.stringify(columns), lng ?? null, lat ?? null],
  );
}

const signer = new SignedUrls({ secret: Buffer.alloc(32, 7), ttlSeconds: 3600, now: () => 0 });
// Only signs URLs: nothing is stored in it.
const store = new LocalStore({ root: '/nowhere', instanceId: 'none', signer });
const resolveUrl = (address: string): string => `https://images.example${address}`;
const none = { memos: null, customs: null, filedatas: null };

type Times = 'created_at' | 'updated_at' | 'deleted_at' | 'taken_at';

/** An image with times in seconds since 1970. */
type StoredRow = Omit<FieldsOf<typeof imageColumns>, Times | 'location'> &
  Record<Times | 'lat' | 'lng', number | null>;

/** All of them, newest first. */
const stored = await rows<StoredRow>(
  db,
  `SELECT i.*, ST_Y(location::geometry) AS lat, ST_X(location::geometry) AS lng,
     ${['created_at', 'updated_at', 'deleted_at', 'taken_at']
       .map((name) => `floor(extract(epoch FROM ${name}))::float8 AS ${name}`)
       .join(', ')}
   FROM images i ORDER BY i.created_at DESC, i.id DESC`,
);

/** The record that the interface promises for a row, in the order of its fields. */
function expected(row: StoredRow, zone: string, base = 'https://images.example') {
  const clock = new WallClock(zone);
  const time = (second: number | null) => (second === null ? null : clock.formatSecond(second));
  const url = (version: string, object: string, name: string | null = null): string =>
    base + signer.sign([platformId, userId, row.id, version, object].join('/'), name ?? undefined);
  const shownName = row.display_extension || row.edits > 0 ? null : row.original_name;
  const shown = row.display_extension
    ? `display.${row.display_extension}`
    : `original.${row.extension}`;
  return {
    id: row.id,
    user_id: userId,
    folder_id: row.folder_id,
    filename: row.filename,
    path_url: url(row.version_id, shown, shownName),
    org_path_url: url(row.id, `original.${row.original_extension}`, row.original_name),
    lat: row.lat,
    lng: row.lng,
    address_road: row.address_road,
    address_land: row.address_land,
    address_land_number: row.address_land_number,
    building_name: row.building_name,
    address_sort: row.address_sort,
    address_det: row.address_det,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    delete_at: time(row.deleted_at),
    filedata_total: row.edits,
    is_signed: row.is_signed,
    is_shared: row.is_shared,
    has_det: row.has_det,
    image_resource_type: row.format,
    resolution: `${row.width}x${row.height}`,
    filesize_mb: toMegabytes(row.bytes),
    image_filesize_mb: toMegabytes(row.bytes),
    ...none,
    thumb_url: url(row.version_id, `thumb.${row.thumb_extension}`),
    thumbhash: row.thumbhash.toString('base64'),
    hashdata: row.hash.toString('hex'),
    taken_at: time(row.taken_at),
    is_incomplete: row.is_incomplete,
    upload_set_id: row.upload_set_id,
    original_name: row.original_name,
    direction: row.direction,
    altitude_m: row.altitude_m,
    accuracy_m: row.accuracy_m,
    camera: row.camera,
  };
}

const range = { start: { offset: 0 }, size: 100, include: {} };
const everything = { trash: null, periods: [] };

for (const zone of [
  'UTC',
  'Asia/Seoul',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Monrovia',
  'Pacific/Apia',
]) {
  const records = new ImageRecords(store, new WallClock(zone));

  test(`a page has the bytes that JSON.stringify would write, in ${zone}`, async () => {
    assert.ok(odd.length <= range.size);
    const page = await selectNewest(db, userId, everything, range);
    const written = await collectText(records.list(page, resolveUrl));
    const { count, more, lastKey } = page;
    assert.equal(written, JSON.stringify(stored.map((row) => expected(row, zone))));
    assert.equal(count, odd.length);
    assert.equal(more, false);
    assert.equal(lastKey?.[1], stored.at(-1)?.id);
    assert.ok(!written.includes('\u0001'));
  });

  test(`single records have the same values, in ${zone}`, async () => {
    for (const row of stored) {
      const text = (await selectImageText(db, userId, row.id, {})) ?? '';
      const record = parsed(records.single({ text, rest: [], include: {}, db }, resolveUrl));
      const { full_url: full, ...others } = record;
      assert.deepEqual(others, expected(row, zone));
      const isShown = row.format !== 'heif';
      const key = [platformId, userId, row.id, row.version_id];
      const object = isShown ? `original.${row.extension}` : 'full';
      const name = isShown && row.edits === 0 ? (row.original_name ?? undefined) : undefined;
      assert.equal(full, resolveUrl(signer.sign([...key, object].join('/'), name)));
    }
  });
}

const records = new ImageRecords(store, new WallClock('UTC'));

const listed = async (page: Promise<RecordPage>, frame?: Frame): Promise<ImageRecord[]> =>
  JSON.parse(await collectText(records.list(await page, resolveUrl, frame))) as ImageRecord[];

test('distances are added to records', async () => {
  const filter = { ...everything, near: { coordinates: { latitude: 37.5, longitude: 127.1 } } };
  const found = await listed(selectNearest(db, userId, filter, range), withDistances());
  assert.equal(found.length, places.length);
  for (const { distance_m: distance, ...record } of found) {
    const row = stored.find(({ id }) => id === record.id);
    assert.deepEqual(record, row && expected(row, 'UTC'));
    assert.equal(distance, Math.round((distance ?? NaN) * 1000) / 1000);
  }
  const [first] = found;
  assert.ok(first?.distance_m && first.distance_m > 9_000 && first.distance_m < 20_000);
});

test('records are framed by runs of the same key', async () => {
  const keyOf = (image: ReadImage): string => image.field('image_resource_type');
  const frame = runsOf(
    keyOf,
    (key) => `{"key":${key},"images":[`,
    (count) => `],"count":${count}}`,
  );
  const page = await selectNewest(db, userId, everything, range);
  const runs = JSON.parse(await collectText(records.list(page, resolveUrl, frame))) as {
    readonly key: string;
    readonly images: ImageRecord[];
    readonly count: number;
  }[];
  assert.deepEqual(
    runs.flatMap(({ images }) => images.map(({ id }) => id)),
    stored.map(({ id }) => id),
  );
  assert.ok(runs.length > 2);
  for (const [n, { key, images, count }] of runs.entries()) {
    assert.equal(images.length, count);
    assert.ok(images.every(({ image_resource_type: type }) => type === key));
    assert.notEqual(key, runs[n - 1]?.key);
  }
  const none = await selectNewest(db, uuidv7(), everything, range);
  const empty = runsOf(keyOf, String, String);
  assert.equal(await collectText(records.list(none, resolveUrl, empty)), '[]');
});

test('what is included comes whole, in its order, however much it is', async () => {
  const owner = await insertUser(db);
  const other = owner.userId;
  const ids = Array.from({ length: 130 }, () => uuidv7());
  await rows(
    db,
    `INSERT INTO images SELECT (jsonb_populate_record(i, jsonb_build_object(
       'id', new.id, 'version_id', new.id, 'user_id', $2::uuid, 'platform_id', $4::uuid,
       'folder_id', NULL, 'edits', e, 'version', e))).*
     FROM (SELECT id FROM images WHERE user_id = $3 AND format = 'jpeg' LIMIT 1) AS one JOIN images i USING (id),
       unnest($1::uuid[]) WITH ORDINALITY AS new (id, n), LATERAL (SELECT CASE n WHEN 7 THEN 1203 WHEN 9 THEN 2 ELSE 0 END AS e) AS made`,
    [ids, other, userId, owner.platformId],
  );
  await rows(
    db,
    `INSERT INTO image_versions (id, platform_id, user_id, image_id, version, format, extension,
       display_extension, thumb_extension, hash, bytes, width, height, original_name)
     SELECT gen_random_uuid(), i.platform_id, i.user_id, i.id, n, 'png', 'png',
       CASE WHEN n % 2 = 0 THEN 'png' END, 'webp', i.hash, n, 3, 4, CASE WHEN n % 3 = 0 THEN $2 END
     FROM images i, generate_series(1, i.edits) AS n WHERE i.user_id = $1`,
    [other, texts[1]],
  );
  const notes = `FROM images i, generate_series(1, CASE WHEN i.id = $2 THEN 90 WHEN i.id > $3 THEN 3 ELSE 0 END) AS n
     WHERE i.user_id = $1`;
  // So large that only a few images are read at a time.
  const values = [other, ids[20], ids[25], (texts[1] ?? '') + (texts[2] ?? '')];
  await rows(
    db,
    `INSERT INTO memos (id, user_id, image_id, message, is_client, created_at)
     SELECT gen_random_uuid(), i.user_id, i.id, $4 || repeat('"', 3000) || n, n % 2 = 0, now() - n * interval '1 s' ${notes}`,
    values,
  );
  await rows(
    db,
    `INSERT INTO customs (id, user_id, image_id, key, value)
     SELECT gen_random_uuid(), i.user_id, i.id, n, $4 ${notes}`,
    values,
  );
  const clock = new WallClock('UTC');
  const times = (row: { created_at: Date; updated_at: Date }) => ({
    created_at: clock.format(row.created_at),
    updated_at: clock.format(row.updated_at),
  });
  type Row = Record<string, unknown> & { image_id: string; created_at: Date; updated_at: Date };
  const of = async (table: string, columns: string): Promise<Row[]> =>
    rows<Row>(
      db,
      `SELECT ${columns}, created_at, updated_at FROM ${table} t WHERE user_id = $1 ORDER BY created_at, id`,
      [other],
    );
  const memos = await of('memos', 'id, image_id, message, is_client');
  const customs = await of('customs', 'id, image_id, key, value');
  const include = { memos: true, customs: true, history: true };
  const page = await selectNewest(db, other, everything, { ...range, size: 1000, include });
  assert.ok(page.rest.length > 50, `${page.rest.length} images are read later`);
  const list = records.list(page, resolveUrl);
  assert.ok(!Buffer.isBuffer(list.text));
  const found = JSON.parse(await collectText(list)) as ImageRecord[];
  assert.deepEqual(
    found.map(({ id }) => id),
    [...ids].reverse(),
  );
  for (const image of found) {
    const its = (all: Row[]) =>
      all.filter((one) => one.image_id === image.id).map((one) => ({ ...one, ...times(one) }));
    assert.deepEqual(image.memos, its(memos));
    assert.deepEqual(image.customs, its(customs));
    const edits = image.filedatas ?? [];
    assert.equal(edits.length, image.filedata_total);
    for (const [n, edit] of edits.entries()) {
      const version = n + 1;
      const name = version % 3 === 0 ? (texts[1] ?? null) : null;
      assert.equal(edit.filesize_mb, toMegabytes(version));
      assert.equal(edit.original_name, name);
      const object = version % 2 === 0 ? 'display.png' : 'original.png';
      const key = [image.org_path_url.split('/')[4], other, image.id, edit.id, object].join('/');
      const saved = version % 2 === 0 ? undefined : (name ?? undefined);
      assert.equal(edit.path_url, resolveUrl(signer.sign(key, saved)));
      assert.equal(edit.full_url, undefined);
    }
  }
});

test('the base of URLs is escaped where necessary', async () => {
  const based = 'https://여행.example/"\\';
  const page = await selectNewest(db, userId, everything, { ...range, size: 1 });
  const list = records.list(page, (address) => based + address);
  const [newest] = stored;
  assert.deepEqual(parsed(list), newest && [expected(newest, 'UTC', based)]);
});

test('placeholders stand for the URLs of objects, with their keys', async () => {
  const page = await selectNewest(db, userId, everything, { ...range, size: 1 });
  const marks = Object.assign((address: string) => address, {
    ofObject: (key: string, name?: string) => `\u0001"${key}${name ?? ''}`,
  });
  const [newest] = stored;
  assert.equal(
    parsed(records.list(page, marks))[0]?.org_path_url,
    `\u0001"${[platformId, userId, newest?.id, newest?.id, 'original.jpg'].join('/')}`,
  );
});

for (const sortBy of ['created_at', 'taken_at'] as const) {
  const all = { trash: null, sortBy };

  test(`pages that start after one another are the whole list (${sortBy})`, async () => {
    const size = 30;
    const whole = await selectNewest(db, userId, { ...everything, sortBy }, range);
    const texts: string[] = [];
    let after: readonly string[] | undefined;
    do {
      const start = { offset: 0, ...(after && { after }) };
      const page = await selectWholePage(db, userId, all, { start, size, include: {} });
      assert.equal(page.totals?.items, odd.length);
      texts.push(page.text);
      assert.equal(page.more, texts.length * size < odd.length);
      after = page.more ? page.lastKey : undefined;
    } while (after);
    assert.equal(texts.join('\u0001'), whole.text);
  });

  test(`a page at an index is the same as that many images further (${sortBy})`, async () => {
    const size = 10;
    for (const trash of [null, true, false])
      for (const index of [1, 7, odd.length - 3, odd.length + 1]) {
        const whole = { trash, sortBy };
        const filter = { ...whole, periods: [] };
        const start = { offset: index };
        const expected = await selectNewest(db, userId, filter, { start, size, include: {} });
        const { totals, ...page } = await selectWholePage(db, userId, whole, {
          start,
          size,
          include: {},
        });
        assert.ok(totals);
        assert.deepEqual(page, expected);
      }
  });
}

test('a page past the end and an empty page have no text', async () => {
  const past = { start: { offset: 1000 }, size: 10, include: {} };
  const empty = { text: '', rest: [], count: 0, more: false, lastKey: undefined, include: {}, db };
  assert.deepEqual(await selectNewest(db, userId, everything, past), empty);
  assert.deepEqual(await selectNewest(db, uuidv7(), everything, range), empty);
});
