import type { DataSource } from 'typeorm';
import type { Home } from '../../base/config/home.js';
import { isAbortedByServer } from '../../database/sql.js';
import { badConfiguration } from '../../base/errors/operator.js';
import type { Logger } from '../../base/telemetry/logger.js';
import { findSchemaDefects, extensionsMissingFromDumps, partName } from './defects.js';
import type { SchemaDefect } from './defects.js';
import { limitLockWait } from './schema.sql.js';
import { commandLine } from '../../base/os/command-line.js';

/** Names listed in full; the rest are only counted. */
const maxNamed = 5;

export interface RequireParts {
  readonly db: DataSource;
  readonly home: Home;
  readonly logger: Logger;
}

/**
 * Verifies that a migrated database has everything the migrations created: an incomplete restore
 * lacks indexes and constraints, and would silently be slow or wrong.
 * @throws OperatorError 78 that names what is missing or invalid.
 */
export async function requireSchema({ db, home, logger }: RequireParts): Promise<void> {
  const defects = await findDefects(db, logger);
  const broken = defects.filter(({ what }) => what !== 'different');
  if (broken.length > 0) {
    const names = broken.slice(0, maxNamed).map(({ part, what }) => `${partName(part)} (${what})`);
    const more = broken.length > maxNamed ? ` and ${broken.length - maxNamed} more` : '';
    throw badConfiguration(`The database is incomplete: ${names.join(', ')}${more}.`, {
      setting: 'database.url',
      remedy: commandLine('migrate', '--home', home.dir),
    });
  }
  const different = defects.map(({ part }) => partName(part));
  if (different.length > 0) logger.warn('not as the migrations created them', { parts: different });
  const extensions = await extensionsMissingFromDumps(db);
  if (extensions.length > 0) logger.warn('pg_dump would omit extensions', { extensions });
}

/**
 * Verifies that rows obey the constraints that a restore creates: without one of them, a backup
 * may not be restorable. @throws OperatorError 78 that names what is missing or invalid.
 */
export async function requireConstraints(db: DataSource, home: Home): Promise<void> {
  const broken = ((await findDefectsUnlessLocked(db)) ?? []).filter(
    ({ part, what }) => part.kind === 'constraint' && what !== 'different',
  );
  if (broken.length === 0) return;
  const names = broken.map(({ part, what }) => `${part.table}.${part.name} (${what})`).join(', ');
  throw badConfiguration(
    `A backup might not be restorable, because constraints are not enforced: ${names}.`,
    {
      setting: 'database.url',
      remedy: commandLine('migrate', '--home', home.dir),
    },
  );
}

/** A manual repair, which locks a table, must not block startup. */
async function findDefects(db: DataSource, logger: Logger): Promise<SchemaDefect[]> {
  const defects = await findDefectsUnlessLocked(db);
  if (!defects) logger.warn('the schema was not checked: a table is locked');
  return defects ?? [];
}

/** Does not wait for an exclusive lock on a table. @returns undefined if there is one. */
export async function findDefectsUnlessLocked(db: DataSource): Promise<SchemaDefect[] | undefined> {
  try {
    return await db.transaction(async (tx) => {
      await limitLockWait(tx);
      return findSchemaDefects(tx);
    });
  } catch (error) {
    if (!isAbortedByServer(error)) throw error;
    return undefined;
  }
}
