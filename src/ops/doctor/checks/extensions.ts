import { requiredExtensions } from '../../../database/postgres/engine.js';
import { ok, warning, type Check } from '../check.js';
import { Skip } from '../needed.js';
import { psql } from '../psql.js';
import { selectOutdatedExtensions, selectPostgisVersion } from '../server.sql.js';

export const extensions: Check = {
  name: 'extensions',
  title: 'PostGIS and the other extensions match their libraries',
  category: 'database',
  run: async (context) => {
    const db = await context.db();
    const postgis = await selectPostgisVersion(db);
    if (postgis === undefined) throw new Skip('the database has no tables of imgstore yet');
    const outdated = await selectOutdatedExtensions(db, requiredExtensions);
    if (outdated.length === 0) return ok(`PostGIS ${postgis}.`);
    const what = outdated.map(
      ({ name, installed, available }) => `${name} is ${installed}, its library is ${available}`,
    );
    const statements = outdated.map(({ name }) => `ALTER EXTENSION ${name} UPDATE`);
    return warning(`${what.join('; ')}.`, await psql(context, statements));
  },
};
