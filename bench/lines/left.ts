import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { minuteMs } from '../../src/base/units.js';
import type { Installation } from '../../testkit/installation.js';
import { keysIn, unfinishedIn } from '../../testkit/s3.js';
import { uploadsIn } from '../../testkit/temporary.js';

/** The jobs of the nodes run every minute, and need two runs: to end uploads, then to delete objects. */
const jobsMs = 5 * minuteMs;
const pollMs = 2_000;

const countsSql = `
  SELECT (SELECT count(*) FROM resumable_uploads WHERE state = 'receiving')::int AS "open uploads",
         (SELECT count(*) FROM resumable_pieces)::int AS "pieces in tables",
         (SELECT count(*) FROM object_reclaim)::int AS "keys to be reclaimed",
         (SELECT coalesce(sum(announced_bytes), 0) FROM users)::int AS "announced bytes"`;

const laterSql = [
  `UPDATE resumable_uploads SET expires_at = now() - interval '1 s'
   WHERE state = 'receiving' AND received < length AND expires_at > now()`,
  'UPDATE object_reclaim SET not_before = now() WHERE not_before > now()',
];

/** Where something may be left. */
type Places = Pick<Installation, 'homes' | 'bucket'>;

/**
 * Waits until the jobs of the nodes have reclaimed what was left of uploads.
 * @returns what is still there.
 */
export async function leftOf(places: Places, db: pg.Client): Promise<string[]> {
  const end = Date.now() + jobsMs;
  for (;;) {
    await letTimePass(db);
    const left = await leftNow(places, db);
    if (left.length === 0 || Date.now() > end) return left;
    await delay(pollMs);
  }
}

/** Lets the time pass after which open uploads end, and objects are deleted. */
export async function letTimePass(db: pg.Client): Promise<void> {
  for (const sql of laterSql) await db.query(sql);
}

/** What is there of uploads that are over. */
export async function leftNow({ bucket, homes }: Places, db: pg.Client): Promise<string[]> {
  const { rows } = await db.query<Record<string, number>>(countsSql);
  const counts = new Map(Object.entries(rows[0] ?? {}));
  counts.set('unfinished uploads in S3', (await unfinishedIn(bucket)).length);
  counts.set('pieces in the store', await piecesIn(bucket));
  const incoming = await Promise.all(homes.map((home) => uploadsIn(home.incoming)));
  counts.set('files in incoming', incoming.flat().length);
  return [...counts].filter(([, count]) => count > 0).map(([what, n]) => `${n} ${what} are left`);
}

async function piecesIn(bucket: Places['bucket']): Promise<number> {
  let pieces = 0;
  for await (const keys of keysIn(bucket)) {
    pieces += keys.filter((key) => key.endsWith('piece.bin')).length;
  }
  return pieces;
}
