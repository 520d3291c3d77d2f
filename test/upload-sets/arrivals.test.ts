import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntityManager } from 'typeorm';
import { forEachLimited } from '../../src/base/concurrency.js';
import { row } from '../../src/database/sql.js';
import { lockUsage } from '../../src/library/quota/usage.js';
import { eventually } from '../../testkit/eventually.js';
import { done, refused } from '../../testkit/expect.js';
import { sha256 } from '../../testkit/fetch.js';
import type { Presence, UploadSet } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { openSet, progressOf, readSet, shots, type Shot } from '../../testkit/upload-sets.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const { db } = service;

/** Runs an action under the user's lock as soon as `count` requests wait for it. */
const whileWaiting = async <T>(
  user: Member,
  begin: readonly (() => Promise<T>)[],
  work: (tx: EntityManager) => Promise<unknown> = () => Promise.resolve(),
): Promise<T[]> => {
  const begun: Promise<T>[] = [];
  await db.transaction(async (tx) => {
    await lockUsage(tx, user.id);
    for (const request of begin) {
      begun.push(request());
      await eventually(`${begun.length} wait`, async () => (await waiting()) === begun.length);
    }
    await work(tx);
  });
  return Promise.all(begun);
};

const waiting = async (): Promise<number | undefined> =>
  (
    await row<{ n: number }>(
      db,
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  )?.n;

const send = (user: Member, { id }: UploadSet, { bytes }: Shot) =>
  user.tryUpload({ upload_set_id: id }, bytes);

/** Reads a set repeatedly until it is complete; every state must have been correct. */
async function watch(user: Member, set: UploadSet, files: readonly Shot[]): Promise<void> {
  const hashes = files.map(({ hash }) => hash);
  for (let arrived = 0; arrived < files.length;) {
    const now = await readSet(user, set);
    assert.ok(now.arrived >= arrived, 'what has arrived stays arrived');
    const { present } = done(
      await user.call<Presence>('POST', '/images/check', { json: { hashes } }),
    );
    const there = new Set(present.map(({ hash }) => hash));
    const absent = new Set(now.missing);
    for (const hash of hashes) assert.ok(absent.has(hash) || there.has(hash), 'it is durable');
    arrived = now.arrived;
  }
}

test('with twenty concurrent writers, each file counts once in every set that expects it', async () => {
  const user = await service.user();
  const files = await shots(24);
  const halves = [files.slice(0, 16), files.slice(8), files.toReversed()] as const;
  const sets = await Promise.all(halves.map((half) => openSet(user, half)));
  const whole = sets[2] as UploadSet;
  const watching = Promise.all(
    sets.map((set, i) => watch(user, set, halves[i] as readonly Shot[])),
  );
  // Each file twice, with little time between.
  const queue = files.flatMap((file) => [file, file]);
  await forEachLimited(queue, 20, async (file) => {
    done(await send(user, whole, file));
  });
  await watching;
  for (const [i, set] of sets.entries()) {
    assert.deepEqual(await progressOf(user, set), ['complete', halves[i]?.length, []]);
  }
});

test('a file uploaded twice concurrently counts once', async () => {
  const user = await service.user();
  const [file, other] = (await shots(2)) as [Shot, Shot];
  const set = await openSet(user, [file, other]);
  const answers = await whileWaiting(user, [
    () => send(user, set, file),
    () => send(user, set, file),
  ]);
  answers.map(done);
  assert.deepEqual(await progressOf(user, set), ['open', 1, [other.hash]]);
});

test('a set created while its file arrives is complete, whichever comes first', async () => {
  for (const setFirst of [true, false]) {
    const user = await service.user();
    const files = (await shots(1)) as [Shot];
    const upload = async (): Promise<unknown> => done(await user.tryUpload({}, files[0].bytes));
    const make = (): Promise<unknown> => openSet(user, files);
    const answers = await whileWaiting(user, setFirst ? [make, upload] : [upload, make]);
    const set = answers[setFirst ? 0 : 1] as UploadSet;
    assert.equal(set.state, setFirst ? 'open' : 'complete');
    assert.deepEqual(await progressOf(user, set), ['complete', 1, []]);
  }
});

test('the file of a failed upload has not arrived', async () => {
  const user = await service.user();
  const [file] = (await shots(1)) as [Shot];
  const set = await openSet(user, [file]);
  // Makes its last statement fail, after its rows are inserted and the set is complete.
  const undo = (tx: EntityManager) => tx.query('DELETE FROM object_reclaim');
  const [answer] = await whileWaiting(user, [() => send(user, set, file)], undo);
  assert.ok(answer);
  refused(answer, 503, 'unavailable');
  assert.deepEqual(await progressOf(user, set), ['open', 0, [file.hash]]);
  // The connection of its transaction breaks.
  const kill = (tx: EntityManager) =>
    tx.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
  const [broken] = await whileWaiting(user, [() => send(user, set, file)], kill);
  assert.ok(broken);
  refused(broken, 503, 'unavailable');
  assert.deepEqual(await progressOf(user, set), ['open', 0, [file.hash]]);
  assert.deepEqual((await user.list()).items, []);
  done(await send(user, set, file));
  assert.deepEqual(await progressOf(user, set), ['complete', 1, []]);
});

test('an upload whose set is deleted meanwhile is refused and not stored', async () => {
  const user = await service.user();
  const files = (await shots(2)) as [Shot, Shot];
  const set = await openSet(user, files);
  const forget = (tx: EntityManager) => tx.query('DELETE FROM upload_sets WHERE id = $1', [set.id]);
  const answers = await whileWaiting(
    user,
    files.map((file) => () => send(user, set, file)),
    forget,
  );
  for (const answer of answers) refused(answer, 400, 'upload_set_not_found', 'upload_set_id');
  assert.deepEqual((await user.list()).items, []);
});

test('a picture that cannot be decoded has not arrived', async () => {
  const user = await service.user();
  const [picture] = (await shots(1)) as [Shot];
  const bytes = picture.bytes.subarray(0, 100);
  const file = { bytes, hash: sha256(bytes) };
  const set = await openSet(user, [file]);
  refused(await send(user, set, file), 400, 'corrupt_image');
  assert.deepEqual(await progressOf(user, set), ['open', 0, [file.hash]]);
});

test('permanently deleted images remain arrived; in a later set they are missing', async () => {
  const user = await service.user();
  const [file] = (await shots(1)) as [Shot];
  const set = await openSet(user, [file]);
  const image = done(await send(user, set, file));
  const folder = await user.folder('going');
  done(await user.put(`/images/${image.id}`, { folder_id: folder.id }));
  done(await user.delete(`/folders/${folder.id}`));
  assert.deepEqual(await progressOf(user, set), ['complete', 1, []]);
  const later = await openSet(user, [file]);
  assert.deepEqual(await progressOf(user, later), ['open', 0, [file.hash]]);
});

test('a user with sets can be deleted', async () => {
  const user = await service.user();
  const folder = await user.folder('of the set');
  const files = (await shots(2)) as [Shot, Shot];
  const set = await openSet(user, files, { folder_id: folder.id });
  done(await send(user, set, files[0]));
  done(await user.delete(''));
  const left = await row<{ sets: number; files: number }>(
    db,
    `SELECT (SELECT count(*) FROM upload_sets WHERE user_id = $1)::int AS sets,
            (SELECT count(*) FROM upload_set_files WHERE user_id = $1)::int AS files`,
    [user.id],
  );
  assert.deepEqual(left, { sets: 0, files: 0 });
});
