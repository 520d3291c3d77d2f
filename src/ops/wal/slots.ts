import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { asSuperuser } from '../../database/postgres/connect.js';
import { limitSlots, dropSlot, terminateReceiver, selectSlots } from './wal.sql.js';
import type { ReplicationSlot } from './wal.sql.js';

/** Maximum WAL retained for a disconnected receiver, unless the server has a limit already. */
const kept = '4GB';

/** The slot of a stretch; ids of stretches end with eight hexadecimal digits. */
export const slotOf = (stretchId: string): string => `imgstore_wal_${stretchId.slice(-8)}`;

export const newStretchId = (now: Date): string =>
  `${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`;

/** The replication slots of imgstore. */
export const walSlots = (db: DataSource): Promise<ReplicationSlot[]> => selectSlots(db);

/** A server without a limit would retain WAL until its disk is full. */
export const limitRetainedWal = (superuserUrl: string): Promise<void> =>
  asSuperuser(superuserUrl, limitSlots(kept));

/** Terminates the receivers that killed processes left, and drops all slots but one. */
export async function freeSlots(
  db: DataSource,
  superuserUrl: string,
  keep: string | undefined,
): Promise<void> {
  const slots = await selectSlots(db);
  const [own, others] = [
    slots.filter(({ name }) => name === keep),
    slots.filter(({ name }) => name !== keep),
  ];
  await asSuperuser(superuserUrl, [
    ...[...own, ...others].map(({ name }) => terminateReceiver(name)),
    ...others.map(({ name }) => dropSlot(name)),
  ]);
}
