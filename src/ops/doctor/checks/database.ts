import { OperatorError } from '../../../base/errors/operator.js';
import { bytesPerMegabyte, secondMs, sizeText, spanText } from '../../../base/units.js';
import { explainServer, ping } from '../../../database/connection-error.js';
import { hostInUse } from '../../../database/data-source.js';
import { readServerVersion } from '../../totals.js';
import { ok, problem, warning, type Check } from '../check.js';
import type { DoctorContext } from '../context.js';
import * as queries from '../doctor.sql.js';
import type { ServerSetting } from '../doctor.sql.js';

export const database: Check = {
  name: 'database',
  title: 'The database answers, and imgstore can use it',
  category: 'database',
  run: async (context) => {
    await context.settings.get();
    const { db, server } = await context.database.open().catch((error: unknown) => {
      throw withCommand(context, error);
    });
    await ping(db).catch((error: unknown) => {
      throw explainServer(error) ?? error;
    });
    const host = hostInUse(db);
    const where = host === undefined ? '' : ` at ${host}`;
    return ok(`PostgreSQL ${await readServerVersion(db)}, ${server.kind}${where}.`);
  },
};

/** Adds the command that selects another server to a failure of an external one. */
function withCommand(context: DoctorContext, error: unknown): unknown {
  const known = error instanceof OperatorError ? error : explainServer(error);
  if (!known || known.setting !== 'database.url') return error;
  const { exitCode, message, setting, remedy = '' } = known;
  const command = context.command('config', 'set', 'database.url', 'URL');
  return new OperatorError(exitCode, message, {
    setting,
    cause: error,
    remedy: `On the machine of the database: systemctl start postgresql; ${remedy}: ${command}`,
  });
}

export const durability: Check = {
  name: 'durability',
  title: 'Committed data survives a power cut',
  category: 'database',
  run: async (context) => {
    const db = await context.db();
    const unsafe = await queries.selectUnsafeSettings(db);
    if (unsafe.length === 0) return ok('fsync, full_page_writes and synchronous_commit are on.');
    const database = await queries.selectDatabaseName(db);
    const statements = [
      ...unsafe.map((setting) => resetting(setting, database)),
      queries.reloading,
    ];
    return problem(
      `${unsafe.map(({ name }) => name).join(', ')} ${unsafe.length === 1 ? 'is' : 'are'} off: a power cut loses or damages stored data.`,
      await context.psql(statements),
    );
  },
};

const resetting = ({ name, source }: ServerSetting, database: string): string =>
  source === 'database'
    ? `ALTER DATABASE ${database} RESET ${name}`
    : `ALTER SYSTEM SET ${name} = on`;

/** Shares of the connections that may be in use. */
const busyShare = 0.8;
const fullShare = 0.95;

export const connections: Check = {
  name: 'connections',
  title: 'The database has connections left',
  category: 'database',
  run: async (context) => {
    const { 'database.pool_size': pool } = await context.config();
    const { usable, used } = await queries.selectConnections(await context.db());
    const less = Math.max(2, Math.floor(usable / 2));
    const fewer = context.command('config', 'set', 'database.pool_size', String(less));
    if (pool > usable) {
      return warning(
        `database.pool_size is ${pool}, but the server allows ${usable} connections in all.`,
        `${fewer}, or raise max_connections in its postgresql.conf and restart it`,
      );
    }
    const taken = `${used} of ${usable} connections are in use`;
    if (used < usable * busyShare) return ok(`${taken}.`);
    return (used < usable * fullShare ? warning : problem)(
      `${taken}; further nodes, jobs and commands will be refused.`,
      `Raise max_connections in its postgresql.conf and restart it, or give each node fewer: ${fewer}`,
    );
  },
};

/** Less is not worth an operator's time: tables that have shrunk fill up again. */
const minEmptyBytes = 64 * bytesPerMegabyte;
const emptyShare = 2 / 3;

export const bloat: Check = {
  name: 'bloat',
  title: 'Tables are vacuumed, and not mostly empty',
  category: 'database',
  run: async (context) => {
    await context.instance.get();
    const db = await context.db();
    if (!(await queries.vacuumsByItself(db))) {
      return problem(
        'autovacuum is off: tables grow without limit, until the database shuts down to protect itself.',
        await context.psql(['ALTER SYSTEM SET autovacuum = on', queries.reloading]),
      );
    }
    const [worst, ...others] = await queries.estimateBloat(db, minEmptyBytes, emptyShare);
    if (!worst) return ok('According to the statistics, no table is mostly empty.');
    const { table, bytes, empty } = worst;
    const more = others.length > 0 ? `; so are ${others.map((one) => one.table).join(', ')}` : '';
    return warning(
      `According to the statistics, ${sizeText(empty)} of ${sizeText(bytes)} of the table ${table} are empty${more}.`,
      `With the service stopped, since it locks the table: ${await context.psql([`VACUUM (FULL, ANALYZE) ${table}`])}`,
    );
  },
};

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
    const there = await queries.selectServerTime(db);
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
