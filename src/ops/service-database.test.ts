import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createDataSource } from '../database/data-source.js';
import { insert } from '../database/sql.js';
import { assertKnownZone, entities } from './service-database.js';
import { ImageEntity } from '../library/images/entity.js';
import { PlatformEntity } from '../library/platforms/entity.js';
import { UserEntity } from '../library/users/entity.js';
import { testDatabase } from '../../testkit/database.js';
import { columnsFound, differences } from '../../testkit/compare-entities.js';

async function open(t: Parameters<typeof testDatabase>[0]): Promise<DataSource> {
  const { url } = await testDatabase(t);
  const options = { url, poolSize: 2, statementTimeoutMs: 60_000, entities, migrations: [] };
  const db = await createDataSource(options).initialize();
  t.after(() => db.destroy());
  return db;
}

test('the entities match the migrated schema, column by column', async (t) => {
  const db = await open(t);
  assert.deepEqual(await differences(db), []);
  assert.ok((await columnsFound(db)).length > 100);
});

test('a time zone that the database server does not know is named, with its setting', async (t) => {
  const db = await open(t);
  for (const zone of ['Asia/Kolkata', 'UTC']) await assertKnownZone(db, zone);
  await assert.rejects(assertKnownZone(db, 'Mars/Olympus'), {
    exitCode: 78,
    setting: 'timezone',
    message: 'The database server does not know the time zone Mars/Olympus.',
  });
});

/** A change of the schema, and the expected result of the comparison. */
const changes: readonly (readonly [string, readonly string[]])[] = [
  ['ALTER TABLE images ADD COLUMN more text', ['- column images.more text NULL']],
  ['CREATE TABLE lists (id uuid)', ['- column lists.id uuid NULL']],
  [
    'ALTER TABLE images ALTER COLUMN address_det SET NOT NULL',
    ['+ column images.address_det text NULL', '- column images.address_det text NOT NULL'],
  ],
  [
    'ALTER TABLE memos ALTER COLUMN is_client TYPE text',
    ['+ column memos.is_client boolean NOT NULL', '- column memos.is_client text NOT NULL'],
  ],
  [
    'ALTER TABLE users ALTER COLUMN stored_bytes SET DEFAULT 1',
    [
      '+ column users.stored_bytes bigint NOT NULL DEFAULT 0',
      '- column users.stored_bytes bigint NOT NULL DEFAULT 1',
    ],
  ],
  [
    'DROP FUNCTION searchable_filename; ALTER TABLE images ALTER COLUMN filename TYPE text COLLATE "default"',
    [
      '+ column images.filename text NOT NULL COLLATE korean_numeric',
      '- column images.filename text NOT NULL',
    ],
  ],
];

test('a location is written and read as a GeoJSON point', async (t) => {
  const db = await open(t);
  const [platformId, userId, id] = [uuidv7(), uuidv7(), uuidv7()];
  await insert(db, PlatformEntity, { id: platformId, name: 'points' });
  await insert(db, UserEntity, { id: userId, platformId, platformUserId: 'a', maxStorageBytes: 1 });
  const location = { type: 'Point' as const, coordinates: [126.9779451, 37.5662952] };
  const properties = {
    format: 'jpeg' as const,
    extension: 'jpg',
    thumbExtension: 'jpg',
    bytes: 5e9,
  };
  await insert(db, ImageEntity, {
    id,
    platformId,
    userId,
    versionId: id,
    createdAt: new Date(),
    location,
    ...properties,
    uploadType: 'camera',
    width: 1,
    height: 1,
    filename: 'a.jpg',
    hash: Buffer.from([0xab]),
    thumbhash: Buffer.alloc(0),
    originalExtension: 'jpg',
    originalBytes: 5e9,
  });
  const image = await db.getRepository(ImageEntity).findOneByOrFail({ id, userId });
  assert.deepEqual(image.location, location);
  assert.equal(image.bytes, 5e9);
});

test('the comparison reports everything that is missing or different on one side', async (t) => {
  const db = await open(t);
  for (const [change, reported] of changes) {
    const runner = db.createQueryRunner();
    await runner.startTransaction();
    await runner.query(change);
    const seen = await differences(db, runner);
    await runner.rollbackTransaction();
    await runner.release();
    assert.deepEqual(seen, reported, change);
  }
});
