import { once, setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { loadSettings } from '../../src/base/config/load.js';
import { createDataSource } from '../../src/database/data-source.js';
import { openDatabase } from '../../src/database/postgres/provision.js';
import { seedImages } from '../../testkit/image-rows.js';
import { dial } from '../../testkit/raw.js';
import type { Member } from '../../testkit/world.js';
import { Tally } from '../../testkit/tally.js';
import type { Appliance } from '../../testkit/appliance.js';
import { runInParallel, type Attack } from './attack.js';

/** Bytes that a reader takes each second. */
const pace = 8 * 1024;

/** Reads a snapshot at that pace until the signal. @returns its status. */
async function readSlowly(target: Appliance, user: Member, signal: AbortSignal): Promise<string> {
  const socket = await dial(`http://127.0.0.1:${target.port}`);
  const { id, token } = user;
  socket.write(
    `GET /api/v1/users/${id}/snapshot HTTP/1.1\r\nHost: x\r\nAuthorization: User ${token}\r\n\r\n`,
  );
  try {
    await once(socket, 'readable', { signal });
    const begun = socket.read(12) as Buffer | null;
    while (!signal.aborted && !socket.destroyed) {
      await delay(1_000);
      socket.read(Math.min(pace, socket.readableLength));
    }
    return begun?.toString('latin1').slice(-3) ?? 'closed';
  } catch {
    return 'unanswered';
  } finally {
    socket.destroy();
  }
}

/** Inserts rows of images with long names, so that a snapshot is larger than all buffers. */
async function fill(target: Appliance, users: readonly Member[]) {
  const { home } = target;
  const flags = {};
  const { values: config } = await loadSettings({ flags, env: {}, home });
  const url = config['database.url'];
  const database = await openDatabase({ home, url, report: () => undefined });
  const db = await createDataSource({
    url: database.url,
    poolSize: 1,
    statementTimeoutMs: 0,
    entities: [],
    migrations: [],
  }).initialize();
  const images = Array.from({ length: 250 }, () => ({ filename: 'a'.repeat(30_000) }));
  for (const user of users) await seedImages({ db }, user, images);
  await db.destroy();
  await database.close();
}

/** Ten users ask for four snapshots each, and read hardly anything. */
export const slowReaders: Attack = {
  name: '7 slow readers',
  seconds: 60,
  prepare: async (target) => {
    const platform = await target.world.platform();
    const users = await Promise.all(Array.from({ length: 10 }, () => platform.user()));
    await fill(target, users);
    return async (signal) => {
      setMaxListeners(0, signal);
      const [statuses, ready] = [new Tally(), new Tally()];
      const reading = users.flatMap((user) =>
        Array.from({ length: 4 }, async () =>
          statuses.note(await readSlowly(target, user, signal)),
        ),
      );
      await runInParallel(1, signal, async () => {
        await delay(1_000);
        ready.note(String((await target.client.raw('GET', '/readyz')).status));
      });
      await Promise.all(reading);
      return `snapshots: ${statuses.toString()}; /readyz: ${ready.toString()}`;
    };
  },
};
