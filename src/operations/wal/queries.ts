import { row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';

export interface WalServer {
  readonly systemIdentifier: string;
  readonly timeline: number;
  /** Version number of the server, such as 150014. */
  readonly version: number;
  /** Whether a slot may make it keep WAL until its disk is full. */
  readonly unbounded: boolean;
}

/** Which server this is, in whose WAL. */
export async function selectWalServer(db: Queryable): Promise<WalServer> {
  const found = await row<WalServer>(
    db,
    `SELECT s.system_identifier::text AS "systemIdentifier",
            ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline,
            current_setting('server_version_num')::int AS version,
            current_setting('max_slot_wal_keep_size') = '-1' AS unbounded
     FROM pg_control_system() AS s`,
  );
  if (!found) throw new Error('the server says nothing of itself');
  return found;
}

/**
 * Commits a transaction that changes nothing: recovery stops only at a commit, and would not find
 * one at or after an instant since which nothing was written.
 * @returns an instant before the commit.
 */
export async function commitNothing(db: Queryable): Promise<Date> {
  const found = await row<{ at: Date }>(
    db,
    `SELECT clock_timestamp() AS at, pg_logical_emit_message(true, 'imgstore', 'archived')`,
  );
  if (!found) throw new Error('the server has no clock');
  return found.at;
}

/** Up to where WAL has been written. */
export async function selectWalPosition(db: Queryable): Promise<string> {
  const found = await row<{ position: string }>(
    db,
    'SELECT pg_current_wal_flush_lsn()::text AS position',
  );
  return found?.position ?? '0/0';
}

export interface Slot {
  readonly name: string;
  readonly active: boolean;
  /** `lost` when the server has removed what it was to keep. */
  readonly state: string | null;
  /** Bytes of WAL that the server keeps for it. */
  readonly held: number;
  /** Up to where WAL has been received. */
  readonly position: string | null;
}

/** What a server keeps WAL for, as far as it is ours. */
export const selectSlots = (db: Queryable): Promise<Slot[]> =>
  rows(
    db,
    `SELECT slot_name AS name, active, wal_status AS state, restart_lsn::text AS position,
            greatest(coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0), 0)::float8
              AS held
     FROM pg_replication_slots WHERE slot_name LIKE 'imgstore\\_wal\\_%' ORDER BY slot_name`,
  );

/** Whether WAL has been received up to a position. */
export async function hasReceived(db: Queryable, slot: string, position: string): Promise<boolean> {
  const found = await row<{ received: boolean | null }>(
    db,
    `SELECT restart_lsn >= $2::pg_lsn AS received FROM pg_replication_slots WHERE slot_name = $1`,
    [slot, position],
  );
  return found?.received === true;
}

/** As a superuser: ends who receives for a slot, such as a program whose imgstore was killed. */
export const endReceiving = (slot: string): string =>
  `SELECT pg_terminate_backend(active_pid, 10000) FROM pg_replication_slots
   WHERE slot_name = '${slot}' AND active_pid IS NOT NULL`;

/** As a superuser. */
export const dropSlot = (slot: string): string =>
  `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots
   WHERE slot_name = '${slot}'`;

/** As a superuser: how much WAL the server keeps for slots at most. */
export const boundSlots = (size: string): readonly string[] => [
  `ALTER SYSTEM SET max_slot_wal_keep_size = '${size}'`,
  'SELECT pg_reload_conf()',
];

/** Which of these versions there are. */
export async function selectLiving(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    db,
    'SELECT id FROM image_versions WHERE id = ANY ($1::uuid[])',
    [ids],
  );
  return new Set(found.map(({ id }) => id));
}
