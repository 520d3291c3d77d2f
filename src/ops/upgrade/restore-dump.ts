import type { DataSource } from 'typeorm';
import { withoutLimits } from '../../database/data-source.js';
import { migrationStatus } from '../../database/migrations.js';
import { failure } from '../../base/errors/operator.js';
import { analyze, holdsTables } from '../dumps.sql.js';
import { fillFromDump } from './copy.js';
import type { NewDatabase, NewDatabaseParts } from './new-database.js';
import { selectInstanceId } from './upgrade.sql.js';
import { withHomeLocked } from './replace.js';

export interface RestoreDumpParts extends NewDatabaseParts {
  readonly file: string;
  readonly prepare: () => Promise<NewDatabase>;
  readonly dataSource: (url: string) => DataSource;
}

export interface RestoredDump {
  readonly database: string;
  readonly instance_id: string | null;
  /** Migrations of this program that are pending. */
  readonly pending: readonly string[];
  /** Directory of the former database; null if it is elsewhere. */
  readonly kept: string | null;
}

/**
 * Restores a dump into a new database and switches to it; the former one is kept.
 * @throws OperatorError 1 while the home is served.
 */
export function restoreDump(parts: RestoreDumpParts): Promise<RestoredDump> {
  return withHomeLocked(parts.home, async () => {
    const next = await parts.prepare();
    try {
      const restored = await fill(parts, next);
      parts.signal.throwIfAborted();
      const kept = (await next.use()) ?? null;
      return { database: next.name, ...restored, kept };
    } finally {
      await next.close();
    }
  });
}

async function fill(parts: RestoreDumpParts, next: NewDatabase) {
  const db = await withoutLimits(parts.dataSource(next.url)).initialize();
  try {
    if (await holdsTables(db)) throw notEmpty();
    await fillFromDump({ ...parts, target: next.url }, db, parts.file);
    await analyze(db);
    const states = await migrationStatus(db);
    const pending = states.filter(({ appliedAt }) => !appliedAt).map(({ name }) => name);
    return { instance_id: (await selectInstanceId(db)) ?? null, pending };
  } finally {
    await db.destroy();
  }
}

const notEmpty = () =>
  failure('The database to restore into is not empty: it has tables.', {
    setting: '--to',
    remedy: 'Create another one: CREATE DATABASE NAME OWNER ROLE TEMPLATE template0;',
  });
