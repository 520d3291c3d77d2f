import type { DataSource } from 'typeorm';
import { isClockBehind, lockClock, raiseClock } from './clock.sql.js';

/**
 * Makes positions in the feed continue above the highest one: after a dump is restored into another
 * cluster, transaction ids start over (docs/adr/0035).
 */
export async function startFeedClock(db: DataSource): Promise<void> {
  if (!(await isClockBehind(db))) return;
  await db.transaction(async (tx) => {
    await lockClock(tx);
    await raiseClock(tx);
  });
}
