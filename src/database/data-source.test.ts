import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { DataSource } from 'typeorm';
import { testDatabase } from '../../testkit/database.js';
import { createDataSource, forSqlAlone, withoutLimits } from './data-source.js';
import { row } from './sql.js';

const { url } = await testDatabase({ after });
const options = { url, poolSize: 2, statementTimeoutMs: 20_000, entities: [], migrations: [] };

test('no connection compiles plans, even if the server does so by default', async () => {
  const db = createDataSource(options);
  const compiles = async (source: DataSource): Promise<unknown> => {
    await source.initialize();
    try {
      return await row(
        source,
        "SELECT setting, reset_val AS default FROM pg_settings WHERE name = 'jit'",
      );
    } finally {
      await source.destroy();
    }
  };
  await db.initialize();
  await db.query(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET jit = on', current_database());
  END $$`);
  await db.destroy();
  for (const source of [db, withoutLimits(db), withoutLimits(db, 1_000), forSqlAlone(db)])
    assert.deepEqual(await compiles(source), { setting: 'off', default: 'on' });
});
