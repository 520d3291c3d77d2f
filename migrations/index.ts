import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { packageFile } from '../src/base/installed-files.js';

// The schema is plain SQL: tables/ with their indexes, and rules/, the functions and triggers that keep what
// is derived from them. Both are run as they are, in this order.

/** What 0.3.0 does not have. */
const added = ['archives', 'bulk', 'custody', 'holds', 'identities', 'jobs', 'sessions', 'tokens'];
const tables = ['text', 'accounts', 'library', 'kept', 'feed', 'requests', 'operators', ...added];
const rules = [
  'posting',
  'changes',
  'requests',
  'admission',
  'annotations',
  'images',
  'cells',
  'places',
  'radius',
  'holds',
  'custody',
];

const sqlOf = (file: string): string => readFileSync(packageFile(`migrations/${file}.sql`), 'utf8');

/** Every function, trigger and table of a new database, as text. */
export const baseline = (): string[] => [
  ...tables.map((name) => sqlOf(`tables/${name}`)),
  ...rules.map((name) => sqlOf(`rules/${name}`)),
];

/**
 * The schema of 0.3.0, which was made by 36 migrations. They are recorded in its databases alone; this
 * program takes such a database further if it has the last of them.
 */
export const before = {
  version: '0.3.0',
  first: 'Foundation0000000000001',
  last: 'PlatformCells0000000000042',
  /** Tables and columns of it that are no more: a restore leaves out what they have. */
  dropped: ['walks', 'image_ranges', 'taken_ranges', 'image_versions.crc32', 'changes.digest'],
} as const;

/** Creates the schema, or makes it of that of 0.3.0. */
export class Baseline0000000000043 implements MigrationInterface {
  readonly name = 'Baseline0000000000043';

  async up(runner: QueryRunner): Promise<void> {
    const [{ older }] = (await runner.query(
      `SELECT to_regclass('images') IS NOT NULL AS older`,
    )) as [{ older: boolean }];
    const made = (older ? ['text', ...added] : tables).map((name) => `tables/${name}`);
    if (older) made.splice(1, 0, 'from-0.3.0');
    for (const file of [...made, ...rules.map((name) => `rules/${name}`)]) {
      await runner.query(sqlOf(file));
    }
  }

  /** A database goes back by the dump that was made before (docs/upgrading.md). */
  down(): Promise<void> {
    return Promise.reject(new Error('Restore the dump that was made before the migration.'));
  }
}

/**
 * Every migration, in order. One that has been released never changes, the first one with its SQL included; a
 * change of mind is a new one.
 */
export const migrations: (new () => MigrationInterface)[] = [Baseline0000000000043];

/** What waits while a migration runs: nothing, changes of the tables that it reads, or reads, too. */
export type Hold = 'nothing' | 'changes' | 'everything';

interface AboutMigration {
  /** What it does, in a sentence. */
  readonly does: string;
  readonly holds: Hold;
  /** Tables that are there before it and that it goes through: what its duration depends on. */
  readonly reads: readonly string[];
}

/** What `migrate --plan` says of each migration, by name. */
export const aboutMigrations: Readonly<Record<string, AboutMigration>> = {
  Baseline0000000000043: {
    does: 'Makes the schema of 0.3.0 that of 0.4: fewer indexes, and no counts by position; about five seconds per million images.',
    holds: 'everything',
    reads: ['images'],
  },
};
