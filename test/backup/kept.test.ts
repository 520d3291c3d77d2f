import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { reclaimOnce } from '../../src/library/reclaim/reclaim.js';
import {
  generationsIn,
  manifestOf,
  resultOf,
  scratchUrl,
  verifyBackup,
  type MadeBackup,
  type VerifiedBackup,
  renameGeneration,
} from '../../testkit/backups.js';
import { fails } from '../../testkit/command.js';
import { eventually } from '../../testkit/eventually.js';
import { hosted } from '../../testkit/hosted-command.js';
import type { Image } from '../../testkit/records.js';
import { lastFirst } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

interface Pruned {
  readonly dry_run: boolean;
  readonly removed: readonly string[];
  readonly kept: readonly string[];
  readonly objects: number;
  readonly last_good: string | null;
  readonly blocked: boolean;
  readonly doubtful: readonly { readonly generation: string }[];
}

interface Listed {
  readonly backups: readonly {
    readonly generation: string;
    readonly sequence: number | null;
    readonly doubt: string | null;
  }[];
}

const scope = lastFirst({ after });
const service = await ownService(scope);
const album = await service.user();
const scratch = await scratchUrl(scope);
const root = await temporaryDirectory('kept');
scope.after(() => rm(root, { recursive: true, force: true }));
const { url = '' } = service.db.options as { url?: string };
const { store } = service.home;

const on = ['--home', service.home.dir, '--database-url', url, '--json'];
const backUp = (dir: string, code = 0, ...args: string[]) =>
  resultOf<MadeBackup>(hosted(['backup', dir, ...args, ...on]), code);

const recordOf = (dir: string, id: string): string => join(dir, 'generations', id, 'backup.json');

/** Changes the record of a generation, which is no longer what was written. */
async function changeRecord(
  dir: string,
  id: string,
  change: (text: string) => string,
): Promise<void> {
  await writeFile(recordOf(dir, id), change(await readFile(recordOf(dir, id), 'utf8')));
}

const withoutMac = (text: string): string => text.replace(/,\s*"mac": "\w+"/, '');

/** Permanently deletes an image, and its objects. */
async function destroy(id: string): Promise<void> {
  await album.put<Image>(`/images/${id}`, { delete: 'True' });
  const emptying = hosted(['trash', 'empty', '--user', album.id, '--yes', ...on]);
  assert.equal((await emptying).code, 0);
  await reclaimOnce({ dataSource: service.db, store: service.service.store });
}

/** Every file in the pool with its bytes. */
async function poolOf(dir: string): Promise<Map<string, Buffer>> {
  const pool = join(dir, 'objects');
  const files = await readdir(pool, { recursive: true, withFileTypes: true });
  const found = new Map<string, Buffer>();
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    found.set(path.slice(pool.length + 1), await readFile(path));
  }
  return found;
}

for (let n = 0; n < 3; n += 1) await album.upload();

describe('a backup only adds', () => {
  for (const args of [[], ['--copy']]) {
    test(`a good copy stays where the store has a bad one or none, whatever the record says ${args.join('')}`, async (t) => {
      const dir = join(root, `bad${args.join('')}`);
      const { generation } = await backUp(dir, 0, '--copy');
      const before = await poolOf(dir);
      await changeRecord(dir, generation, withoutMac);
      const [broken = '', lost = ''] = [...before.keys()].filter((key) => key.includes('original'));
      const [thumb = ''] = [...before.keys()].filter((key) => key.includes('thumb'));
      lastFirst(t).after(async () => {
        for (const key of [broken, lost, thumb]) {
          await rm(join(store, key), { force: true });
          await writeFile(join(store, key), before.get(key) ?? '');
        }
      });
      await appendFile(join(store, broken), 'x');
      await rm(join(store, lost));
      await rm(join(store, thumb));
      const made = await backUp(dir, 3, ...args);
      assert.deepEqual(await poolOf(dir), before);
      assert.deepEqual(made.doubtful, [{ generation, reason: made.doubtful[0]?.reason }]);
      assert.match(made.doubtful[0]?.reason ?? '', /master key/);
      assert.deepEqual(made.lost, [thumb]); // no hash proves the copy of a rendition
      const proved = await verifyBackup(dir, scratch, ['--generation', made.generation]);
      assert.equal(proved.json<VerifiedBackup>().ok, true, proved.stdout);
    });
  }

  test('a copy that is proved wrong is replaced by the right one', async () => {
    const dir = join(root, 'wrong');
    const { generation } = await backUp(dir, 0, '--copy');
    const before = await poolOf(dir);
    await changeRecord(dir, generation, withoutMac);
    const [key = ''] = [...before.keys()].filter((name) => name.includes('original'));
    const flipped = Buffer.from(before.get(key) ?? '');
    flipped[9] = (flipped[9] ?? 0) ^ 1;
    await writeFile(join(dir, 'objects', key), flipped);
    const { lost } = await backUp(dir, 3);
    assert.deepEqual([lost, await poolOf(dir)], [[], before]);
  });

  test('backups whose records are not what was written are kept with their objects, and named', async () => {
    const dir = join(root, 'records');
    const damages: Readonly<Record<string, (text: string) => string>> = {
      'with a flipped bit': (text) => text.replace('"objects"', '"objecus"'),
      empty: () => '',
      'with a field of a newer version': (text) => text.replace('{', '{ "era": 2,'),
      'without a code': withoutMac,
      'with another code': (text) => text.replace(/"mac": "\w+"/, `"mac": "${'0'.repeat(64)}"`),
    };
    const { id } = await album.upload();
    const damaged = new Map<string, string>();
    for (const what of Object.keys(damages)) damaged.set((await backUp(dir)).generation, what);
    await destroy(id);
    await backUp(dir);
    const before = await poolOf(dir);
    for (const [generation, what] of damaged) {
      await changeRecord(dir, generation, damages[what] ?? String);
    }
    const { doubtful, removed } = await backUp(dir, 3, '--keep', '1');
    const named = doubtful.map(({ generation }) => damaged.get(generation) ?? generation);
    assert.deepEqual(named.toSorted(), Object.keys(damages).toSorted());
    for (const [generation, what] of damaged) {
      assert.equal(removed.includes(generation), false, what);
      assert.ok(existsSync(recordOf(dir, generation)), what);
      assert.ok(existsSync(join(dir, 'generations', generation, 'database.dump')), what);
    }
    assert.deepEqual(await poolOf(dir), before);
  });

  test('hashes stay known while a starting service empties the folder of uploads', async (t) => {
    const dir = join(root, 'restarted');
    const { objects } = await backUp(dir, 0, '--copy');
    const before = await poolOf(dir);
    const [thumb = ''] = [...before.keys()].filter((name) => name.includes('thumb'));
    const runner = service.db.createQueryRunner();
    await runner.startTransaction();
    await runner.query('LOCK TABLE webhooks IN ACCESS EXCLUSIVE MODE');
    const running = hosted(['backup', dir, '--copy', ...on]);
    await eventually('pg_dump waits for the table', async () => {
      const waiting = await service.db.query<unknown[]>(
        `SELECT FROM pg_stat_activity WHERE application_name = 'pg_dump' AND wait_event_type = 'Lock'
           AND datname = current_database()`,
      );
      return waiting.length > 0;
    });
    // The folders in it are in use: the service of this test goes on.
    for (const entry of await readdir(service.home.incoming, { withFileTypes: true })) {
      if (entry.isFile()) await rm(join(service.home.incoming, entry.name));
    }
    await rename(join(store, thumb), join(root, 'aside'));
    lastFirst(t).after(() => rename(join(root, 'aside'), join(store, thumb)));
    await runner.commitTransaction();
    await runner.release();
    const { objects_reused } = await resultOf<MadeBackup>(running);
    assert.deepEqual([objects_reused, await poolOf(dir)], [objects, before]);
  });

  test('the order of backups is that in which they were made, whatever the clock said', async () => {
    const dir = join(root, 'clock');
    const { generation } = await backUp(dir);
    const later = `29991231T000000Z${generation.slice(-9)}`;
    await renameGeneration(dir, generation, later, service.home);
    const next = await backUp(dir, 0, '--keep', '1');
    assert.deepEqual([next.removed, await generationsIn(dir)], [[later], [next.generation]]);
    const { generation: latest } = await resultOf<VerifiedBackup>(verifyBackup(dir, scratch));
    assert.equal(latest, next.generation);
    assert.equal((await manifestOf(dir, latest)).length, next.objects);
  });
});

describe('imgstore backup prune', () => {
  const prune = (dir: string, code: number, ...args: string[]) =>
    resultOf<Pruned>(hosted(['backup', 'prune', dir, ...args, ...on]), code);
  const list = (dir: string, code = 0) =>
    resultOf<Listed>(hosted(['backup', 'list', dir, ...on]), code);

  test('removes all but the latest, after a plan that removes nothing', async () => {
    const dir = join(root, 'pruned');
    const { id } = await album.upload();
    const first = await backUp(dir);
    await destroy(id);
    const second = await backUp(dir);
    const third = await backUp(dir);
    const whole = await poolOf(dir);
    const stray = join(dir, 'objects', [...whole.keys()][0]?.replace('.', '-stray.') ?? '');
    await writeFile(stray, 'x');
    const plan = await prune(dir, 0, '--keep', '2', '--dry-run');
    assert.deepEqual(
      [plan.removed, plan.kept, plan.objects, plan.last_good],
      [
        [first.generation],
        [second.generation, third.generation],
        whole.size - second.objects + 1,
        null,
      ],
    );
    assert.equal((await poolOf(dir)).size, whole.size + 1);
    const done = await prune(dir, 0, '--keep', '2');
    assert.deepEqual(done, { ...plan, dry_run: false });
    const { backups } = await list(dir);
    assert.deepEqual(
      backups.map(({ generation, sequence, doubt }) => [generation, sequence, doubt]),
      [
        [second.generation, 2, null],
        [third.generation, 3, null],
      ],
    );
    const left = [...(await poolOf(dir)).keys()].sort();
    const needed = (await manifestOf(dir, third.generation)).map(({ key }) => key);
    assert.deepEqual(left, needed.sort());
    assert.equal(existsSync(join(dir, 'unfinished.json')), false);
  });

  test('keeps the last good backup, and removes nothing while one cannot be understood', async () => {
    const dir = join(root, 'last-good');
    const good = await backUp(dir, 0, '--copy');
    const bad = await backUp(dir);
    await writeFile(join(dir, 'generations', bad.generation, 'database.dump'), 'x');
    const { removed, last_good } = await prune(dir, 0, '--keep', '1');
    assert.deepEqual([removed, last_good], [[], good.generation]);
    const next = await backUp(dir);
    const manifest = join(dir, 'generations', good.generation, 'manifest.ndjson');
    const text = await readFile(manifest);
    await writeFile(manifest, '');
    const blocked = await prune(dir, 3, '--keep', '1');
    assert.deepEqual(
      [blocked.removed, blocked.blocked, blocked.doubtful.map(({ generation }) => generation)],
      [[], true, [good.generation]],
    );
    await writeFile(manifest, text);
    const done = await prune(dir, 0, '--keep', '1');
    assert.deepEqual(
      [done.removed, done.kept],
      [[good.generation, bad.generation], [next.generation]],
    );
  });

  test('a backup that lacks an object is not good', async () => {
    const dir = join(root, 'lacking');
    const good = await backUp(dir, 0, '--copy');
    const { id } = await album.upload();
    const next = await backUp(dir, 0, '--copy');
    const keys = (await manifestOf(dir, next.generation)).map(({ key }) => key);
    const path = join(dir, 'objects', keys.find((key) => key.includes(id)) ?? '');
    const bytes = await readFile(path);
    await rm(path);
    const { removed, last_good } = await prune(dir, 0, '--keep', '1');
    assert.deepEqual([removed, last_good], [[], good.generation]);
    await writeFile(path, bytes);
    assert.deepEqual((await prune(dir, 0, '--keep', '1')).removed, [good.generation]);
    await destroy(id);
  });

  test('a killed one is completed; a folder without its record is kept', async () => {
    const dir = join(root, 'killed-prune');
    const first = await backUp(dir);
    const second = await backUp(dir);
    await rm(recordOf(dir, first.generation));
    const { backups } = await list(dir, 3);
    // Without its record, it has no place among those that were made at the same time.
    const lacking = backups.find(({ generation }) => generation === first.generation);
    assert.match(lacking?.doubt ?? '', /no backup\.json/);
    assert.deepEqual((await prune(dir, 3, '--keep', '1')).removed, []);
    assert.equal((await generationsIn(dir)).length, 2);
    const noted = { generations: [first.generation, second.generation] };
    await writeFile(join(dir, 'unfinished.json'), JSON.stringify(noted));
    assert.deepEqual((await prune(dir, 0, '--keep', '1')).kept, [second.generation]);
    assert.deepEqual(await generationsIn(dir), [second.generation]);
    await fails(hosted(['backup', 'prune', dir, ...on]), 2, { setting: '--keep' });
  });
});
