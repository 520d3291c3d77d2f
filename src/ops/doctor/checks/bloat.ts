import { sizeText, bytesPerMegabyte } from '../../../base/units.js';
import { ok, problem, warning, type Check } from '../check.js';
import { psql } from '../psql.js';
import { reloading } from '../server.sql.js';
import { estimateBloat, vacuumsByItself } from '../table.sql.js';

/** Less is not worth an operator's time: tables that have shrunk fill up again. */
const minBytes = 64 * bytesPerMegabyte;
const share = 2 / 3;

export const bloat: Check = {
  name: 'bloat',
  title: 'Tables are vacuumed, and not mostly empty',
  category: 'database',
  run: async (context) => {
    await context.instance.get();
    const db = await context.db();
    if (!(await vacuumsByItself(db))) {
      return problem(
        'autovacuum is off: tables grow without limit, until the database shuts down to protect itself.',
        await psql(context, ['ALTER SYSTEM SET autovacuum = on', reloading]),
      );
    }
    const [worst, ...others] = await estimateBloat(db, minBytes, share);
    if (!worst) return ok('According to the statistics, no table is mostly empty.');
    const { table, bytes, empty } = worst;
    const more = others.length > 0 ? `; so are ${others.map((one) => one.table).join(', ')}` : '';
    return warning(
      `According to the statistics, ${sizeText(empty)} of ${sizeText(bytes)} of the table ${table} are empty${more}.`,
      `With the service stopped, since it locks the table: ${await psql(context, [`VACUUM (FULL, ANALYZE) ${table}`])}`,
    );
  },
};
