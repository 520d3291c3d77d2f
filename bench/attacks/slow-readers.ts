import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { loadSettings } from '../../src/base/config/load.js';
import { openDatabase } from '../../src/database/postgres/provision.js';
import { seedImages } from '../../testkit/image-rows.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { withDescendants } from '../../testkit/processes.js';
import { dial } from '../../testkit/raw.js';
import type { CreatedUser } from '../../testkit/records.js';
import { Tally } from '../../testkit/tally.js';
import type { Target } from '../../testkit/target.js';
import { runInParallel, type Attack } from './attack.js';

/** Bytes that a reader takes each second. */
const pace = 8 * 1024;

/** Reads a response at that pace until the signal. @returns its status. */
async function readSlowly(
  target: Target,
  user: CreatedUser,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  const socket = await dial(`http://127.0.0.1:${target.port}`);
  const { user_id: id, access_token: token } = user;
  socket.write(
    `GET /api/v1/users/${id}/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: User ${token}\r\n\r\n`,
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
async function fill(target: Target, users: readonly CreatedUser[], platformId: string) {
  const { home } = target;
  const flags = {};
  const { values: config } = await loadSettings({ flags, env: {}, home });
  const url = config['database.url'];
  const database = await openDatabase({ home, url, report: () => undefined });
  const db = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  const images = Array.from({ length: 250 }, () => ({ filename: 'a'.repeat(30_000) }));
  for (const { user_id: id } of users) await seedImages({ db }, { platformId, id }, images);
  await db.destroy();
  await database.close();
}

/** Ten users ask for four snapshots each, and read hardly anything. */
export const slowReaders: Attack = {
  name: '9 slow readers',
  seconds: 60,
  prepare: async (target) => {
    const platform = await target.platform();
    const users = await Promise.all(Array.from({ length: 10 }, () => target.user(platform)));
    await fill(target, users, platform.id);
    return async (signal) => {
      const [statuses, ready] = [new Tally(), new Tally()];
      const reading = users.flatMap((user) =>
        Array.from({ length: 4 }, async () =>
          statuses.note(await readSlowly(target, user, 'snapshot', signal)),
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

/** Bytes of the open files of a service in its home, deleted ones, too, but for the database's. */
async function openBytes(target: Target): Promise<number> {
  const files = new Map<number, number>();
  for (const pid of await withDescendants([target.pid])) {
    const folder = `/proc/${pid}/fd`;
    for (const name of await readdir(folder).catch(() => [])) {
      const file = await stat(`${folder}/${name}`).catch(() => undefined);
      if (file?.isFile() && file.uid === process.getuid?.()) files.set(file.ino, file.size);
    }
  }
  return [...files.values()].reduce((sum, size) => sum + size, 0);
}

/** A user with a quota of 1 MB attaches as much text as is accepted, and reads 32 ZIPs slowly. */
export const slowArchives: Attack = {
  name: 'A slow archives',
  seconds: 60,
  prepare: async (target) => {
    const platform = await target.platform();
    const user = await target.user(platform);
    const as = ['User', user.access_token] as const;
    const images = `/api/v1/users/${user.user_id}/images`;
    await target.client.put(`/api/v1/users/${user.user_id}`, { as, form: { max_storage_mb: '1' } });
    const picture = filePart(await jpeg({ width: 64, height: 64 }));
    const texts = new Tally();
    for (let n = 0; n < 8; n += 1) {
      const { result } = await target.client.post<{ id: string }>(images, {
        as,
        form: { image_data: picture },
      });
      for (let m = 0; m < 100; m += 1) {
        const form = { message: 'a'.repeat(10_000), is_client: 'True' };
        const memos = `${images}/${result.id}/memos`;
        texts.note(String((await target.client.post(memos, { as, form })).status));
      }
    }
    return async (signal) => {
      const statuses = new Tally();
      let most = 0;
      const path = 'images?view_type=list&download=True';
      const before = await openBytes(target);
      const reading = Array.from({ length: 32 }, async () =>
        statuses.note(await readSlowly(target, user, path, signal)),
      );
      await runInParallel(1, signal, async () => {
        await delay(1_000);
        most = Math.max(most, (await openBytes(target)) - before);
      });
      await Promise.all(reading);
      const held = `${(most / 1_000_000).toFixed(1)} MB held`;
      return `texts: ${texts.toString()}; ZIPs: ${statuses.toString()}; ${held}`;
    };
  },
};
