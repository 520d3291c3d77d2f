import { spanText, secondMs } from '../../../base/units.js';
import { ok, problem, warning, type Check } from '../check.js';
import { selectServerTime } from '../server.sql.js';

/** Difference from which leases and tokens end early, and from which the service breaks. */
const noticeableMs = 5 * secondMs;
const harmfulMs = 60 * secondMs;

export const clockDatabase: Check = {
  name: 'clock-database',
  title: 'The clocks of this machine and of the database agree',
  category: 'database',
  run: async (context) => {
    const db = await context.db();
    const before = Date.now();
    const there = await selectServerTime(db);
    const tookMs = Date.now() - before;
    const aheadMs = there.getTime() - (before + tookMs / 2);
    // Half of the round-trip time cannot be distinguished from a difference.
    const offMs = Math.max(0, Math.abs(aheadMs) - tookMs / 2);
    if (offMs < noticeableMs)
      return ok(`They differ by less than ${spanText(offMs / secondMs + 1)}.`);
    return (offMs < harmfulMs ? warning : problem)(
      `The clock of the database is ${spanText(offMs / secondMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'} that of this machine: tokens, signed URLs and jobs are early or late.`,
      'On both machines: timedatectl set-ntp true',
    );
  },
};
