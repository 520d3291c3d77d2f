import { setMaxListeners } from 'node:events';
import { readdir, readlink, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { bytesPerMegabyte } from '../../src/base/units.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { withDescendants } from '../../testkit/processes.js';
import type { CreatedUser } from '../../testkit/records.js';
import { Tally } from '../../testkit/tally.js';
import type { Target } from '../../testkit/target.js';
import { runInParallel, type Attack } from './attack.js';
import { readSlowly } from './slow-readers.js';

const readers = 32;
const pictures = 100;

/** Memos of each picture, which the table in a ZIP repeats. */
const memosEach = 8;
const memo = 'a'.repeat(9_900);

/** Pictures with memos, as far as the quota goes. @returns the path of a ZIP of all of them. */
async function fill({ client }: Target, { user_id: id, access_token: token }: CreatedUser) {
  const [path, as] = [`/api/v1/users/${id}`, ['User', token] as const];
  const quota = await client.put(path, { as, form: { max_storage_mb: '1' } });
  if (quota.status !== 200) throw new Error(quota.message);
  const ids: string[] = [];
  let day = '';
  for (let seed = 0; seed < pictures; seed += 1) {
    const image_data = filePart(await jpeg({ width: 48, height: 36, seed }));
    const { result, status, message } = await client.post<{ id: string; created_at: string }>(
      `${path}/images`,
      { as, form: { image_data } },
    );
    if (status !== 200) throw new Error(message);
    day = result.created_at.slice(0, 8);
    ids.push(result.id);
  }
  const memos = new Tally();
  const form = { message: memo, is_client: 'True' };
  for (const id of ids.flatMap((each) => Array<string>(memosEach).fill(each))) {
    memos.note(String((await client.post(`${path}/images/${id}/memos`, { as, form })).status));
  }
  const query = new URLSearchParams({
    view_type: 'list',
    download: 'True',
    search_type: 'filename',
    search: 'jpg',
    date: day,
    with_memo: 'True',
  });
  return { zip: `images?${query.toString()}`, memos };
}

/** Bytes of files in the service's scratch folder; those of scratch have no name any more. */
async function bytesIncoming({ pid, home }: Target): Promise<number> {
  const sizes = new Map<number, number>();
  for (const process of await withDescendants([pid])) {
    const folder = `/proc/${process}/fd`;
    for (const name of await readdir(folder).catch(() => [])) {
      const at = `${folder}/${name}`;
      const file = await readlink(at).catch(() => '');
      if (!file.startsWith(`${home.incoming}/`)) continue;
      const found = await stat(at).catch(() => undefined);
      if (found?.isFile()) sizes.set(found.ino, found.size);
    }
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** A user with a quota of 1 MB asks for 32 ZIPs of everything, and reads hardly anything. */
export const slowZips: Attack = {
  name: '10 slow ZIPs',
  seconds: 30,
  prepare: async (target) => {
    const user = await target.user(await target.platform());
    const { zip, memos } = await fill(target, user);
    return async (signal) => {
      setMaxListeners(0, signal);
      const statuses = new Tally();
      const reading = Array.from({ length: readers }, async () =>
        statuses.note(await readSlowly(target, user, zip, signal)),
      );
      let most = 0;
      await runInParallel(1, signal, async () => {
        most = Math.max(most, await bytesIncoming(target));
        await delay(500);
      });
      await Promise.all(reading);
      const megabytes = (most / bytesPerMegabyte).toFixed(1);
      return `incoming: ${megabytes} MB at most; ZIPs: ${statuses.toString()}; memos: ${memos.toString()}`;
    };
  },
};
