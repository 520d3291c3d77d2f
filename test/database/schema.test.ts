import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { DataSource } from 'typeorm';
import { rows } from '../../src/database/sql.js';
import { findSchemaDefects, partName, repairSchema, selectParts } from '../../src/ops/schema.js';
import { Findings } from '../../src/ops/verify/findings.js';
import { verifyDatabase } from '../../src/ops/verify/database.js';
import { migratedSource } from '../../testkit/migrated-source.js';

// Also run by `npm run schema`, which sets the variable and so regenerates the file.
const renew = process.env.IMGSTORE_RENEW_SCHEMA === '1';
const file = new URL('../../../migrations/schema.ts', import.meta.url);
const note =
  '// What the migrations make beside tables and columns, as PostgreSQL tells it. Written by\n' +
  '// "npm run schema" from a freshly migrated database. Changes by hand do not last.\n\n';

test('migrations/schema.ts matches a freshly migrated database', async (t) => {
  const db = await migratedSource(t);
  const parts = (await selectParts(db)).map(({ valid, ...part }) => {
    assert.ok(valid, part.name);
    return part;
  });
  const lines = parts.map((part) => `  ${JSON.stringify(part)},\n`).join('');
  const fresh = `${note}export const schema = [\n${lines}] as const;\n`;
  if (renew) await writeFile(file, fresh);
  assert.ok(fresh === (await readFile(file, 'utf8')), 'out of date: run "npm run schema"');
});

const flawsOf = async (db: DataSource): Promise<string[]> =>
  (await findSchemaDefects(db)).map(({ part, what }) => `${partName(part)}: ${what}`).sort();

/** Removes parts of the schema, disables others, and leaves others half-built. */
const damages = [
  'DROP INDEX images_place',
  'DROP INDEX memos_grams',
  'ALTER TABLE customs DROP CONSTRAINT customs_image_id_user_id_fkey',
  'ALTER TABLE image_versions DROP CONSTRAINT image_versions_image_id_version_key',
  'ALTER TABLE images DROP CONSTRAINT images_upload_type_check',
  `ALTER TABLE images ADD CONSTRAINT images_upload_type_check
   CHECK (upload_type IN ('camera', 'gallery', 'request')) NOT VALID`,
  'DROP FUNCTION forget_platform() CASCADE',
  'ALTER TABLE images DISABLE TRIGGER account_for_updated',
  'DROP INDEX folders_trash',
  // Half-built: a concurrent build that fails on a row leaves an invalid index.
  'INSERT INTO object_reclaim (key, not_before) VALUES (1, now()), (2, now())',
  'DROP INDEX object_reclaim_due',
];
const halfMade = `CREATE INDEX CONCURRENTLY object_reclaim_due ON object_reclaim ((1 / attempts))`;

test('missing, invalid, or disabled parts are found, reported by verify, and repaired', async (t) => {
  const db = await migratedSource(t);
  assert.deepEqual(await flawsOf(db), []);
  for (const damage of damages) await rows(db, damage);
  await assert.rejects(rows(db, halfMade), /division by zero/);
  const flaws = [
    'constraint customs_image_id_user_id_fkey: missing',
    'constraint image_versions_image_id_version_key: missing',
    'constraint images_upload_type_check: invalid',
    'function forget_platform(): missing',
    'index folders_trash: missing',
    'index images_place: missing',
    'index memos_grams: missing',
    'index object_reclaim_due: invalid',
    'trigger account_for_updated: invalid',
    'trigger forget_platform: missing',
  ];
  assert.deepEqual(await flawsOf(db), flaws);
  const findings = new Findings();
  await verifyDatabase(db, findings);
  const reported = findings.listed.map(({ kind, subject }) => `${kind} ${subject}`).sort();
  assert.deepEqual(
    reported,
    flaws.map((flaw) => `schema ${flaw}`),
  );

  // REINDEX would not repair a half-built index with another definition.
  await rows(db, 'DROP INDEX object_reclaim_due');
  const mended = await repairSchema(db, () => undefined);
  assert.equal(mended.length, flaws.length);
  assert.deepEqual(await flawsOf(db), []);
});

test('an index whose build failed on a row is repaired once the row is deleted', async (t) => {
  const db = await migratedSource(t);
  await rows(db, 'DROP INDEX folders_sibling_titles');
  await rows(
    db,
    `WITH p AS (INSERT INTO platforms (id, name) VALUES (gen_random_uuid(), 'p') RETURNING id),
       u AS (INSERT INTO users (id, platform_id, platform_user_id, max_storage_bytes)
             SELECT gen_random_uuid(), id, 'u', 1 FROM p RETURNING id)
     INSERT INTO folders (id, user_id, title)
     SELECT gen_random_uuid(), u.id, 'twice' FROM u, generate_series(1, 2)`,
  );
  await assert.rejects(
    repairSchema(db, () => undefined),
    {
      exitCode: 1,
      message: /^index folders_sibling_titles .*is duplicated/,
      remedy: /CREATE UNIQUE/,
    },
  );
  assert.deepEqual(await flawsOf(db), ['index folders_sibling_titles: invalid']);
  await rows(db, 'DELETE FROM folders');
  assert.deepEqual(await repairSchema(db, () => undefined), ['index folders_sibling_titles']);
  assert.deepEqual(await flawsOf(db), []);
});

test('a different index with the same name is reported and left unchanged', async (t) => {
  const db = await migratedSource(t);
  await rows(db, 'DROP INDEX images_place');
  await rows(db, 'CREATE INDEX images_place ON images (location)');
  assert.deepEqual(await repairSchema(db, () => undefined), []);
  assert.deepEqual(await flawsOf(db), ['index images_place: different']);
});
