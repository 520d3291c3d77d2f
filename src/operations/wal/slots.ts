import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { asSuperuser } from '../../postgres/connect.js';
import { boundSlots, dropSlot, endReceiving, selectSlots } from './queries.js';
import type { Slot } from './queries.js';

/** At most this much WAL is kept for a receiver that is away, unless the server has a limit already. */
const kept = '4GB';

/** The slot of a stretch; ids of stretches end with eight hexadecimal digits. */
export const slotOf = (stretchId: string): string => `imgstore_wal_${stretchId.slice(-8)}`;

export const newStretchId = (now: Date): string =>
  `${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}`;

/** What the server keeps WAL for. */
export const walSlots = (db: DataSource): Promise<Slot[]> => selectSlots(db);

/** A server without a limit would keep WAL until its disk is full. */
export const boundWal = (superuserUrl: string): Promise<void> =>
  asSuperuser(superuserUrl, boundSlots(kept));

/** Ends the programs that killed processes left, and drops all slots but one. */
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
    ...[...own, ...others].map(({ name }) => endReceiving(name)),
    ...others.map(({ name }) => dropSlot(name)),
  ]);
}
