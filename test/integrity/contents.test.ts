import assert from 'node:assert/strict';
import { open, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import { verificationStatus } from '../../src/ops/verify/status.js';
import { readNightly } from '../../src/ops/verify/verify.js';
import type { ObjectStore } from '../../src/store/port.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { ownService } from '../../testkit/service.js';
import { allBytes, check, findingsOf, keysOf } from './checking.js';

const service = await ownService({ after });
const { db, home } = service;
const { store } = service.service;
const at = (key: string): string => join(home.store, key);
const album = await service.user();

/** Flips a bit in the middle of a file. */
async function flip(key: string): Promise<void> {
  const file = await open(at(key), 'r+');
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.floor(size / 2));
    await file.write(Buffer.from([(buffer[0] ?? 0) ^ 4]), 0, 1, Math.floor(size / 2));
  } finally {
    await file.close();
  }
}

/** The store of the service, with a replaced method for reading objects. */
const reading = (get: ObjectStore['get']): ObjectStore =>
  new Proxy(store, {
    get: (target, name) => {
      const value: unknown = name === 'get' ? get : Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });

/** The store of the service, recording which versions are read. */
function noting(): { noted: ObjectStore; versions: Set<string> } {
  const versions = new Set<string>();
  const noted = reading((key) => {
    versions.add(key.split('/')[3] ?? '');
    return store.get(key);
  });
  return { noted, versions };
}

const one = { budget: 1, rest: 0 };

const startOver = () => rows(db, 'UPDATE content_rounds SET up_to = NULL, versions = 0, bytes = 0');

describe('verify --deep', () => {
  test('finds a flipped bit in an original and a truncated rendition, and nothing else', async () => {
    const form = { image_data: filePart(await jpeg({ width: 1400, height: 1100 })) };
    const { result } = await album.call<{ id: string }>('POST', '/images', { form });
    const [original = '', display = '', thumb = ''] = await keysOf(service, result.id);
    assert.match(display, /display\.jpg$/);
    await album.upload();
    const whole = await check(service, { reading: allBytes });
    assert.deepEqual([whole.ok, whole.contents?.versions], [true, 2], JSON.stringify(whole));
    assert.equal(whole.contents?.round_ended, true);

    const saved = await Promise.all([original, display, thumb].map((key) => readFile(at(key))));
    await flip(original);
    for (const key of [display, thumb]) await truncate(at(key), 200);
    assert.equal((await check(service)).ok, true, 'their sizes and names tell nothing');
    const verified = await check(service, { reading: allBytes });
    assert.deepEqual(
      findingsOf(album, verified),
      [original, display, thumb].map((key) => ['object_damaged', key]).sort(),
    );
    assert.equal((await verificationStatus(db)).differences, 3);
    const known = findingsOf(album, await check(service));
    assert.deepEqual(known, findingsOf(album, verified), 'reported until it is cured');
    for (const [i, key] of [original, display, thumb].entries()) {
      await writeFile(at(key), saved[i] ?? '');
    }
    const cured = await check(service);
    assert.deepEqual([cured.ok, (await verificationStatus(db)).differences], [true, 0]);
  });

  test('resumes where the last run stopped, round after round', async () => {
    for (let i = 0; i < 3; i += 1) await album.upload();
    const versions = await rows<{ id: string }>(db, 'SELECT id FROM image_versions ORDER BY id');
    await startOver();
    const ids = versions.map(({ id }) => id);
    const seen: string[][] = [];
    for (let run = 0; run < ids.length + 1; run += 1) {
      const { noted, versions: read } = noting();
      const { contents } = await check(service, { store: noted, reading: one });
      assert.equal(contents?.versions, 1);
      seen.push([...read]);
    }
    assert.deepEqual(
      seen,
      [...ids, ids[0]].map((id) => [id]),
      'one version in each run',
    );
    const { round, round_ended_at: ended } = await verificationStatus(db);
    assert.equal(round.versions, 1);
    assert.ok(Date.now() - Date.parse(ended ?? '') < 600_000);

    const { noted, versions: order } = noting();
    const rest = await check(service, { store: noted, reading: allBytes });
    assert.deepEqual([rest.contents?.versions, rest.contents?.round_ended], [ids.length, true]);
    assert.deepEqual([...order], [...ids.slice(1), ids[0]], 'each once, from where it was');
  });

  test('stops after a version when aborted, and resumes from there', async () => {
    await startOver();
    const stop = new AbortController();
    const stopping = reading((key) => {
      stop.abort(new Error('enough'));
      return store.get(key);
    });
    const options = { store: stopping, reading: allBytes, signal: stop.signal };
    await assert.rejects(check(service, options), { message: 'enough' });
    assert.equal((await verificationStatus(db)).round.versions, 1);
    const { noted, versions } = noting();
    await check(service, { store: noted, reading: one });
    const [, second] = await rows<{ id: string }>(db, 'SELECT id FROM image_versions ORDER BY id');
    assert.deepEqual([...versions], [second?.id]);
  });

  test('distinguishes an unreadable object from a store that is down', async () => {
    const { id } = await album.upload();
    const [original = ''] = await keysOf(service, id);
    const broken = reading((key) => {
      if (key === original) throw new Error('EIO');
      return store.get(key);
    });
    const verified = await check(service, { store: broken, reading: allBytes });
    assert.deepEqual(findingsOf(album, verified), [['object_unreadable', original]]);
    await check(service, { reading: one });
    assert.equal((await verificationStatus(db)).differences, 0);
    await rename(home.store, `${home.store}.away`);
    try {
      await assert.rejects(check(service, { reading: one }), { code: 'unavailable' });
    } finally {
      await rename(`${home.store}.away`, home.store);
    }
  });

  test('does not report an image that is deleted meanwhile', async () => {
    const { id } = await album.upload();
    const [original = ''] = await keysOf(service, id);
    const deleting = reading(async (key) => {
      if (key === original) {
        await rows(db, 'DELETE FROM images WHERE id = $1', [id]);
        await rm(at(original));
      }
      return store.get(key);
    });
    const { ok } = await check(service, { store: deleting, reading: allBytes });
    assert.equal(ok, true);
    assert.equal((await rows(db, 'SELECT FROM images WHERE id = $1', [id])).length, 0);
  });
});

test('each night, one node reads as much as the setting allows', async () => {
  await startOver();
  await rows(db, 'DELETE FROM verifications');
  const { signal } = new AbortController();
  const parts = { db, store, signal, reading: one };
  const both = await Promise.all([readNightly(parts), readNightly(parts)]);
  const [read, ...more] = both.filter((one) => one !== undefined);
  assert.deepEqual([read?.versions, read?.differences, more.length], [1, 0, 0]);
  assert.equal(await readNightly(parts), undefined, 'a node whose clock is late finds it done');
  await rows(db, `UPDATE verifications SET began_at = now() - interval '13 hours'`);
  assert.equal((await readNightly(parts))?.versions, 1);
  assert.equal((await verificationStatus(db)).round.versions, 2);
});
