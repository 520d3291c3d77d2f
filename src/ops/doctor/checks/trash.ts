import { ok, problem, type Check } from '../check.js';
import { holdsExpiredTrash } from '../table.sql.js';

/** Days that trash may exceed its retention: the job runs once a day. */
const graceDays = 3;

export const trash: Check = {
  name: 'trash',
  title: 'The trash is emptied in time',
  category: 'upkeep',
  run: async (context) => {
    const { 'trash.retention_days': days } = await context.config();
    await context.instance.get();
    if (days === 0) return ok('It is kept until a user empties it (trash.retention_days is 0).');
    if (!(await holdsExpiredTrash(await context.db(), days + graceDays))) {
      return ok(`It is kept for ${days} days.`);
    }
    return problem(
      `The trash holds images or folders that should have been deleted after ${days} days (trash.retention_days).`,
      `Keep the service running at night, when it is emptied; to see whose it is: ${context.command('trash', 'list')}; to empty it now: ${context.command('trash', 'empty', '--user', 'ID')}`,
    );
  },
};
