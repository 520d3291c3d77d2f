import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { tryWithLock } from '../../src/database/locks.js';
import { rows } from '../../src/database/sql.js';
import { quarantineDay, quarantineKey } from '../../src/store/object-key.js';
import type { Verified } from '../../src/ops/verify/verify.js';
import { start, type Failure } from '../../testkit/command.js';
import { eventually } from '../../testkit/eventually.js';
import { hosted } from '../../testkit/hosted-command.js';
import { longForm } from '../../testkit/long-form.js';
import { operate } from '../../testkit/operator.js';
import { ownService } from '../../testkit/service.js';
import { bytesOf, listed } from '../../testkit/store/harness.js';
import { keysOf, strayFile } from './checking.js';

const service = await ownService({ after });
const { db, home } = service;
const { store } = service.service;
/** The day on which the first object was quarantined, even if midnight has passed since. */
let today = '';
const album = await service.user();
await album.upload();

/** An orphan that is older than the grace period. */
async function oldStray(key: string, bytes = `bytes of ${key}`): Promise<string> {
  await strayFile(service, key, bytes);
  await utimes(join(home.store, key), new Date(), new Date(Date.now() - 3 * 3_600_000));
  return key;
}

const plain = async (...args: string[]) => {
  const { url } = db.options as { url?: string };
  return hosted([...args, '--home', home.dir, '--database-url', url ?? '']);
};

const errorOf = async (...args: string[]): Promise<[number | null, Failure['error']]> => {
  const { code, json } = await operate(service, args);
  return [code, json<Failure>().error];
};

describe('on the terminal', () => {
  test('verify exits with 3 if it finds differences, prints them with remedies, and repairs them', async () => {
    const began = new Date();
    await oldStray('lost/a.jpg');
    const deleted = await album.upload();
    await album.put(`/images/${deleted.id}`, { delete: 'True' });
    assert.equal((await album.call('DELETE', `/trash/${deleted.id}`)).status, 200);
    const { id } = await album.upload();
    const [original = ''] = await keysOf(service, id);
    await store.move(original, quarantineKey({ day: '2026-01-05', key: original }));
    const found = await plain('verify');
    assert.equal(found.code, 3);
    assert.match(found.stdout, /^object_orphan {5}lost\/a\.jpg$/m);
    assert.ok(found.stdout.includes(`image ${id}, user ${album.id}: ${original}`), found.stdout);
    assert.match(found.stdout, /2 differences; 2 stored versions, \d objects\./);
    assert.match(found.stdout, /\d objects \(.*\) of deleted images wait 48 hours for deletion\./);
    assert.match(found.stdout, /Remedy: Run ".*verify --repair".*quarantine/);

    const repaired = await plain('verify', '--repair', '--deep');
    assert.equal(repaired.code, 0, repaired.stdout);
    assert.match(repaired.stdout, /Put back 1 object from quarantine/);
    assert.match(repaired.stdout, /Moved 1 object \(19 bytes\) into quarantine/);
    assert.match(repaired.stdout, /Everything is in its place: .*of 2 versions read\.$/m);

    const list = await plain('quarantine', 'list');
    [, today = ''] = /^DATE .*\n([\d-]{10}) {2}1 {8}19 bytes\n$/.exec(list.stdout) ?? [];
    assert.ok([quarantineDay(began), quarantineDay(new Date())].includes(today), list.stdout);
    const day = await operate(service, ['quarantine', 'list', today]);
    assert.deepEqual(day.json(), { date: today, objects: [{ key: 'lost/a.jpg', bytes: 19 }] });
    assert.match((await plain('quarantine', 'list', '2020-01-01')).stdout, /^Nothing was moved/);
    const { verification } = (await operate(service, ['status'])).json<{
      verification: { differences: number; round_ended_at: string | null };
    }>();
    assert.equal(verification.differences, 0);
    assert.ok(verification.round_ended_at);
  });

  test('quarantine restores a day or a key, and never over another object', async () => {
    await oldStray('lost/b.jpg');
    assert.equal((await plain('verify', '--repair')).code, 0);
    assert.equal((await plain('quarantine', 'restore', 'lost/b.jpg')).code, 0);
    assert.equal(String(await bytesOf(store, 'lost/b.jpg')), 'bytes of lost/b.jpg');
    await strayFile(service, 'lost/a.jpg', 'somebody else');
    const taken = await operate(service, ['quarantine', 'restore', today]);
    assert.deepEqual(
      [taken.code, taken.json()],
      [1, { objects: 0, bytes: 0, taken: ['lost/a.jpg'] }],
    );
    await store.delete(['lost/a.jpg']);
    assert.equal((await plain('quarantine', 'restore', today)).code, 0);
    assert.equal((await plain('quarantine', 'list')).stdout, 'The quarantine is empty.\n');
    const [code, error] = await errorOf('quarantine', 'restore', today);
    assert.deepEqual([code, error.code], [1, 'missing']);
  });

  test('purge deletes only old objects, asks first, and keeps objects that a row needs', async () => {
    await oldStray('lost/c.jpg');
    const { id } = await album.upload();
    const [needed = ''] = await keysOf(service, id);
    const old = quarantineKey({ day: '2026-01-05', key: needed });
    assert.equal((await plain('verify', '--repair')).code, 0);
    await store.move(needed, old);
    const [refused, error] = await errorOf('quarantine', 'purge');
    assert.deepEqual([refused, error.setting], [2, '--yes']);
    const purged = await operate(service, ['quarantine', 'purge', '--yes']);
    assert.deepEqual([purged.code, purged.json()], [3, { objects: 0, bytes: 0, needed: 1 }]);
    assert.ok(await store.stat(old));
    assert.equal((await plain('verify', '--repair')).code, 0);
    const all = await operate(service, ['quarantine', 'purge', '--older-than', '1s', '--yes']);
    assert.equal(all.json<{ needed: number }>().needed, 0);
    assert.deepEqual(await listed(store, 'quarantine/'), []);
  });

  test('usage errors name the flag and what to type instead', async () => {
    for (const [args, setting, call] of [
      [['verify', '--bytes', '1GB'], '--bytes', 'verify --deep'],
      [['verify', '--deep', '--bytes', 'much'], '--bytes', 'verify --deep'],
      [['verify', '--deep', '--bytes', '0'], '--bytes', 'verify --deep'],
      [['quarantine', 'purge', '--older-than', 'long'], '--older-than', 'quarantine purge'],
      [['quarantine', 'list', 'yesterday'], 'date', 'quarantine list'],
    ] as const) {
      const [code, error] = await errorOf(...args);
      assert.deepEqual([code, error.setting], [2, setting], args.join(' '));
      assert.ok(error.remedy?.includes(call), error.remedy);
    }
    assert.equal((await operate(service, ['verify', '--night'])).code, 2);
  });

  test('a second run reports the first one, and nothing runs while objects move', async () => {
    await tryWithLock(db, 'verification', async () => {
      for (const args of [['verify'], ['quarantine', 'restore', today]]) {
        const [code, error] = await errorOf(...args);
        assert.deepEqual([code, /Another process/.test(error.message)], [1, true]);
      }
    });
    await rows(db, `UPDATE instance SET second_store = 's3', moving = true`);
    try {
      // A service without S3 settings cannot open the second store.
      const { code } = await operate(service, ['verify', '--repair']);
      assert.equal(code, 78);
    } finally {
      await rows(db, 'UPDATE instance SET second_store = NULL, moving = false');
    }
  });

  test('Ctrl-C or kill -9 at any moment of a repair loses nothing, and the next run completes it', async () => {
    const keys = await Promise.all(
      Array.from({ length: 400 }, (_, i) => oldStray(`many/${i % 20}/${i}.jpg`)),
    );
    const { url = '' } = db.options as { url?: string };
    // Polled for a long time, since repairs have a low priority: cheaper than listing objects.
    const moved = async (): Promise<number> => {
      const all = await readdir(join(home.store, 'quarantine'), { recursive: true }).catch(
        () => [],
      );
      return all.filter((path) => path.endsWith('.jpg')).length;
    };
    for (const [least, signal] of [
      [1, 'SIGINT'],
      ...(longForm ? [[100, 'SIGKILL'] as const] : []),
      [200, 'SIGKILL'],
    ] as const) {
      const args = ['verify', '--repair', '--home', home.dir, '--database-url', url];
      const child = start(args);
      child.stdout.resume();
      const said = text(child.stderr);
      const ended = once(child, 'exit');
      await eventually('some are moved', async () => (await moved()) >= least);
      child.kill(signal);
      await ended;
      if (signal === 'SIGINT') {
        assert.equal(child.exitCode, 130);
        assert.match(await said, /Interrupted\.\n {2}Remedy: {2}Run the same command again/);
      }
      assert.equal((await moved()) + (await listed(store, 'many/')).length, 400);
    }
    // The session of the killed process ends when the server notices.
    await eventually('a later run completes it', async () => {
      return (await operate(service, ['verify', '--repair'])).code === 0;
    });
    assert.deepEqual(await listed(store, 'many/'), []);
    const inQuarantine = await listed(store, 'quarantine/');
    for (const key of keys) {
      const kept = inQuarantine.find((one) => one.endsWith(`/${key}`)) ?? '';
      assert.equal(String(await bytesOf(store, kept)), `bytes of ${key}`);
    }
    assert.equal((await operate(service, ['verify'])).json<Verified>().ok, true);
  });
});

test('verify lists users whose map differs from their images, and rebuilds it', async () => {
  await album.upload({ latitude: '37.5', longitude: '127' });
  assert.equal((await plain('verify')).code, 0);
  await rows(db, 'UPDATE map_cells SET active_images = active_images + 1 WHERE user_id = $1', [
    album.id,
  ]);
  const found = await plain('verify');
  assert.equal(found.code, 3);
  assert.ok(found.stdout.includes(`user ${album.id}: differs from the images`));
  assert.match(found.stdout, /Remedy: Run ".*verify --repair".*rebuilds maps/);
  const repaired = await plain('verify', '--repair');
  assert.equal(repaired.code, 0, repaired.stdout);
  assert.ok(repaired.stdout.includes('rebuilt from the images'));
  assert.equal((await plain('verify')).code, 0);
});
