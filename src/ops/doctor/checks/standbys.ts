import { setTimeout as delay } from 'node:timers/promises';
import { urlsOfHosts } from '../../../base/config/database-hosts.js';
import { counted, secondMs } from '../../../base/units.js';
import { explainConnection } from '../../../database/connection-error.js';
import { type HostState, statesOfHosts } from '../../../database/hosts.js';
import { withoutPassword } from '../../../database/postgres/check-external.js';
import {
  hasReplayed,
  logPosition,
  NotAReplica,
  Replica,
} from '../../../database/replicated-reads.js';
import { serviceDataSource } from '../../service-database.js';
import { ok, problem, warning, type Check, type Diagnosis } from '../check.js';
import { type DoctorContext, Skip } from '../context.js';
import * as queries from '../doctor.sql.js';

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
    return rolesOf(context, states) ?? (await followingOf(context, states));
  },
};

const named = (states: readonly HostState[], wanted: HostState['state']): string =>
  states.flatMap(({ state, text }) => (state === wanted ? [text] : [])).join(', ');

/** What is wrong with who takes writes and who does not. */
function rolesOf(context: DoctorContext, states: readonly HostState[]): Diagnosis | undefined {
  const writing = named(states, 'takes writes');
  const down = named(states, 'down');
  if (writing.includes(',')) {
    return problem(
      `More than one host takes writes: ${writing}. What is written on one is missing on the others.`,
      'Stop all but the one that was promoted last, and make standbys of them again, with pg_rewind or pg_basebackup.',
    );
  }
  if (writing === '') {
    return problem('No host takes writes.', 'On one of the standby servers: SELECT pg_promote();');
  }
  if (down === '') return undefined;
  return warning(
    `Hosts that cannot be used: ${down}.`,
    `Start them as standbys, or remove them from the URL: ${context.command('config', 'set', 'database.url', 'URL')}`,
  );
}

/** Whether the standbys keep up, and commits wait for them. */
async function followingOf(
  context: DoctorContext,
  states: readonly HostState[],
): Promise<Diagnosis> {
  const [writing, standing] = [named(states, 'takes writes'), named(states, 'stands by')];
  const standbys = states.filter(({ state }) => state === 'stands by');
  const flaws = await flawsOf(
    context,
    standbys.map(({ url, text }) => [`The host ${text}`, url]),
  );
  if (flaws !== '') {
    return warning(
      `${writing} takes writes. ${flaws}`,
      'Check the log and the network of the host that is behind, and pg_stat_replication of the one that takes writes.',
    );
  }
  if (!(await queries.waitsForStandby(await context.db()))) {
    return warning(
      `${writing} takes writes, and commits do not wait for ${standing}: the last ones are lost with it.`,
      `With Patroni, synchronous_mode: true; otherwise: ${await context.psql([`ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'`, queries.reloading])}`,
    );
  }
  return ok(
    `${writing} takes writes; ${standing} ${standing.includes(',') ? 'stand' : 'stands'} by, up to date. Commits wait for a standby.`,
  );
}

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
    const flaws = await flawsOf(
      context,
      urls.map((url) => [`The replica ${withoutPassword(url)}`, url]),
    );
    if (flaws === '') return ok(`${counted(urls.length, 'replica')} up to date.`);
    return warning(
      `${flaws} Reads go to the primary meanwhile.`,
      `Check its log and network, and pg_stat_replication of the primary; or remove it: ${context.command('config', 'set', 'database.replicas', '')}`,
    );
  },
};

/** What is wrong with these standby servers, in sentences. */
async function flawsOf(
  context: DoctorContext,
  servers: readonly (readonly [name: string, url: string])[],
): Promise<string> {
  const { id } = await context.instance.get();
  const flaws = servers.map(([name, url]) => flawOf(context, [name, url], id));
  return (await Promise.all(flaws)).filter((flaw) => flaw !== undefined).join(' ');
}

async function flawOf(
  context: DoctorContext,
  [name, url]: readonly [name: string, url: string],
  instanceId: string,
): Promise<string | undefined> {
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
