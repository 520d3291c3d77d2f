import { counted } from '../../../base/units.js';
import { migrationStatus } from '../../../database/migrations.js';
import { ok, problem, type Check } from '../check.js';

export const migrations: Check = {
  name: 'migrations',
  title: 'The database schema matches this program',
  category: 'database',
  run: async (context) => {
    const states = await migrationStatus(await context.db());
    const pending = states.filter(({ appliedAt }) => !appliedAt).map(({ name }) => name);
    if (pending.length === 0) return ok(`${counted(states.length, 'migration')} applied.`);
    const what =
      pending.length === states.length
        ? 'The database has no tables of imgstore yet'
        : `${counted(pending.length, 'migration')} not yet applied: ${pending.join(', ')}`;
    return problem(`${what}.`, context.command('migrate'));
  },
};
