import { setTimeout as delay } from 'node:timers/promises';
import { urlsOfHosts } from '../../../base/config/database-hosts.js';
import { OperatorError } from '../../../base/errors/operator.js';
import { bytesPerMegabyte, counted, secondMs, sizeText, spanText } from '../../../base/units.js';
import { explainConnection, explainServer } from '../../../database/connection-error.js';
import { hostInUse } from '../../../database/data-source.js';
import { type HostState, statesOfHosts } from '../../../database/hosts.js';
import { withoutPassword } from '../../../database/postgres/check-external.js';
import {
  hasReplayed,
  logPosition,
  NotAReplica,
  Replica,
} from '../../../database/replicated-reads.js';
import { serviceDataSource } from '../../service-database.js';
import { readServerVersion } from '../../totals.js';
import { ok, problem, warning, type Check } from '../check.js';
import { type DoctorContext, Skip } from '../context.js';
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

export const hosts: Check = {
  name: 'hosts',
  title: 'Every host of the database answers, and one takes writes',
  category: 'database',
  run: async (context) => {
    const { 'database.url': url } = await context.config();
    if (url === undefined || urlsOfHosts(url).length === 1) {
      throw new Skip('there is one host (database.url)');
    }
    const states = await statesOfHosts(url);
    const those = (wanted: HostState['state']): string =>
      states.flatMap(({ state, text }) => (state === wanted ? [text] : [])).join(', ');
    const [writing, standing, down] = [those('takes writes'), those('stands by'), those('down')];
    if (writing.includes(',')) {
      return problem(
        `More than one host takes writes: ${writing}. What is written on one is missing on the others.`,
        'Stop all but the one that was promoted last, and make standbys of them again, with pg_rewind or pg_basebackup.',
      );
    }
    if (writing === '') {
      return problem(
        'No host takes writes.',
        'On one of the standby servers: SELECT pg_promote();',
      );
    }
    if (down !== '') {
      return warning(
        `Hosts that cannot be used: ${down}.`,
        `Start them as standbys, or remove them from the URL: ${context.command('config', 'set', 'database.url', 'URL')}`,
      );
    }
    const waits = await queries.waitsForStandby(await context.db());
    return ok(
      `${writing} takes writes; ${standing} ${standing.includes(',') ? 'stand' : 'stands'} by. Commits ${waits ? 'wait for a standby' : 'do not wait for one: the last ones are lost with a primary (synchronous_standby_names)'}.`,
    );
  },
};

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

/** Maximum lag of a replica, in milliseconds. */
const lagMs = 5 * secondMs;
const pollMs = 100;

export const replicas: Check = {
  name: 'replicas',
  title: 'Every replica answers, and keeps up',
  category: 'database',
  run: async (context) => {
    const { 'database.replicas': urls } = await context.config();
    if (urls.length === 0) throw new Skip('there are none (database.replicas)');
    const { id } = await context.instance.get();
    const flaws = await Promise.all(urls.map((url) => flawOf(context, url, id)));
    const found = flaws.filter((flaw) => flaw !== undefined);
    if (found.length === 0) return ok(`${counted(urls.length, 'replica')} up to date.`);
    return warning(
      `${found.join(' ')} Reads go to the primary meanwhile.`,
      `Check its log and network, and pg_stat_replication of the primary; or remove it: ${context.command('config', 'set', 'database.replicas', '')}`,
    );
  },
};

/** What is wrong with a replica, in a sentence. */
async function flawOf(
  context: DoctorContext,
  url: string,
  instanceId: string,
): Promise<string | undefined> {
  const name = `The replica ${withoutPassword(url)}`;
  const config = { ...(await context.config()), 'database.pool_size': 1 };
  const replica = new Replica(serviceDataSource(url, config));
  try {
    const session = await replica.session(instanceId);
    try {
      const position = await logPosition(await context.db());
      for (const end = Date.now() + lagMs; Date.now() < end; await delay(pollMs)) {
        if (await hasReplayed(session, position)) return undefined;
      }
    } finally {
      await session.release();
    }
    return `${name} is more than ${lagMs / secondMs} seconds behind.`;
  } catch (error) {
    if (error instanceof NotAReplica) return `${name} cannot be used: ${error.message}.`;
    return explainConnection(error, name).message;
  } finally {
    await replica.close();
  }
}

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
