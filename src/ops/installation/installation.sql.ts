import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';

export interface ConnectedMachine {
  /** Null for connections over a Unix socket. */
  readonly address: string | null;
  readonly connections: number;
  readonly since: Date;
}

/** Machines that services have connected from, as the database sees them: one row per machine. */
export const selectMachines = (db: Queryable, limit: number): Promise<ConnectedMachine[]> =>
  rows(
    db,
    `SELECT host(client_addr) AS address, count(*)::int AS connections, min(backend_start) AS since
     FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'imgstore'
     GROUP BY 1 ORDER BY 1 NULLS FIRST LIMIT $1`,
    [limit],
  );
