import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import pg from 'pg';
import type { Home } from '../../src/base/config/home.js';
import { openDatabase } from '../../src/database/postgres/provision.js';
import { rows, type Queryable } from '../../src/database/sql.js';
import { sentinelKey } from '../../src/store/sentinel.js';
import { referredKeys } from '../../testkit/accounts.js';

async function storedKeys(home: Home): Promise<Set<string>> {
  const entries = await readdir(home.store, { recursive: true, withFileTypes: true });
  const files = entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name));
  const keys = files.map((file) => relative(home.store, file));
  return new Set(keys.filter((key) => key !== sentinelKey));
}

/**
 * Compares store and database: each object is referenced by a row or listed in object_reclaim, and
 * each row's objects exist. For a service that is idle or stopped.
 * @returns how many objects there are, and how many of them wait to be reclaimed.
 */
export async function balance(home: Home, url?: string) {
  const database = await openDatabase({ home, url, report: () => undefined });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const db: Queryable = {
      query: async (sql, values) => (await client.query<object>(sql, values)).rows,
    };
    const referred = await referredKeys(db);
    const queue = await rows<{ key: string }>(db, 'SELECT key FROM object_reclaim');
    const listed = new Set(queue.map(({ key }) => key));
    const stored = await storedKeys(home);
    const orphans = [...stored].filter((key) => !referred.has(key) && !listed.has(key));
    const lost = [...referred].filter((key) => !stored.has(key));
    const both = [...referred].filter((key) => listed.has(key));
    assert.deepEqual({ orphans, lost, both }, { orphans: [], lost: [], both: [] });
    return { objects: stored.size, waiting: [...stored].filter((key) => listed.has(key)).length };
  } finally {
    await client.end();
    await database.close();
  }
}
