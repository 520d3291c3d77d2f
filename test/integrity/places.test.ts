import assert from 'node:assert/strict';
import { mkdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { rows, value } from '../../src/database/sql.js';
import { reclaimOnce, queueKeys } from '../../src/library/reclaim/reclaim.js';
import { verificationStatus } from '../../src/ops/verify/status.js';
import { verifyStatistics } from '../../src/ops/verify/verify.js';
import { lockUsage } from '../../src/library/quota/usage.js';
import { quarantineDay, quarantineKey } from '../../src/store/object-key.js';
import { eventually } from '../../testkit/eventually.js';
import { withinOneDay } from '../../testkit/one-day.js';
import { ownService } from '../../testkit/service.js';
import { listed } from '../../testkit/store/harness.js';
import { withoutTriggers } from '../../testkit/without-triggers.js';
import { check, findingsOf, keysOf, strayFile } from './checking.js';

await withinOneDay();
const service = await ownService({ after });
const { db, home } = service;
const { store } = service.service;
const at = (key: string): string => join(home.store, key);
const kept = (key: string): string => quarantineKey({ day: quarantineDay(new Date()), key });
const exists = async (key: string): Promise<boolean> => (await store.stat(key)) !== undefined;

/** A key next to those of an image, like that of a rendition without a row. */
const strayBeside = (original = ''): string => original.replace(/original.*/, 'display.gif');

describe('verify on a local store', () => {
  test('finds no differences in an intact store, and counts what it checked', async () => {
    const album = await service.user();
    const before = await check(service);
    const { id } = await album.upload();
    await album.upload();
    const began = await value<Date>(db, "SELECT date_trunc('second', now())");
    const { ok, versions, objects, young_objects, differences } = await check(service);
    assert.deepEqual([ok, differences, young_objects], [true, [], 0]);
    const added = [versions - before.versions, objects - before.objects];
    assert.deepEqual(added, [2, 2 * (await keysOf(service, id)).length]);
    const { objects_verified_at: when, differences: wrong } = await verificationStatus(db);
    assert.ok(new Date(when ?? 0) >= (began as Date), `${when} is before ${began?.toISOString()}`);
    assert.equal(wrong, 0);
  });

  test('finds missing, truncated, and empty objects, and names their owners', async () => {
    const album = await service.user();
    const images = [await album.upload(), await album.upload(), await album.upload()];
    const keys = await Promise.all(images.map(({ id }) => keysOf(service, id)));
    const [missing = '', cut = '', empty = ''] = [keys[0]?.[0], keys[1]?.[0], keys[2]?.at(-1)];
    const saved = await Promise.all([missing, cut, empty].map((key) => readFile(at(key))));
    await rm(at(missing));
    await truncate(at(cut), 100);
    await truncate(at(empty));
    const verified = await check(service);
    assert.deepEqual(findingsOf(album, verified), [
      ['object_missing', missing],
      ...[
        ['object_size', cut],
        ['object_size', empty],
      ].sort(),
    ]);
    const found = verified.differences.find(({ key }) => key === cut);
    const { platformId, id: userId } = album;
    assert.deepEqual(
      [found?.platform_id, found?.user_id, found?.image_id, found?.expected, found?.found],
      [platformId, userId, images[1]?.id, saved[1]?.length, 100],
    );
    assert.match(found?.remedy ?? '', /backup/);
    assert.equal((await verificationStatus(db)).differences, 3);
    for (const [i, key] of [missing, cut, empty].entries())
      await writeFile(at(key), saved[i] ?? '');
    assert.equal((await check(service)).ok, true);
    assert.equal((await verificationStatus(db)).differences, 0);
  });

  test('moves orphans into quarantine, and nothing else', async () => {
    const album = await service.user();
    const { id } = await album.upload();
    const own = await keysOf(service, id);
    const strays = [
      await strayFile(service, strayBeside(own[0])),
      await strayFile(service, 'backup/holiday.jpg', 'abc'),
      await strayFile(service, `${album.platformId}/${uuidv7()}/x/y.jpg`),
    ];
    const queued = await strayFile(service, `${album.platformId}/${album.id}/queued.jpg`);
    await queueKeys(db, [queued]);
    const before = await check(service);
    assert.deepEqual(
      before.differences.map(({ kind, key }) => [kind, key]).sort(),
      strays.map((key) => ['object_orphan', key]).sort(),
    );
    const repaired = await check(service, { repair: true });
    assert.deepEqual([repaired.ok, repaired.quarantined], [true, { objects: 3, bytes: 21 }]);
    for (const key of strays)
      assert.deepEqual([await exists(key), await exists(kept(key))], [false, true]);
    assert.equal(await readFile(at(kept('backup/holiday.jpg')), 'utf8'), 'abc');
    for (const key of [...own, queued]) assert.ok(await exists(key), key);
    await assert.rejects(stat(at('backup')), { code: 'ENOENT' }, 'empty directories go');

    // From now on reports and the reclaim job ignore it, and no URL serves it.
    assert.equal((await check(service)).ok, true);
    const { ok } = await verifyStatistics({ db, store, report: () => undefined });
    assert.equal(ok, true);
    await reclaimOnce({ dataSource: db, store });
    assert.ok(await exists(kept('backup/holiday.jpg')));
    assert.equal(
      (await fetch(`${service.service.url}/files/${kept('backup/holiday.jpg')}`)).status,
      403,
    );
    await rows(db, 'DELETE FROM object_reclaim WHERE key = $1', [queued]);
    await rm(at(queued));
  });

  test('ignores objects that are younger than the grace period', async () => {
    const young = await strayFile(service, 'young.jpg');
    const verified = await check(service, { repair: true, graceMs: 3_600_000 });
    assert.deepEqual([verified.ok, verified.young_objects], [true, 1]);
    await utimes(at(young), new Date(), new Date(Date.now() - 3_601_000));
    const later = await check(service, { repair: true, graceMs: 3_600_000 });
    assert.deepEqual([later.young_objects, later.quarantined.objects], [0, 1]);
  });

  test("checks again under the user's lock: an upload that ends in between keeps its objects", async () => {
    const album = await service.user();
    const { id } = await album.upload();
    const keys = await keysOf(service, id);
    const waits = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%users%'`;
    const copy = 'image_versions_kept';
    await rows(db, `CREATE TABLE ${copy} AS SELECT * FROM image_versions WHERE image_id = $1`, [
      id,
    ]);
    await withoutTriggers(db, 'DELETE FROM image_versions WHERE image_id = $1', [id]);
    let repairing: ReturnType<typeof check> | undefined;
    await db.transaction(async (tx) => {
      await lockUsage(tx, album.id);
      repairing = check(service, { repair: true });
      await eventually(
        'the repair waits for the lock',
        async () => (await rows(db, waits)).length > 0,
      );
      await rows(tx, `INSERT INTO image_versions SELECT * FROM ${copy}`);
    });
    const repaired = await repairing;
    assert.equal(repaired?.quarantined.objects, 0);
    for (const key of keys) assert.ok(await exists(key), key);
    await rows(db, `DROP TABLE ${copy}`);
  });

  test('does not report running uploads', async () => {
    const album = await service.user();
    let over = false;
    const work = async (): Promise<void> => {
      for (let i = 0; !over; i += 1) {
        const { id } = await album.upload();
        if (i % 2) await rows(db, 'DELETE FROM images WHERE id = $1', [id]);
      }
    };
    const working = work();
    try {
      for (let runs = 0; runs < 3; runs += 1) {
        const { differences, quarantined } = await check(service, { repair: true });
        assert.deepEqual([differences, quarantined.objects], [[], 0]);
      }
    } finally {
      over = true;
      await working;
    }
  });

  test('restores from quarantine objects that a row needs', async () => {
    const album = await service.user();
    const { id } = await album.upload();
    const keys = await keysOf(service, id);
    for (const key of keys) await store.move(key, kept(key));
    const before = await check(service);
    assert.deepEqual(findingsOf(album, before), keys.map((key) => ['object_missing', key]).sort());
    const repaired = await check(service, { repair: true });
    assert.deepEqual([repaired.ok, repaired.put_back.objects], [true, keys.length]);
    const { org_path_url: url } = await album.image(id);
    assert.equal((await fetch(url)).status, 200);
    assert.equal((await listed(store, kept(keys[0] ?? ''))).length, 0);
  });

  test('reports objects that it cannot move, and continues with the others', async () => {
    const [stuck, free] = [
      await strayFile(service, 'a-stuck/x.jpg'),
      await strayFile(service, 'b.jpg'),
    ];
    // A file in place of a directory that the quarantine needs.
    await mkdir(at(kept('')), { recursive: true });
    await writeFile(at(kept('a-stuck')), 'in the way');
    const repaired = await check(service, { repair: true });
    assert.deepEqual(
      repaired.differences.map(({ kind, key }) => [kind, key]),
      [['object_orphan', stuck]],
    );
    assert.match(repaired.differences[0]?.reason ?? '', /could not be moved: .*(EEXIST|ENOTDIR)/);
    assert.deepEqual([await exists(free), await exists(kept(free))], [false, true]);
    await rm(at(kept('a-stuck')));
    assert.equal((await check(service, { repair: true })).ok, true);
  });

  test('finds an object that is about to be deleted although a row needs it', async () => {
    const album = await service.user();
    const [key = ''] = await keysOf(service, (await album.upload()).id);
    await rows(db, `INSERT INTO object_reclaim (key, not_before) VALUES ($1, 'infinity')`, [key]);
    assert.deepEqual(findingsOf(album, await check(service)), [['object_doomed', key]]);
    await rows(db, 'DELETE FROM object_reclaim WHERE key = $1', [key]);
  });

  test('changes nothing if the store is a different one or missing', async () => {
    await rename(home.store, `${home.store}.away`);
    try {
      await assert.rejects(check(service, { repair: true }), { code: 'unavailable' });
    } finally {
      await rename(`${home.store}.away`, home.store);
    }
    assert.equal((await check(service)).ok, true);
  });
});
