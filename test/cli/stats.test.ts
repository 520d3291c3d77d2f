import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { rows } from '../../src/database/sql.js';
import { type VerifiedStatistics, verifyStatistics } from '../../src/ops/verify/verify.js';
import { rollUp } from '../../src/library/statistics/roll-up.js';
import { hosted } from '../../testkit/hosted-command.js';
import { seedImages } from '../../testkit/image-rows.js';
import { operate } from '../../testkit/operator.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';
import { withoutTriggers } from '../../testkit/without-triggers.js';
import type { Member } from '../../testkit/world.js';

const service = await ownService({ after });
const { db, home } = service;

/**
 * An album with an edited image, one in the trash, and one permanently deleted; half of it rolled
 * up.
 */
async function lively(): Promise<{ album: Member; edited: string }> {
  const album = await service.user();
  const [edited, trashed, gone] = [
    await album.upload(),
    await album.upload(),
    await album.upload(),
  ].map(({ id }) => id);
  await rollUp(db, { zone: 'Asia/Seoul' });
  const form = { image_data: filePart(await jpeg({ width: 1200, height: 900 })) };
  await album.call('POST', `/images/${edited}/filedata`, { form });
  await album.put<Image>(`/images/${trashed ?? ''}`, { delete: 'True' });
  await rows(db, 'DELETE FROM images WHERE id = $1', [gone]);
  return { album, edited: edited ?? '' };
}

const keysOf = async (prefix: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of service.service.store.list(prefix)) keys.push(key);
  return keys.sort();
};

/** Verifies like the command, which two tests run. */
const verifyAt = (platformId: string): Promise<VerifiedStatistics> =>
  verifyStatistics({ db, store: service.service.store, platformId, report: () => undefined });

test('verify accounts stops when it is interrupted', async () => {
  const {
    service: { store },
  } = service;
  const stop = new AbortController();
  const report = (): void => stop.abort(new Error('enough'));
  const { signal } = stop;
  await assert.rejects(verifyStatistics({ db, store, report, signal }), /enough/);
});

/** Each difference in short: subject, expected value, actual value. */
const countsIn = ({ differences }: VerifiedStatistics) =>
  differences.map(({ kind, subject, expected, found }) => [kind, subject, expected, found]);

/** The types of differences that `verify accounts` finds on the album's platform. */
async function finds(user: Member): Promise<string[]> {
  const found = await verifyAt(user.platformId);
  assert.equal(found.ok, false);
  assert.equal(found.differences_total, found.differences.length);
  assert.ok(found.differences.every((d) => d.platform_id === user.platformId));
  return [...new Set(found.differences.map(({ kind }) => kind))].sort();
}

describe('imgstore verify accounts', { concurrency: 2 }, () => {
  test('finds no differences if everything agrees, and says what it checked', async () => {
    const { album } = await lively();
    const count = async () => (await keysOf(`${album.platformId}/`)).length;
    const before = await count();
    const ran = await operate(service, ['verify', 'accounts', '--platform', album.platformId]);
    const found = ran.json<VerifiedStatistics>();
    assert.deepEqual(
      [ran.code, found.ok, found.differences_total],
      [0, true, 0],
      JSON.stringify(found),
    );
    assert.equal(found.versions, 3);
    // Those of the deleted image may be deleted meanwhile.
    assert.ok(found.objects <= before && found.objects >= (await count()), `${found.objects}`);
    const unknown = await operate(service, ['verify', 'accounts', '--platform', uuidv7()]);
    assert.equal(unknown.code, 1);
  });

  test('finds a missing row', async () => {
    const { album, edited } = await lively();
    await withoutTriggers(db, 'DELETE FROM images WHERE id = $1', [edited]);
    assert.deepEqual(await finds(album), [
      'image_total',
      'ledger',
      'object_orphan',
      'user_counter',
    ]);
  });

  test('finds an image that differs from its versions', async () => {
    const { album, edited } = await lively();
    await rows(db, 'DELETE FROM image_versions WHERE image_id = $1 AND version = 0', [edited]);
    assert.deepEqual(await finds(album), ['image_versions']);
    await withoutTriggers(db, 'UPDATE image_versions SET version = 7 WHERE image_id = $1', [
      edited,
    ]);
    assert.deepEqual(await finds(album), ['image_versions']);
  });

  test('finds a missing object, and one with a wrong size', async () => {
    const { album, edited } = await lively();
    const keys = await keysOf(`${album.platformId}/${album.id}/${edited}/${edited}/`);
    const [original = '', thumb = ''] = keys;
    assert.match(original, /original/);
    await rm(join(home.store, thumb));
    await writeFile(join(home.store, original), 'cut');
    assert.deepEqual(await finds(album), ['object_missing', 'object_size']);
  });

  test('finds an orphan, and an object of a row that is about to be deleted', async () => {
    const { album, edited } = await lively();
    const { platformId, id } = album;
    const stray = join(home.store, platformId, id, edited, edited, 'display.gif');
    await mkdir(dirname(stray), { recursive: true });
    await writeFile(stray, 'of nobody');
    assert.deepEqual(await finds(album), ['object_orphan']);
    const keys = await keysOf(`${platformId}/${id}/${edited}/${edited}/`);
    await rows(db, `INSERT INTO object_reclaim SELECT unnest($1::text[]), 'infinity'`, [keys]);
    assert.deepEqual(await finds(album), ['object_doomed']);
  });

  test('finds a wrong counter of a user', async () => {
    const { album } = await lively();
    await rows(db, 'UPDATE users SET stored_bytes = stored_bytes + 1 WHERE id = $1', [album.id]);
    const found = await verifyAt(album.platformId);
    const [difference, ...rest] = found.differences;
    assert.equal(difference?.subject, `${album.id} stored_bytes`);
    assert.equal((difference.found ?? 0) - (difference.expected ?? 0), 1);
    assert.deepEqual(rest, []);
  });

  test('finds search texts that differ from an image, and missing ones', async () => {
    const { album, edited } = await lively();
    const set = (what: string) =>
      rows(db, `UPDATE image_texts SET ${what} WHERE image_id = $1`, [edited]);
    const differences = async (): Promise<unknown[]> => countsIn(await verifyAt(album.platformId));
    await set(`filename = 'stale', address = 'nowhere'`);
    assert.deepEqual(await differences(), [
      ['image_text', `${edited} filename`, 1, 0],
      ['image_text', `${edited} address`, 1, 0],
    ]);
    const other = `UPDATE images SET filename = 'b.jpg', address_road = 'Elsewhere' WHERE id = $1`;
    await rows(db, other, [edited]);
    assert.deepEqual(await differences(), []);
    await set('user_id = gen_random_uuid()');
    assert.deepEqual(await differences(), [['image_text', `${edited} user_id`, 1, 0]]);
    await rows(db, 'DELETE FROM image_texts WHERE image_id = $1', [edited]);
    assert.deepEqual(await differences(), [['image_text', `${edited} texts`, 1, 0]]);
  });

  test('finds wrong totals of states and of a folder, and missing totals', async () => {
    const { album } = await lively();
    const { id } = album;
    const folder = (await album.folder('counted')).id;
    await album.upload({ folder_id: folder });
    await rows(
      db,
      `UPDATE image_totals SET active_images = 5
       WHERE user_id = $1 AND has_det = 'none' AND NOT located AND NOT in_folder`,
      [id],
    );
    await rows(db, 'UPDATE folder_totals SET trashed_bytes = 7 WHERE folder_id = $1', [folder]);
    const found = await verifyAt(album.platformId);
    assert.deepEqual(countsIn(found), [
      ['image_total', `${id} has_det none active_images`, 1, 5],
      ['folder_total', `${folder} trashed_bytes`, null, 7],
    ]);
    await rows(db, 'DELETE FROM image_totals WHERE user_id = $1', [id]);
    await rows(db, 'DELETE FROM folder_totals WHERE user_id = $1', [id]);
    assert.deepEqual(await finds(album), ['folder_total', 'image_total']);
  });

  test('finds a wrong newest image of a place, a missing place, and a wrong cell', async () => {
    const { album } = await lively();
    const { id } = album;
    const [image = ''] = await seedImages(service, album, [{ place: [37.5, 127] }]);
    // Cells are compared with places, from which they have their newest image.
    await rows(db, 'UPDATE places SET active_id = user_id WHERE user_id = $1', [id]);
    assert.deepEqual(await finds(album), ['map_cell', 'object_missing', 'place']);
    await rows(db, 'UPDATE places SET active_id = $2 WHERE user_id = $1', [id, image]);
    await rows(db, 'UPDATE map_cells SET places = 2 WHERE user_id = $1 AND zoom = 12', [id]);
    assert.deepEqual(await finds(album), ['map_cell', 'object_missing']);
    await rows(db, 'DELETE FROM places WHERE user_id = $1', [id]);
    assert.deepEqual(await finds(album), ['map_cell', 'object_missing', 'place']);
  });

  test('finds a wrong ledger, and a day that does not match the ledger', async () => {
    const { album } = await lively();
    const { platformId } = album;
    // One edit too many: unlike a missing one, it stays wrong if the roll-up of another test comes first.
    await rows(
      db,
      `INSERT INTO usage_events OVERRIDING USER VALUE
       SELECT (jsonb_populate_record(e, '{"rolled_up": false}')).* FROM usage_events e
       WHERE platform_id = $1 AND edits = 1`,
      [platformId],
    );
    assert.deepEqual(await finds(album), ['ledger']);
    await rows(db, 'UPDATE daily_stats SET deletions = 9 WHERE platform_id = $1', [platformId]);
    assert.deepEqual(await finds(album), ['daily_stats', 'ledger']);
  });

  test('finds an upload set with a wrong count, and a file whose arrival was not recorded', async () => {
    const { album, edited } = await lively();
    const { id: userId } = album;
    const [here] = await rows<{ hash: Buffer }>(
      db,
      'SELECT hash FROM image_versions WHERE id = $1',
      [edited],
    );
    const hashes = [here?.hash.toString('hex') ?? '', 'ab'.repeat(32)];
    const { result } = await service.client.post<{ id: string }>(
      `/api/v1/users/${userId}/upload-sets`,
      { as: ['User', album.token], json: { hashes } },
    );
    const set = (what: string) =>
      rows(db, `UPDATE ${what} WHERE upload_set_id = $1 AND position = 1`, [result.id]);
    const counts = async () => countsIn(await verifyAt(album.platformId));
    assert.deepEqual(await counts(), []);
    await set('upload_set_files SET arrived = false');
    assert.deepEqual(await counts(), [
      ['upload_set', `${result.id} arrived`, 0, 1],
      ['upload_set', `${result.id} unnoticed`, 0, 1],
    ]);
    await set('upload_set_files SET arrived = true');
    await rows(db, 'UPDATE upload_sets SET expected = 3 WHERE id = $1', [result.id]);
    assert.deepEqual(await counts(), [['upload_set', `${result.id} expected`, 2, 3]]);
  });

  test('finds an active image in a trashed folder', async () => {
    const { album, edited } = await lively();
    const folder = (await album.folder('in the trash')).id;
    await album.trashFolder({ id: folder });
    await rows(db, 'UPDATE images SET folder_id = $2 WHERE id = $1', [edited, folder]);
    assert.deepEqual(await finds(album), ['active_in_trash']);
  });

  test('reports no differences because of concurrent changes', async () => {
    const album = await service.user();
    const { platformId } = album;
    let working = true;
    const work = (async () => {
      for (let i = 0; i < 8; i += 1) {
        const { id } = await album.upload();
        if (i % 2) await rows(db, 'DELETE FROM images WHERE id = $1', [id]);
      }
    })().finally(() => (working = false));
    while (working) {
      assert.deepEqual((await verifyAt(platformId)).differences, []);
    }
    await work;
  });

  test('prints where the differences are', async () => {
    const { album } = await lively();
    await rows(db, 'UPDATE users SET active_images = 0 WHERE id = $1', [album.id]);
    const found = await operate(service, ['verify', 'accounts']);
    assert.equal(found.code, 3); // of all platforms
    assert.ok(
      found.json<VerifiedStatistics>().differences.some((d) => d.subject.includes(album.id)),
    );
  });
});

// Apart, since days are summed up anew for all platforms.
describe('imgstore verify accounts --repair', () => {
  test('counts anew all that can be counted, and says what to do about the rest', async () => {
    const { album } = await lively();
    const { id, platformId } = album;
    const folder = (await album.folder('counted')).id;
    const { id: annotated } = await album.upload({
      folder_id: folder,
      latitude: '37.5',
      longitude: '127',
    });
    await album.call('POST', `/images/${annotated}/memos`, {
      form: { message: '메모', is_client: 'True' },
    });
    assert.deepEqual((await verifyAt(platformId)).differences, []);
    for (const sql of [
      'UPDATE users SET text_bytes = 9, stored_bytes = 1, active_images = 7 WHERE id = $1',
      'UPDATE image_totals SET trashed_bytes = 3 WHERE user_id = $1',
      'DELETE FROM folder_totals WHERE user_id = $1',
      `UPDATE annotation_totals SET memos = 5, text_bytes = 77
       WHERE image_id IN (SELECT id FROM images WHERE user_id = $1)`,
      `UPDATE image_texts SET filename = 'stale', address = 'nowhere' WHERE user_id = $1`,
      'UPDATE map_cells SET active_images = 9 WHERE user_id = $1',
    ]) {
      await rows(db, sql, [id]);
    }
    await rows(db, 'UPDATE daily_stats SET deletions = 9 WHERE platform_id = $1', [platformId]);
    const on = ['verify', 'accounts', '--platform', platformId];
    const before = await operate(service, on);
    assert.equal(before.code, 3);
    const repaired = await operate(service, [...on, '--repair']);
    const { ok, recounted, differences } = repaired.json<VerifiedStatistics>();
    assert.deepEqual(
      [repaired.code, ok, recounted],
      [0, true, { users: 1, maps: 0, days: true }],
      repaired.stdout,
    );
    assert.deepEqual(differences, []);
    const again = (await operate(service, [...on, '--repair'])).json<VerifiedStatistics>();
    assert.deepEqual(again.recounted, { users: 0, maps: 0, days: false });

    await rows(db, 'DELETE FROM usage_events WHERE platform_id = $1', [platformId]);
    const { url = '' } = db.options as { url?: string };
    const left = await hosted([...on, '--repair', '--home', home.dir, '--database-url', url]);
    assert.equal(left.code, 3);
    assert.match(left.stdout, /^Remedy: The ledger is the only record/m);
    assert.doesNotMatch(left.stdout, /Remedy: Run/);
  });
});
