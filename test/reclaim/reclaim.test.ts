import assert from 'node:assert/strict';
import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import {
  endWaits,
  mostWaiting,
  reclaimBacklog,
  reclaimOnce,
  remainingObjects,
  undeletableObjects,
  waitingObjects,
} from '../../src/library/reclaim/reclaim.js';
import { insertUser } from '../../testkit/insert-user.js';
import { migratedSource } from '../../testkit/migrated-source.js';
import { newKey, putBytes } from '../../testkit/store/harness.js';
import { makeLocalStore } from '../../testkit/store/local-harness.js';

interface Row {
  readonly key: string;
  readonly attempts: number;
  readonly last_error: string | null;
  /** Seconds until its next attempt. */
  readonly wait: number;
}

const harness = await makeLocalStore();
after(() => harness.cleanup());
const dataSource = await migratedSource({ after });

describe('reclaiming objects', () => {
  afterEach(() => dataSource.query('TRUNCATE object_reclaim'));

  /** Lists keys for reclaim, due `seconds` from now. */
  const enqueue = (keys: readonly string[], seconds = -1): Promise<unknown> =>
    dataSource.query(
      `INSERT INTO object_reclaim (key, not_before)
       SELECT key, now() + $2 * interval '1 second' FROM unnest($1::text[]) AS key`,
      [keys, seconds],
    );
  const rows = (): Promise<Row[]> =>
    dataSource.query<Row[]>(
      `SELECT key, attempts, last_error,
         extract(epoch FROM not_before - now())::float8 AS wait FROM object_reclaim ORDER BY key`,
    );
  const putMany = (count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, () => putBytes(harness, 'x')));
  const exists = async (key: string): Promise<boolean> =>
    (await harness.store.stat(key)) !== undefined;
  const reclaim = (batchSize?: number): ReturnType<typeof reclaimOnce> =>
    reclaimOnce({ dataSource, store: harness.store, ...(batchSize && { batchSize }) });

  /** A key that the file system refuses: its directory is a symbolic link to itself. */
  const refusedKey = async (): Promise<string> => {
    const link = join(harness.root, 'loop');
    await rm(link, { force: true });
    await symlink('loop', link);
    return 'loop/a.jpg';
  };

  it('deletes what is due, batch by batch, and nothing else', async () => {
    const due = await putMany(25);
    const [later = '', unlisted = ''] = await putMany(2);
    await enqueue(due);
    await enqueue([later], 3600);
    assert.deepEqual(await reclaim(10), { deleted: 25, failed: 0 });
    assert.deepEqual(
      await Promise.all(due.map(exists)),
      due.map(() => false),
    );
    assert.ok((await exists(later)) && (await exists(unlisted)));
    assert.deepEqual(
      (await rows()).map(({ key }) => key),
      [later],
    );
    assert.deepEqual(await reclaim(), { deleted: 0, failed: 0 });
  });

  it('handles the rows of objects that were deleted before a crash', async () => {
    await enqueue([newKey(), newKey()]);
    assert.deepEqual(await reclaim(), { deleted: 2, failed: 0 });
    assert.deepEqual(await rows(), []);
  });

  it('postpones a failing key, and continues with the others of its batch', async () => {
    const good = await putMany(5);
    const bad = await refusedKey();
    await enqueue([...good, bad]);
    const { failures, ...counts } = await reclaim();
    assert.deepEqual(counts, { deleted: 5, failed: 1 });
    assert.deepEqual(Object.keys(failures ?? {}), [bad]);
    const [row, ...rest] = await rows();
    assert.deepEqual(rest, []);
    assert.equal(row?.key, bad);
    assert.equal(row.attempts, 1);
    assert.match(row.last_error ?? '', /ELOOP/);
    assert.ok(row.wait > 3 && row.wait <= 10, `${row.wait} s`);
  });

  it('waits longer each time, up to an hour', async () => {
    const bad = await refusedKey();
    await enqueue([bad]);
    for (const [attempts, least, most] of [
      [1, 10, 20],
      [5, 160, 320],
      [60, 1800, 3600],
    ] as const) {
      await dataSource.query('UPDATE object_reclaim SET attempts = $1, not_before = now()', [
        attempts,
      ]);
      assert.equal((await reclaim()).failed, 1);
      const [row] = await rows();
      assert.ok(row && row.wait > least - 2 && row.wait <= most, `${row?.wait} s`);
    }
    await rm(join(harness.root, 'loop'));
    await dataSource.query('UPDATE object_reclaim SET not_before = now()');
    assert.deepEqual(await reclaim(), { deleted: 1, failed: 0 });
  });

  it('changes nothing while the store is unavailable', async () => {
    const keys = await putMany(3);
    await enqueue(keys);
    await rename(harness.root, `${harness.root}.away`);
    try {
      await assert.rejects(reclaim(), { code: 'unavailable' });
    } finally {
      await rename(`${harness.root}.away`, harness.root);
    }
    assert.deepEqual(
      (await rows()).map(({ attempts }) => attempts),
      [0, 0, 0],
    );
    assert.deepEqual(await reclaim(), { deleted: 3, failed: 0 });
  });

  it('shares the work between nodes', async () => {
    const keys = await putMany(60);
    await enqueue(keys);
    const done = await Promise.all([reclaim(7), reclaim(7), reclaim(7)]);
    assert.equal(
      done.reduce((sum, { deleted }) => sum + deleted, 0),
      60,
    );
    // A node may end early when it finds all other rows locked; nothing is left anyway.
    assert.deepEqual(await rows(), []);
  });

  it('skips a row that an upload is about to remove', async () => {
    const [held = '', free = ''] = await putMany(2);
    await enqueue([held, free]);
    await dataSource.transaction(async (upload) => {
      await upload.query('DELETE FROM object_reclaim WHERE key = $1', [held]);
      assert.deepEqual(await reclaim(), { deleted: 1, failed: 0 });
    });
    assert.ok(await exists(held));
    assert.ok(!(await exists(free)));
  });

  it('starts no batch after it is aborted', async () => {
    const keys = await putMany(2);
    await enqueue(keys);
    const { store } = harness;
    const stop = new AbortController();
    const stopping = {
      check: () => store.check(),
      delete: async (some: readonly string[]) => {
        stop.abort();
        await store.delete(some);
      },
    };
    const options = { dataSource, store: stopping, batchSize: 1, signal: stop.signal };
    assert.deepEqual(await reclaimOnce(options), { deleted: 1, failed: 0 });
    assert.equal((await rows()).length, 1);
  });

  it('reports its backlog', async () => {
    const none = { pending: 0, due: 0, failing: 0, waiting: 0, waitingBytes: 0, oldest: null };
    assert.deepEqual(await reclaimBacklog(dataSource), none);
    await enqueue(['a', 'b'], -600);
    await enqueue(['c'], -60);
    await enqueue(['d'], 600);
    const { pending, due, oldest } = await reclaimBacklog(dataSource);
    assert.deepEqual([pending, due], [4, 3]);
    assert.deepEqual(await undeletableObjects(dataSource, 9), [], 'none was attempted yet');
    assert.ok(Math.abs((oldest?.getTime() ?? 0) - (Date.now() - 600_000)) < 300_000);
  });

  it('has no oldest one while all of them wait for uploads', async () => {
    await enqueue(['a'], 600);
    const waiting = { pending: 1, due: 0, failing: 0, oldest: null, waiting: 0, waitingBytes: 0 };
    assert.deepEqual(await reclaimBacklog(dataSource), waiting);
  });

  describe('of deleted rows', () => {
    interface Deleted {
      readonly userId: string;
      readonly platformId: string;
      /** How long ago. */
      readonly hours: number;
      readonly bytes?: number;
    }

    /** Stores and lists an original as the deletion of its row does. */
    const deleted = async ({ userId, platformId, hours, bytes = 1 }: Deleted): Promise<string> => {
      const key = `${platformId}/${userId}/${crypto.randomUUID()}/${crypto.randomUUID()}/original.jpg`;
      await putBytes(harness, 'x', key);
      await dataSource.query(
        `INSERT INTO object_reclaim (key, not_before, waits, bytes)
         VALUES ($1, now() - make_interval(hours => $2), true, $3)`,
        [key, hours, bytes],
      );
      return key;
    };
    const left = async (): Promise<string[]> => (await rows()).map(({ key }) => key).sort();
    const later = (lacking = 0) =>
      reclaimOnce({ dataSource, store: harness.store, delayHours: 48, lacking });
    const user = async (quota: number, platform?: string) => {
      const made = await insertUser(dataSource, platform);
      await dataSource.query('UPDATE users SET max_storage_bytes = $2 WHERE id = $1', [
        made.userId,
        quota,
      ]);
      return made;
    };

    it('are kept for the delay, and those of uploads are not', async () => {
      const who = await user(100);
      const [upload = ''] = await putMany(1);
      await enqueue([upload]);
      const old = await deleted({ ...who, hours: 49 });
      const fresh = await deleted({ ...who, hours: 47, bytes: 30 });
      const { waiting, waitingBytes, due } = await reclaimBacklog(dataSource, 48);
      assert.deepEqual([waiting, waitingBytes, due], [1, 30, 2]);
      assert.deepEqual(await later(), { deleted: 2, failed: 0 });
      assert.deepEqual(await left(), [fresh]);
      assert.deepEqual(
        [await exists(upload), await exists(old), await exists(fresh)],
        [false, false, true],
      );
      assert.deepEqual(await waitingObjects(dataSource, who.userId), { objects: 1, bytes: 30 });
      assert.deepEqual(await waitingObjects(dataSource, who.platformId), { objects: 1, bytes: 30 });
      const [most] = await mostWaiting(dataSource, 9);
      assert.deepEqual([most?.user_id, most?.bytes], [who.userId, 30]);
      assert.deepEqual(await reclaim(), { deleted: 1, failed: 0 }, 'without a delay');
    });

    it('go early beyond one quota of their user, or of their platform, the oldest first', async () => {
      const who = await user(100);
      const other = await user(1_000, who.platformId);
      const oldest = await deleted({ ...who, hours: 9, bytes: 60 });
      const fits = await deleted({ ...who, hours: 5, bytes: 60 });
      const latest = await deleted({ ...who, hours: 1, bytes: 40 });
      const theirs = await deleted({ ...other, hours: 20, bytes: 1_000 });
      assert.deepEqual(await later(), { deleted: 1, failed: 0 });
      assert.deepEqual(await left(), [fits, latest, theirs].sort());
      assert.equal(await exists(oldest), false);
      await dataSource.query(
        'INSERT INTO platform_limits (platform_id, max_bytes) VALUES ($1, 90)',
        [who.platformId],
      );
      assert.deepEqual(await later(), { deleted: 2, failed: 0 });
      assert.deepEqual(await left(), [latest]);
    });

    it('go early while the disk lacks space, the oldest first, and as many as it lacks', async () => {
      const who = await user(1_000);
      await deleted({ ...who, hours: 9, bytes: 60 });
      await deleted({ ...who, hours: 5, bytes: 60 });
      const latest = await deleted({ ...who, hours: 1, bytes: 60 });
      assert.deepEqual(await later(61), { deleted: 2, failed: 0 });
      assert.deepEqual(await left(), [latest]);
      assert.deepEqual(await later(-5), { deleted: 0, failed: 0 });
    });

    it('go at once if asked, of one user alone or of all', async () => {
      const [one, other] = [await user(100), await user(100)];
      await deleted({ ...one, hours: 1 });
      const kept = await deleted({ ...other, hours: 1 });
      await endWaits(dataSource, one.userId);
      assert.deepEqual(await later(), { deleted: 1, failed: 0 });
      assert.deepEqual(await left(), [kept]);
      await endWaits(dataSource, null);
      assert.deepEqual(await later(), { deleted: 1, failed: 0 });
    });

    it('are late only after their delay when they cannot be deleted', async () => {
      const who = await user(100);
      const bad = await deleted({ ...who, hours: 50 });
      await dataSource.query('UPDATE object_reclaim SET created_at = not_before');
      const folder = join(harness.root, who.platformId);
      await rm(folder, { recursive: true });
      await symlink(who.platformId, folder);
      assert.equal((await later()).failed, 1);
      const { oldest, waiting } = await reclaimBacklog(dataSource, 48);
      assert.equal(waiting, 0);
      assert.ok(Date.now() - (oldest?.getTime() ?? 0) < 3_600_000);
      assert.deepEqual(await left(), [bad]);
      await rm(folder);
    });
  });

  it('lists what could not be deleted by failed attempts, then by key', async () => {
    await enqueue(['a', 'b', 'c', 'd']);
    await dataSource.query(
      `UPDATE object_reclaim SET attempts = CASE key WHEN 'c' THEN 2 ELSE 1 END, last_error = 'x'
       WHERE key <> 'd'`,
    );
    const listed = await undeletableObjects(dataSource, 9);
    assert.deepEqual(
      listed.map(({ key, attempts }) => [key, attempts]),
      [
        ['c', 2],
        ['a', 1],
        ['b', 1],
      ],
    );
  });

  it('counts what remains of a platform and of a user, and says why', async () => {
    await enqueue(['p/u/1.jpg', 'p/u/2.jpg', 'p/v/1.jpg', 'q/w/1.jpg']);
    await dataSource.query(
      `UPDATE object_reclaim SET attempts = 1, last_error = 'refused' WHERE key = 'p/u/2.jpg'`,
    );
    const refused = { failing: 1, reason: 'refused' };
    assert.deepEqual(await remainingObjects(dataSource, 'p'), { objects: 3, ...refused });
    assert.deepEqual(await remainingObjects(dataSource, 'u'), { objects: 2, ...refused });
    const fine = { objects: 1, failing: 0, reason: null };
    assert.deepEqual(await remainingObjects(dataSource, 'v'), fine);
    assert.deepEqual(await remainingObjects(dataSource, 'x'), { ...fine, objects: 0 });
  });
});
