import type { DataSource } from 'typeorm';
import { isClockBehind, lockClock, raiseClock } from './clock-queries.js';

/**
 * Has positions in the feed go on above the highest one: after a dump is restored into another
 * cluster, transaction ids begin anew (docs/adr/0035).
 */
export async function startFeedClock(db: DataSource): Promise<void> {
  if (!(await isClockBehind(db))) return;
  await db.transaction(async (tx) => {
    await lockClock(tx);
    await raiseClock(tx);
  });
}
