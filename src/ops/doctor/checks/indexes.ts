import { migrationStatus } from '../../../database/migrations.js';
import { partName, type SchemaDefect } from '../../schema/defects.js';
import { repairSchema } from '../../schema/repair.js';
import { findDefectsUnlessLocked } from '../../schema/require.js';
import { ok, problem, warning, type Check } from '../check.js';
import { Skip } from '../needed.js';

/** Names listed in full; the rest are only counted. */
const maxNamed = 8;

export const indexes: Check = {
  name: 'indexes',
  title: 'Indexes, constraints, triggers and functions exist, and are valid',
  category: 'database',
  run: async (context) => {
    const db = await context.db();
    const states = await migrationStatus(db);
    if (states.some(({ appliedAt }) => !appliedAt)) throw new Skip('migrations are pending');
    const defects = await findDefectsUnlessLocked(db);
    if (!defects) throw new Skip('a table is locked; try again later');
    const broken = defects.filter(({ what }) => what !== 'different');
    if (broken.length > 0) return problem(`${listed(broken)}.`, context.command('migrate'));
    if (defects.length === 0) return ok('All are as the migrations created them.');
    return warning(
      `${listed(defects)}: not as the migrations created ${defects.length === 1 ? 'it' : 'them'}.`,
      `Drop unintended ones, and create them again: ${context.command('migrate')}`,
    );
  },
  fix: async (context) => {
    const repaired = await repairSchema(await context.db(), () => undefined);
    return repaired.length > 0 ? `Repaired ${repaired.join(', ')}.` : 'Nothing could be repaired.';
  },
};

function listed(defects: readonly SchemaDefect[]): string {
  const names = defects.map(({ part, what }) => `${partName(part)} is ${what}`);
  const more = names.length - maxNamed;
  return names.slice(0, maxNamed).join(', ') + (more > 0 ? `, and ${more} more` : '');
}
