import type { DataSource } from 'typeorm';
import { aboutMigrations } from '../../../migrations/about.js';
import type { Hold } from '../../../migrations/about.js';
import { migrationStatus } from '../../database/migrations.js';
import { estimateDump } from './dump.js';
import type { DumpEstimate } from './dump.js';
import { selectTableSizes } from './upgrade.sql.js';
import type { TableSize } from './upgrade.sql.js';

export interface PlannedMigration {
  readonly name: string;
  /** What it does, in a sentence. */
  readonly does: string;
  /** The requests that it blocks while it runs. */
  readonly holds: Hold;
  /** The tables that it reads, which determine its duration. */
  readonly reads: readonly TableSize[];
}

export interface MigrationPlan {
  readonly pending: readonly PlannedMigration[];
  /** Made first; null for a database without tables, and if nothing is pending. */
  readonly dump: DumpEstimate | null;
}

/** What `migrate` would do. Changes nothing. @throws OperatorError 78 for a newer database. */
export async function planMigrations(db: DataSource): Promise<MigrationPlan> {
  const states = await migrationStatus(db);
  const pending = states.filter(({ appliedAt }) => !appliedAt).map(({ name }) => name);
  const isNew = pending.length === states.length;
  const planned = pending.map(async (name) => {
    const { does, holds, reads } = aboutMigrations[name] ?? undescribed;
    return { name, does, holds, reads: isNew ? [] : await selectTableSizes(db, reads) };
  });
  return {
    pending: await Promise.all(planned),
    dump: isNew || pending.length === 0 ? null : await estimateDump(db),
  };
}

const undescribed = { does: 'It is not described.', holds: 'changes', reads: [] } as const;
