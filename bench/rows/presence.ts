import { createHash } from 'node:crypto';
import { rows } from '../../src/database/sql.js';
import type { Row } from '../harness/row.js';

/** Hashes per request, half of them known. */
const hashes = 5_000;
const budgetMs = 50;
const calls = 15;

/** Checks which of 5,000 hashes the largest user of a table has, as a device does before it uploads. */
export const presenceRow = (table: number): Row => ({
  name: `growth/presence/${table}`,
  title: `Presence of ${hashes.toLocaleString('en')} hashes in a table of ${table.toLocaleString('en')}`,
  limit: `${budgetMs} ms`,
  unit: 'ms',
  goal: { atMost: 1 },
  open: async ({ table: tableOf, load }) => {
    const service = await tableOf(table);
    const { largest: user } = await service.table(table);
    // From all over the index.
    const known = await rows<{ hash: string }>(
      service.db,
      `SELECT encode(hash, 'hex') AS hash FROM image_versions WHERE user_id = $1
       ORDER BY md5(id::text) LIMIT $2`,
      [user.id, hashes / 2],
    );
    const all = known.flatMap(({ hash }) => [
      hash,
      createHash('sha256').update(hash).digest('hex'),
    ]);
    const call = {
      method: 'POST',
      url: `${user.url}/check`,
      headers: { ...user.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ hashes: all }),
    } as const;
    const job = { clients: [[call]], until: { calls }, status: 200 };
    return { ours: async () => (await load.run(job)).median, limit: async () => budgetMs };
  },
});
