import { setTimeout as delay } from 'node:timers/promises';
import { counted, secondMs } from '../../../base/units.js';
import { explainConnection } from '../../../database/operator-errors.js';
import {
  hasReplayed,
  logPosition,
  NotAReplica,
  Replica,
} from '../../../database/replicated-reads.js';
import { withoutPassword } from '../../../database/postgres/check-external.js';
import { serviceDataSource } from '../../service-database.js';
import { ok, warning, type Check } from '../check.js';
import type { DoctorContext } from '../context.js';
import { Skip } from '../needed.js';

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
