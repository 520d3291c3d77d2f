import { counted, spanText } from '../../amounts.js';
import { reclaimBacklog } from '../../reclaim/reclaim.js';
import { dayMs, hourMs, secondMs } from '../../units.js';
import { ok, problem, warning, type Check } from '../check.js';
import { selectReclaimError } from '../table-queries.js';

export const reclaim: Check = {
  name: 'reclaim',
  title: 'Objects that are no longer needed are deleted in time',
  category: 'upkeep',
  run: async (context) => {
    await context.instance.get();
    const db = await context.db();
    const { due, oldest } = await reclaimBacklog(db);
    const late = oldest === null ? 0 : Date.now() - oldest.getTime();
    if (late < hourMs) return ok(`${counted(due, 'object')} due.`);
    const reason = await selectReclaimError(db);
    const running = await context.service.get().catch(() => undefined);
    return (late < dayMs ? warning : problem)(
      `${counted(due, 'object')} should have been deleted, one for ${spanText(late / secondMs)}: they take up space.${reason === undefined ? '' : ` The latest failure: ${reason}`}`,
      running
        ? `${context.command('doctor', '--only', 'store,jobs')} shows what is wrong; the log has each failure.`
        : `They are deleted while the service runs: ${context.command('serve')}`,
    );
  },
};
