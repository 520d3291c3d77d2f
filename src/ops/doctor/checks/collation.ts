import { counted } from '../../../base/units.js';
import { forSqlAlone } from '../../../database/data-source.js';
import { ok, problem, type Check } from '../check.js';
import { rebuildByCollation, selectDrift } from '../collation.sql.js';

export const collation: Check = {
  name: 'collation',
  title: 'Indexes of texts match the current sort order of the server',
  category: 'database',
  run: async (context) => {
    const drifts = await selectDrift(await context.db());
    if (drifts.length === 0) return ok('No sort order has changed.');
    const what = drifts.map(
      ({ name, recorded, actual }) => `${name} was ${recorded} and is now ${actual}`,
    );
    return problem(
      `The sort order of texts has changed (by an upgrade of ICU or the C library): ${what.join('; ')}. Until their indexes are rebuilt, names may be missing from lists, or appear twice.`,
      `${context.command('doctor', '--only', 'collation', '--fix')} rebuilds them while the service runs`,
    );
  },
  fix: async (context) => {
    const own = await forSqlAlone(await context.db()).initialize();
    try {
      let indexes = 0;
      for (const drift of await selectDrift(own)) indexes += await rebuildByCollation(own, drift);
      return `Rebuilt ${counted(indexes, 'index', 'indexes')}.`;
    } finally {
      await own.destroy();
    }
  },
};
