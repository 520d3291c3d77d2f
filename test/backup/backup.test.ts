import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { run } from '../../src/base/os/run.js';
import { readMasterKey } from '../../src/http/auth/secrets.js';
import { backUp } from '../../src/ops/backup/backup.js';
import { openDirectory } from '../../src/ops/backup/open-repository.js';
import type { BackupRecords } from '../../src/ops/backup/records.js';
import { reclaimOnce } from '../../src/library/reclaim/reclaim.js';
import {
  generationsIn,
  manifestOf,
  verifyBackup,
  resultOf,
  scratchUrl,
  type MadeBackup,
  type VerifiedBackup,
} from '../../testkit/backups.js';
import { fails, imgstore, start } from '../../testkit/command.js';
import { eventually } from '../../testkit/eventually.js';
import { hosted } from '../../testkit/hosted-command.js';
import { longOnly } from '../../testkit/long-form.js';
import type { Image } from '../../testkit/records.js';
import { lastFirst } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

interface Status {
  readonly backups: BackupRecords;
}

interface Drilled {
  readonly ok: boolean;
  readonly at: string;
  readonly backup: MadeBackup;
  readonly verified: VerifiedBackup;
}

const scope = lastFirst({ after });
const service = await ownService(scope);
const album = await service.user();
const scratch = await scratchUrl(scope);
const root = await temporaryDirectory('backup');
scope.after(() => rm(root, { recursive: true, force: true }));
const { url = '' } = service.db.options as { url?: string };

const on = ['--home', service.home.dir, '--database-url', url, '--json'];
const backUpTo = (dir: string, ...args: string[]) => hosted(['backup', dir, ...args, ...on]);
const made = (dir: string, ...args: string[]) => resultOf<MadeBackup>(backUpTo(dir, ...args));
const proved = (dir: string, ...args: string[]) =>
  resultOf<VerifiedBackup>(verifyBackup(dir, scratch, args));

const upload = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await album.upload()).id);
  return ids;
};

/** Permanently deletes a user's images and their objects. */
const emptyTrash = async (ids: readonly string[]): Promise<void> => {
  for (const id of ids) await album.put<Image>(`/images/${id}`, { delete: 'True' });
  const user = ['--user', album.id];
  assert.equal((await hosted(['trash', 'empty', ...user, '--yes', ...on])).code, 0);
};

/** Kills a backup that has copied some objects and waits for another one, which is a pipe for now. */
async function killWhileCopying(dir: string): Promise<void> {
  const keys = (await readdir(service.home.store, { recursive: true })).sort();
  const path = join(service.home.store, keys.findLast((key) => /\/original\.\w+$/.test(key)) ?? '');
  await rename(path, `${path}.aside`);
  assert.equal((await run('mkfifo', [path])).code, 0);
  const child = start(['backup', dir, ...on]);
  await eventually('the others are copied, and the pipe is linked', async () => {
    const pool = await readdir(join(dir, 'objects'), { recursive: true }).catch(() => []);
    return pool.length > 1 && pool.some((key) => path.endsWith(`/${key}`));
  });
  assert.equal(child.exitCode, null);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await rename(`${path}.aside`, path);
}

describe('imgstore backup', () => {
  const dir = join(root, 'main');

  test('has every object of the rows as a hard link to the store, and is verified without the home', async () => {
    await upload(3);
    const { generation, objects, objects_reused, faults } = await made(dir);
    assert.deepEqual([objects_reused, faults], [0, 0]);
    const entries = await manifestOf(dir, generation);
    assert.equal(entries.length, objects);
    for (const { key, bytes } of entries) {
      const [kept, own] = await Promise.all([
        stat(join(dir, 'objects', key)),
        stat(join(service.home.store, key)),
      ]);
      assert.deepEqual([kept.size, kept.ino], [bytes, own.ino], key);
    }
    const found = await proved(dir);
    assert.deepEqual(
      { ...found, versions: found.versions > 0 },
      {
        ...found,
        ok: true,
        generation,
        versions: true,
        objects,
        objects_read: objects,
        faults_total: 0,
      },
    );
    assert.deepEqual(await readdir(join(dir, 'unfinished')), []);
  });

  test('copies objects if requested', async () => {
    const other = join(root, 'copied');
    const { generation } = await made(other, '--copy');
    const [entry] = await manifestOf(other, generation);
    assert.equal((await stat(join(other, 'objects', entry?.key ?? ''))).nlink, 1);
  });

  test('is verified in a temporary server if no other is given', longOnly, async () => {
    const alone = hosted([
      'backup',
      'verify',
      join(root, 'copied'),
      '--home',
      service.home.dir,
      '--json',
    ]);
    assert.equal((await resultOf<VerifiedBackup>(alone)).ok, true);
  });

  test('a second backup reads only new objects; a third deletes generations beyond --keep', async () => {
    const [first = ''] = await generationsIn(dir);
    const before = await manifestOf(dir, first);
    const [gone = ''] = await upload(1);
    const second = await made(dir);
    assert.equal(second.objects_reused, before.length);
    assert.ok(second.objects > before.length);
    await emptyTrash([gone]);
    await reclaimOnce({ dataSource: service.db, store: service.service.store });
    assert.equal((await proved(dir)).ok, true, 'with an object that only the backup has');
    const third = await made(dir, '--keep', '1');
    assert.deepEqual(third.removed, [first, second.generation]);
    assert.deepEqual(await generationsIn(dir), [third.generation]);
    const left = await readdir(join(dir, 'objects'), { recursive: true, withFileTypes: true });
    assert.equal(left.filter((entry) => entry.isFile()).length, third.objects);
  });

  describe('while images are deleted', () => {
    const other = join(root, 'meanwhile');

    /** Makes a backup, and runs `work` when it has the rows and no objects yet. */
    async function backUpAround(work: () => Promise<unknown>) {
      const { home, db } = service;
      const { store } = service.service;
      let doing: Promise<unknown> | undefined;
      return backUp({
        masterKey: await readMasterKey(home),
        db,
        home,
        url,
        store: {
          check: () => store.check(),
          get: async (key) => {
            await (doing ??= work());
            return store.get(key);
          },
        },
        repository: await openDirectory(other, { home, create: true }),
        link: false,
        platformId: null,
        scratch: undefined,
        report: () => undefined,
        copied: () => undefined,
        signal: new AbortController().signal,
      });
    }
    const keysOf = (ids: readonly string[], keys: readonly string[]) =>
      keys.filter((key) => ids.some((id) => key.includes(id)));
    const job = () => hosted(['jobs', 'run', 'reclaim-objects', ...on]);

    test('it has what was deleted since it began, for as long as the delay is', async () => {
      const ids = await upload(2);
      const { generation, lost } = await backUpAround(async () => {
        await emptyTrash(ids);
        assert.equal((await job()).code, 0);
      });
      assert.deepEqual([lost, generation.faults], [[], 0]);
      const keys = (await manifestOf(other, generation.id)).map(({ key }) => key);
      assert.ok(keysOf(ids, keys).length >= 4, 'originals and thumbnails');
      assert.equal((await proved(other)).ok, true);
    });

    test('it names what was deleted early, and the next one is complete', async () => {
      const ids = await upload(2);
      const { generation, lost, deleted } = await backUpAround(async () => {
        await emptyTrash(ids);
        const now = await hosted(['store', 'reclaim', '--now', '--yes', ...on]);
        assert.equal(now.code, 0, now.stderr);
      });
      const keys = (await manifestOf(other, generation.id)).map(({ key }) => key);
      assert.deepEqual([...lost].sort(), keysOf(ids, keys).sort());
      assert.deepEqual(deleted, lost);
      assert.equal(generation.faults, lost.length);
      const next = await made(other);
      assert.deepEqual([next.faults, next.lost], [0, []]);
      assert.equal((await proved(other)).ok, true);
    });
  });

  test('a run reuses what a killed one had copied, and removes its leftovers', async () => {
    const other = join(root, 'killed');
    await killWhileCopying(other);
    assert.equal(existsSync(join(other, 'generations')), false, 'killed before it was complete');
    const resumed = await made(other);
    assert.equal(resumed.faults, 0);
    assert.ok(resumed.objects_reused > 0);
    const lists = await readdir(join(service.home.dir, 'backups'));
    assert.deepEqual(lists, [], 'its lists are removed');
    assert.equal((await generationsIn(other)).length, 1);

    // As if killed right before writing the record.
    const [id = ''] = await generationsIn(other);
    await rm(join(other, 'generations', id, 'backup.json'));
    await writeFile(join(other, 'unfinished.json'), JSON.stringify({ generations: [id] }));
    const again = await made(other);
    assert.equal(again.objects_reused, again.objects);
    assert.deepEqual(await generationsIn(other), [again.generation]);
    assert.equal((await proved(other)).ok, true);
  });

  test('a lost or damaged object in the store is reported, with exit code 3', async () => {
    const other = join(root, 'lossy');
    const [lost = '', damaged = ''] = await upload(2);
    const files = await readdir(service.home.store, { recursive: true });
    const originalOf = (id: string): string =>
      files.find((path) => path.includes(`${id}/${id}/original`)) ?? '';
    await rm(join(service.home.store, originalOf(lost)));
    await appendFile(join(service.home.store, originalOf(damaged)), 'x');
    const document = await resultOf<MadeBackup>(backUpTo(other), 3);
    assert.deepEqual([...document.lost].sort(), [originalOf(lost), originalOf(damaged)].sort());
    const { faults } = await resultOf<VerifiedBackup>(verifyBackup(other, scratch), 3);
    assert.deepEqual(
      faults.map(({ kind, subject }) => [kind, subject]).sort(),
      [
        ['object_lost', originalOf(lost)],
        ['original_damaged', originalOf(damaged)],
      ].sort(),
    );
    await emptyTrash([lost, damaged]);
  });

  test('removes and writes nothing where a symbolic link in the directory leads', async () => {
    const outside = join(root, 'outside');
    await mkdir(join(outside, 'a'), { recursive: true });
    await writeFile(join(outside, 'a/original.jpg'), 'x');
    for (const name of ['generations', 'objects', 'unfinished']) {
      const linked = join(root, `linked-${name}`);
      await mkdir(linked);
      await symlink(outside, join(linked, name));
      await fails(backUpTo(linked), 1, { code: 'symbolic_link', about: join(linked, name) });
    }
    assert.deepEqual(await readdir(outside, { recursive: true }), ['a', 'a/original.jpg']);
  });

  test('refuses other directories, backups of another installation, and missing ones', async () => {
    const strange = join(root, 'strange');
    await mkdir(strange);
    await writeFile(join(strange, 'notes.txt'), '');
    await fails(backUpTo(strange), 1, { code: 'not_empty', about: 'notes.txt' });
    const theirs = join(root, 'theirs');
    await mkdir(theirs);
    const mark = { format: 1, id: 'x', instance_id: 'y', platform_id: null };
    await writeFile(join(theirs, 'repository.json'), JSON.stringify(mark));
    await fails(backUpTo(theirs), 1, { code: 'foreign', setting: 'DIR' });
    await fails(backUpTo(join(service.home.store, 'x')), 2, {
      setting: 'DIR',
      remedy: service.home.store,
    });
    await fails(verifyBackup(join(root, 'none'), scratch), 1, { code: 'missing', setting: 'DIR' });
    await fails(verifyBackup(strange, scratch), 1, { code: 'missing', setting: 'DIR' });
    await fails(verifyBackup(dir, scratch, ['--generation', 'x']), 1, {
      code: 'missing',
      setting: '--generation',
    });
    for (const wrong of [
      ['--keep', '0'],
      ['--keep', 'all'],
    ]) {
      await fails(backUpTo(dir, ...wrong), 2, { setting: '--keep' });
    }
    await fails(verifyBackup(dir, scratch, ['--sample', '0%']), 2, { setting: '--sample' });
    assert.equal((await hosted(['backup', '--json'])).code, 2);
  });

  test('a drill makes and verifies a backup, nothing of it in /tmp, and status shows when that was', async () => {
    const other = join(root, 'drill');
    const before = (await resultOf<Status>(hosted(['status', ...on]))).backups;
    assert.equal(before.drill, null);
    const drilled = await resultOf<Drilled>(
      imgstore(['backup', 'drill', other, '--scratch', scratch, ...on], {
        env: { TMPDIR: join(root, 'no-such-folder') },
      }),
    );
    const { generation } = drilled.backup;
    assert.deepEqual([drilled.ok, drilled.verified.generation], [true, generation]);
    const { backup, drill } = (await resultOf<Status>(hosted(['status', ...on]))).backups;
    assert.deepEqual([backup?.repository, backup?.generation], [other, generation]);
    assert.deepEqual(drill, { ...drill, at: drilled.at, repository: other, ok: true, faults: 0 });
    const { stdout } = await hosted(['status', ...on.slice(0, -1)]);
    assert.match(stdout, /^backup .* ago to .*drill; proved .* ago$/m);
  });

  describe('every day', () => {
    const other = join(root, 'daily');
    const to = ['--backup-to', other];
    const daily = () => hosted(['jobs', 'run', 'make-backup', ...to, ...on]);

    test('the service makes one where the settings say, and the job fails if that lacks something', async () => {
      const { result } = await resultOf<{ result: MadeBackup }>(daily());
      assert.deepEqual(await generationsIn(other), [result.generation]);
      assert.equal((await proved(other)).ok, true);
      const [lost = ''] = await upload(1);
      const files = await readdir(service.home.store, { recursive: true });
      const original = files.find((path) => path.includes(`${lost}/${lost}/original`)) ?? '';
      await rm(join(service.home.store, original));
      const failed = await daily();
      assert.notEqual(failed.code, 0);
      assert.match(failed.stdout, /exit code 3/);
      assert.ok(failed.stdout.includes(original));
      await emptyTrash([lost]);
    });

    test('at a time of day', async () => {
      const jobs = (...more: string[]) => hosted(['jobs', 'list', ...more, ...on]);
      const listed = async (...more: string[]) =>
        (await resultOf<{ name: string; when: string }[]>(jobs(...more))).flatMap(
          ({ name, when }) => (name === 'make backup' ? [when] : []),
        );
      assert.deepEqual(await listed(...to, '--backup-schedule', '23:05'), ['5 23 * * *']);
      assert.deepEqual(await listed(), [], 'not without a place');
      const wrong = { setting: '--backup-schedule' };
      await fails(jobs(...to, '--backup-schedule', '24:00'), 2, wrong);
    });
  });

  test('a sample reads some objects and compares the sizes of all; generations kept by --keep are complete', async () => {
    const { ok, objects, objects_read } = await proved(dir, '--sample', '0.001%');
    assert.deepEqual([ok, objects > 0, objects_read], [true, true, 0]);
  });
});
