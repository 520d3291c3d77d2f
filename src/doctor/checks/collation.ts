import { counted } from '../../amounts.js';
import { forSqlAlone } from '../../database/data-source.js';
import { ok, problem, type Check } from '../check.js';
import { rebuildByCollation, selectDrift } from '../collation-queries.js';

export const collation: Check = {
  name: 'collation',
  title: 'Indexes of texts are sorted as the server sorts now',
  category: 'database',
  run: async (context) => {
    const drifts = await selectDrift(await context.db());
    if (drifts.length === 0) return ok('No sort order has changed since.');
    const what = drifts.map(
      ({ name, recorded, actual }) => `${name} was ${recorded} and is now ${actual}`,
    );
    return problem(
      `The rules by which texts are sorted have changed (an upgrade of ICU or the C library): ${what.join('; ')}. Until their indexes are built again, names may be missing from lists, or twice there.`,
      `${context.command('doctor', '--only', 'collation', '--fix')} builds them again while the service runs`,
    );
  },
  fix: async (context) => {
    const own = await forSqlAlone(await context.db()).initialize();
    try {
      let indexes = 0;
      for (const drift of await selectDrift(own)) indexes += await rebuildByCollation(own, drift);
      return `Built ${counted(indexes, 'index', 'indexes')} again.`;
    } finally {
      await own.destroy();
    }
  },
};
