import { counted } from '../../../base/units.js';
import { forSqlAlone, whileOpen } from '../../../database/data-source.js';
import { isMigrated, migrationStatus, pendingMigrations } from '../../../database/migrations.js';
import { requiredExtensions } from '../../../database/postgres/engine.js';
import {
  partName,
  type SchemaDefect,
  findDefectsUnlessLocked,
  repairSchema,
} from '../../schema.js';
import { ok, problem, warning, type Check } from '../check.js';
import {
  rebuildByCollation,
  selectDrift,
  selectOutdatedExtensions,
  selectPostgisVersion,
} from '../doctor.sql.js';
import { Skip, type DoctorContext } from '../context.js';

export const migrations: Check = {
  name: 'migrations',
  title: 'The database schema matches this program',
  category: 'database',
  run: async (context) => {
    const db = await context.db();
    const pending = await pendingMigrations(db);
    const { length: all } = await migrationStatus(db);
    if (pending.length === 0) return ok(`${counted(all, 'migration')} applied.`);
    const what = (await isMigrated(db))
      ? `${counted(pending.length, 'migration')} not yet applied: ${pending.join(', ')}`
      : 'The database has no tables of imgstore yet';
    return problem(`${what}.`, context.command('migrate'));
  },
};

const repair = (context: DoctorContext): string =>
  context.command('verify', 'accounts', '--repair');

/** Names listed in full; the rest are only counted. */
const maxNamed = 8;

export const indexes: Check = {
  name: 'indexes',
  title: 'Indexes, constraints, triggers and functions exist, and are valid',
  category: 'database',
  run: async (context) => {
    const db = await context.db();
    if ((await pendingMigrations(db)).length > 0) throw new Skip('migrations are pending');
    const defects = await findDefectsUnlessLocked(db);
    if (!defects) throw new Skip('a table is locked; try again later');
    const broken = defects.filter(({ what }) => what !== 'different');
    if (broken.length > 0) return problem(`${listed(broken)}.`, repair(context));
    if (defects.length === 0) return ok('All are as the migrations created them.');
    return warning(
      `${listed(defects)}: not as the migrations created ${defects.length === 1 ? 'it' : 'them'}.`,
      `Drop unintended ones, and create them again: ${repair(context)}`,
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
    return warning(`${what.join('; ')}.`, await context.psql(statements));
  },
};

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
  fix: async (context) =>
    whileOpen(forSqlAlone(await context.db()), async (own) => {
      let indexes = 0;
      for (const drift of await selectDrift(own)) indexes += await rebuildByCollation(own, drift);
      return `Rebuilt ${counted(indexes, 'index', 'indexes')}.`;
    }),
};
