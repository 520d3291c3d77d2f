import type { DataSource } from 'typeorm';
import { asSuperuser } from '../../database/postgres/connect.js';
import { rows, type Queryable } from '../../database/sql.js';

export interface ReplicationSlot {
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
