import type { DataSource } from 'typeorm';
import { row, rows, type Queryable } from '../src/database/sql.js';
import { sumUpPlatformMaps } from '../src/library/images/map/upkeep.js';
import { feed, keptTables, ledger, platformCellChanges } from './seeding/kept.js';
import { makeParts, selectParts, type Part } from './seeding/parts.js';
import { making } from './seeding/rows.js';

export interface Seed {
  readonly userId: string;
  readonly images: number;
}

const rowTables = ['folders', 'images', 'image_versions', 'memos', 'customs'];
const allTables = [...rowTables, 'changes', ...keptTables.map(({ table }) => table)];
const platformTables = ['platform_cells', 'platform_cell_changes'];

/** Describes the users of a database besides the given one; undefined if there are none. */
export async function othersThan(db: Queryable, userId: string): Promise<string | undefined> {
  const found = await row<{ users: number }>(
    db,
    'SELECT count(*)::int AS users FROM users WHERE id <> $1',
    [userId],
  );
  return found && found.users > 0
    ? `${found.users} other user${found.users === 1 ? '' : 's'}`
    : undefined;
}

/** Suits sorting and hashing millions of rows, since statistics of tables just filled are missing. */
const settings = `SET LOCAL work_mem = '512MB'; SET LOCAL enable_nestloop = off`;

/**
 * Gives users many image rows without objects, for examining plans and speed. Triggers are disabled
 * meanwhile, and the tables that they maintain are computed at the end, in the same transaction. If more
 * rows are added than exist, keys and indexes are dropped first and recreated afterward: until then,
 * nothing else should use the tables.
 * @param report gets a line for each long step. @param without tables to leave empty.
 */
export async function seedUsers(
  db: DataSource,
  seeds: readonly Seed[],
  report: (step: string) => void = () => undefined,
  without: readonly string[] = [],
): Promise<void> {
  const parts = await db.transaction(async (tx) => {
    await tx.query(settings);
    await lockUsers(tx, seeds);
    const dropped = await dropParts(tx, seeds);
    await switchTriggers(tx, 'DISABLE');
    const { versions, ...before } = making;
    for (const [table, sql] of Object.entries(before)) {
      report(`Making ${table}`);
      await tx.query(sql);
    }
    await tx.query('ANALYZE folders, images, memos, customs');
    report('Making ledger');
    await tx.query(ledger);
    report('Making changes');
    await tx.query(feed);
    report('Making versions');
    await tx.query(versions);
    for (const { table, ofUsers, fill } of keptTables) {
      if (without.includes(table)) continue;
      report(`Filling ${table}`);
      await tx.query(`DELETE FROM ${table} WHERE ${ofUsers}`);
      await tx.query(fill);
      await tx.query(`ANALYZE ${table}`);
    }
    await switchTriggers(tx, 'ENABLE');
    return dropped;
  });
  if (parts.length > 0) report('Making keys and indexes');
  await makeParts(db, parts);
  report('Summing up maps of platforms');
  // Not before: the job of a running service would do it without indexes.
  await db.query(platformCellChanges, [seeds.map(({ userId }) => userId)]);
  await sumUpPlatformMaps(db, new AbortController().signal);
  // Index-only scans need an up-to-date visibility map.
  report('Analyzing');
  await db.query(
    `VACUUM ANALYZE users, usage_events, ${[...allTables, ...platformTables].join(', ')}`,
  );
}

export const seedUser = (db: DataSource, seed: Seed): Promise<void> => seedUsers(db, [seed]);

async function lockUsers(tx: Queryable, seeds: readonly Seed[]): Promise<void> {
  await tx.query(
    `CREATE TEMPORARY TABLE seeded (user_id uuid PRIMARY KEY, images integer) ON COMMIT DROP`,
  );
  await tx.query('INSERT INTO seeded SELECT * FROM unnest($1::uuid[], $2::integer[])', [
    seeds.map(({ userId }) => userId),
    seeds.map(({ images }) => images),
  ]);
  await tx.query('ANALYZE seeded');
  const found = await rows<{ id: string }>(
    tx,
    `SELECT id FROM users JOIN seeded ON user_id = id ORDER BY id FOR NO KEY UPDATE OF users`,
  );
  const known = new Set(found.map(({ id }) => id));
  const missing = seeds.find(({ userId }) => !known.has(userId));
  if (missing) throw new Error(`No user ${missing.userId}.`);
}

async function dropParts(tx: Queryable, seeds: readonly Seed[]): Promise<readonly Part[]> {
  const there = await row<{ images: number }>(
    tx,
    'SELECT coalesce(sum(active_images + trashed_images), 0)::float8 AS images FROM users',
  );
  const added = seeds.reduce((sum, { images }) => sum + images, 0);
  if (added <= (there?.images ?? 0)) return [];
  const parts = await selectParts(tx, allTables);
  for (const { drop } of parts) await tx.query(drop);
  return parts;
}

async function switchTriggers(tx: Queryable, state: 'ENABLE' | 'DISABLE'): Promise<void> {
  for (const table of [...rowTables, 'map_cells'])
    await tx.query(`ALTER TABLE ${table} ${state} TRIGGER USER`);
}
