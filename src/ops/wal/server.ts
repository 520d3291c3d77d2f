import type { DataSource } from 'typeorm';
import { asSuperuser } from '../../database/postgres/connect.js';
import { onlyRow, onlyValue, type Queryable, rows, value } from '../../database/sql.js';

export interface WalServer {
  readonly systemIdentifier: string;
  readonly timeline: number;
  /** Version number of the server, such as 150014. */
  readonly version: number;
  /** Whether a slot may retain WAL until the disk is full. */
  readonly unbounded: boolean;
}

/** Identifies the server, as its WAL does. */
export const selectWalServer = (db: Queryable): Promise<WalServer> =>
  onlyRow(
    db,
    `SELECT s.system_identifier::text AS "systemIdentifier",
            ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline,
            current_setting('server_version_num')::int AS version,
            current_setting('max_slot_wal_keep_size') = '-1' AS unbounded
     FROM pg_control_system() AS s`,
  );

/**
 * Commits a transaction that changes nothing: recovery stops only at a commit, and would find none
 * after an instant that no write follows.
 * @returns an instant before the commit.
 */
export async function commitEmpty(db: Queryable): Promise<Date> {
  const { at } = await onlyRow<{ at: Date }>(
    db,
    `SELECT clock_timestamp() AS at, pg_logical_emit_message(true, 'imgstore', 'archived')`,
  );
  return at;
}

/** The position up to which WAL has been written. */
export const selectWalPosition = (db: Queryable): Promise<string> =>
  onlyValue(db, 'SELECT pg_current_wal_flush_lsn()::text AS position');

/** Whether WAL has been received up to a position. */
export async function hasReceived(db: Queryable, slot: string, position: string): Promise<boolean> {
  const found = await value<boolean | null>(
    db,
    `SELECT restart_lsn >= $2::pg_lsn AS received FROM pg_replication_slots WHERE slot_name = $1`,
    [slot, position],
  );
  return found === true;
}

interface ReplicationSlot {
  readonly name: string;
  readonly active: boolean;
  /** `lost` if the server has removed required WAL. */
  readonly state: string | null;
  /** Bytes of WAL that the server retains for it. */
  readonly held: number;
  /** The position up to which WAL has been received. */
  readonly position: string | null;
}

/** The replication slots of imgstore. */
export const selectSlots = (db: Queryable): Promise<ReplicationSlot[]> =>
  rows(
    db,
    `SELECT slot_name AS name, active, wal_status AS state, restart_lsn::text AS position,
            greatest(coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0), 0)::float8
              AS held
     FROM pg_replication_slots WHERE slot_name LIKE 'imgstore\\_wal\\_%' ORDER BY slot_name`,
  );

/** The slot of a stretch; ids of stretches end with eight hexadecimal digits. */
export const slotOf = (stretchId: string): string => `imgstore_wal_${stretchId.slice(-8)}`;

/** A server without a limit would retain WAL for a disconnected receiver until its disk is full. */
export const limitRetainedWal = (superuserUrl: string): Promise<void> =>
  asSuperuser(superuserUrl, [
    `ALTER SYSTEM SET max_slot_wal_keep_size = '4GB'`,
    'SELECT pg_reload_conf()',
  ]);

/** Terminates the receivers that killed processes left, and drops all slots but one. */
export async function freeSlots(
  db: DataSource,
  superuserUrl: string,
  keep: string | undefined,
): Promise<void> {
  const slots = await selectSlots(db);
  const others = slots.filter(({ name }) => name !== keep);
  const own = slots.filter(({ name }) => name === keep);
  await asSuperuser(superuserUrl, [
    ...[...own, ...others].map(({ name }) => terminateReceiver(name)),
    ...others.map(({ name }) => dropSlot(name)),
  ]);
}

const terminateReceiver = (slot: string): string =>
  `SELECT pg_terminate_backend(active_pid, 10000) FROM pg_replication_slots
   WHERE slot_name = '${slot}' AND active_pid IS NOT NULL`;

const dropSlot = (slot: string): string =>
  `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots
   WHERE slot_name = '${slot}'`;
