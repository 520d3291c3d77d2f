import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, open, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { run } from '../../src/base/os/run.js';
import { inDatabase, whileOpen } from '../../src/database/data-source.js';
import { readInstance } from '../../src/database/instance.js';
import { rows, type Queryable } from '../../src/database/sql.js';
import { lockHome } from '../../src/ops/home.js';
import { sumOfFile } from '../../src/ops/backup/repository.js';
import { generationsIn, resultOf, type MadeBackup } from '../../testkit/backups.js';
import { fails, newHome, start } from '../../testkit/command.js';
import { homeWithCluster } from '../../testkit/copied-home.js';
import { blankDatabase } from '../../testkit/database.js';
import { bytesOf } from '../../testkit/fetch.js';
import { hosted } from '../../testkit/hosted-command.js';
import { Linker } from '../../testkit/links.js';
import { longForm } from '../../testkit/long-form.js';
import { readPhoto } from '../../testkit/photos.js';
import { filePart } from '../../testkit/pictures.js';
import { readUntil } from '../../testkit/read-until.js';
import type { Image } from '../../testkit/records.js';
import { lastFirst, type Scope } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

interface Restored {
  readonly ok: boolean;
  readonly objects: number;
  readonly damaged: readonly string[];
  readonly moved_aside: string | null;
  readonly migrations_applied: readonly string[];
  readonly rekeyed: { readonly signing_keys: number; readonly webhooks: number } | null;
}

const scope = lastFirst({ after });
const service = await ownService(scope);
const album = await service.user();
const root = await temporaryDirectory('restore');
scope.after(() => rm(root, { recursive: true, force: true }));
const { url = '' } = service.db.options as { url?: string };
const dir = join(root, 'backup');
const passphrase = 'correct horse battery staple';
const env = { IMGSTORE_BACKUP_PASSPHRASE: passphrase };

for (let n = 0; n < 4; n += 1) await album.upload();
const heic = { image_data: filePart(await readPhoto('grid.heic')) };
const { result: whole } = await album.call<Image>('POST', '/images', { form: heic });
await bytesOf(whole.full_url ?? '');
await new Linker(service.client, album).create({ kind: 'view', image_ids: [whole.id] });
const on = ['--home', service.home.dir, '--database-url', url, '--json'];
const platform = await service.platform();
const webhook = await resultOf<{ id: string }>(
  hosted(['webhook', 'create', '--platform', platform.id, '--url', 'https://a.example', ...on]),
);
const made = await resultOf<MadeBackup>(hosted(['backup', dir, '--with-secrets', ...on], { env }));

/** Used instead of a passphrase, from which deriving a key takes two seconds. */
const withKey = ['--master-key-file', join(service.home.secrets, 'master.key')];

const { id: instanceId } = await readInstance(service.db);

/** In the order in which they are hashed. */
const fieldsOfRecord = [
  'format',
  'id',
  'instance_id',
  'imgstore',
  'taken_at',
  'finished_at',
  'platform_id',
  'postgresql',
  'migrations',
  'objects',
  'object_bytes',
  'faults',
  'manifest',
  'dump',
  'secrets',
  'sequence',
];

/** Every object of a store with its hash. */
async function contentsOf(store: string): Promise<Map<string, string>> {
  const files = await readdir(store, { recursive: true, withFileTypes: true });
  const found = new Map<string, string>();
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    found.set(path.slice(store.length), (await sumOfFile(path)).sha256);
  }
  return found;
}

const into = async (parent: Scope) => {
  const home = await newHome(parent);
  return { home, database: (await blankDatabase(parent)).url };
};

describe('imgstore restore', () => {
  test('restores rows, objects, and secrets into an empty home and database; tokens work as before', async (t) => {
    assert.equal(made.secrets, true);
    const { home, database } = await into(lastFirst(t));
    const words = ['restore', dir, '--home', home.dir, '--database-url', database, '--json'];
    // test/backup/older.test.ts decrypts the secrets with the passphrase.
    const restoring = longForm ? hosted(words, { env }) : hosted([...words, ...withKey]);
    const restored = await resultOf<Restored>(restoring);
    assert.deepEqual(
      [restored.ok, restored.objects, restored.damaged, restored.moved_aside],
      [true, made.objects, [], null],
    );
    const contents = await contentsOf(home.store);
    assert.deepEqual(contents, await contentsOf(service.home.store));
    const keys = [...contents.keys()];
    assert.equal(keys.filter((key) => key.endsWith('/full.jpg')).length, 1, 'the whole picture');
    assert.equal(existsSync(home.restoring), false);
    assert.match(await readFile(home.configFile, 'utf8'), /^database\.url: /m);
    const key = (place: string): Promise<string> => readFile(join(place, 'master.key'), 'utf8');
    assert.equal(await key(home.secrets), await key(service.home.secrets));
    const verified = await hosted(['verify', 'accounts', '--home', home.dir, '--json']);
    assert.equal(verified.code, 0, verified.stdout);

    const filled = { code: 'not_empty', setting: 'home', remedy: '--force' };
    await fails(hosted([...words, ...withKey]), 1, filled);
    await fails(hosted([...words, ...withKey, '--force']), 1, {
      code: 'not_empty',
      setting: 'database.url',
      remedy: 'CREATE DATABASE',
    });
  });

  test('into a home with another database, which --force moves aside', async (t) => {
    const inner = lastFirst(t);
    const home = await homeWithCluster(inner);
    const other = randomBytes(32).toString('base64url');
    await writeFile(join(home.secrets, 'master.key'), other, { mode: 0o600 });
    // Creating a private one takes twice the time of this whole test.
    const to = longForm ? [] : ['--database-url', (await blankDatabase(inner)).url];
    const words = ['restore', dir, '--home', home.dir, '--json', ...withKey, ...to];
    await fails(hosted(words), 1, { code: 'not_empty', setting: 'home', about: 'master key' });
    const forced = await resultOf<Restored>(hosted([...words, '--force']));
    assert.equal(forced.ok, true);
    assert.ok(existsSync(join(forced.moved_aside ?? '', 'database/cluster')));
  });

  test('holds the home before it moves anything: a service may start while a key is awaited', async (t) => {
    const inner = lastFirst(t);
    const home = await homeWithCluster(inner);
    const pipe = join(root, 'key');
    assert.equal((await run('mkfifo', [pipe])).code, 0);
    const { url: database } = await blankDatabase(inner);
    const to = ['--home', home.dir, '--database-url', database, '--force', '--json'];
    const restoring = hosted(['restore', dir, '--master-key-file', pipe, ...to]);
    const key = await open(pipe, 'w'); // once the restore waits for it
    const lock = await lockHome(home);
    await key.writeFile(await readFile(join(service.home.secrets, 'master.key')));
    await key.close();
    await fails(restoring, 1, { code: 'in_use', setting: 'home' });
    await lock.release();
    const moved = (await readdir(home.dir)).filter((name) => name.startsWith('replaced-'));
    assert.deepEqual(moved, []);
    assert.ok(existsSync(join(home.database, 'cluster')));
  });

  test('resumes after kill -9 while restoring rows or objects', async (t) => {
    const { home, database } = await into(lastFirst(t));
    const words = ['restore', dir, '--home', home.dir, '--database-url', database, ...withKey];
    for (const said of [...(longForm ? [/^Restoring 2/m] : []), /^Restoring objects/m]) {
      const child = start(words);
      const ended = once(child, 'exit');
      await readUntil(child.stderr, said);
      child.kill('SIGKILL');
      await ended;
      assert.ok(existsSync(home.restoring), 'it was not finished');
    }
    const note = { generation: made.generation, instance_id: instanceId };
    const noted = await readFile(home.restoring, 'utf8');
    await writeFile(home.restoring, JSON.stringify({ ...note, generation: 'other' }));
    await fails(hosted([...words, '--json']), 1, {
      code: 'not_empty',
      setting: 'home',
      remedy: '--generation other',
    });
    await writeFile(home.restoring, noted);
    const resume = () => resultOf<Restored>(hosted([...words, '--json']));
    const resumed = await resume();
    assert.deepEqual([resumed.ok, resumed.objects], [true, made.objects]);
    assert.deepEqual(await contentsOf(home.store), await contentsOf(service.home.store));

    if (!longForm) return;
    // As if it had been killed before the last of the objects.
    await rm(join(home.store, 'instance.json'));
    const [some = ''] = [...(await contentsOf(home.store)).keys()];
    await rm(join(home.store, some));
    await writeFile(home.restoring, JSON.stringify(note));
    assert.equal((await resume()).ok, true);
    assert.deepEqual(await contentsOf(home.store), await contentsOf(service.home.store));
  });

  test('needs the right passphrase, from a file or a terminal', async (t) => {
    const { home, database } = await into(lastFirst(t));
    const words = ['restore', dir, '--home', home.dir, '--database-url', database, '--json'];
    const wrong = { IMGSTORE_BACKUP_PASSPHRASE: 'x' };
    await fails(hosted(words, { env: wrong }), 1, {
      code: 'wrong_key',
      setting: 'backup.passphrase',
      remedy: 'IMGSTORE_BACKUP_PASSPHRASE',
    });
    await fails(hosted(words), 2, { remedy: 'IMGSTORE_BACKUP_PASSPHRASE' });
    assert.equal(existsSync(home.dir), false, 'nothing was created');
  });

  test('with a new master key if the old one is lost: new tokens work, old ones do not', async (t) => {
    const inner = lastFirst(t);
    const { home, database } = await into(inner);
    const here = ['--home', home.dir, '--database-url', database, '--json'];
    const restoring = ['restore', dir, '--new-master-key', ...here];
    await fails(hosted([...restoring, ...withKey]), 2, { about: '--new-master-key' });
    const restored = await resultOf<Restored>(hosted(restoring));
    assert.deepEqual(
      [restored.ok, restored.rekeyed?.webhooks, (restored.rekeyed?.signing_keys ?? 0) > 0],
      [true, 1, true],
    );
    const admin = await resultOf<{ access_token: string }>(hosted(['admin', 'token', ...here]));
    const stateOf = async (token: string): Promise<string> => {
      const path = join(root, 'token');
      await writeFile(path, token);
      const { stdout } = await hosted(['token', 'inspect', path, ...here]);
      return stdout;
    };
    assert.match(await stateOf(admin.access_token), /"valid"/);
    assert.doesNotMatch(await stateOf(platform.token), /"valid"/);
    const [paused] = await resultOf<{ id: string; paused_reason: string }[]>(
      hosted(['webhook', 'list', '--platform', platform.id, ...here]),
    );
    assert.equal(paused?.id, webhook.id);
    assert.match(paused.paused_reason, /without the master key/);
    const acts = await resultOf<{ act: string }[]>(hosted(['audit', ...here]));
    assert.ok(acts.some(({ act }) => act === 'keys.replace'));
    // It opens as before, but nobody can read its URL again.
    const [link] = await resultOf<{ url: string | null }[]>(
      hosted(['link', 'list', '--user', album.id, ...here]),
    );
    assert.equal(link?.url, null);
  });

  test('as a clone, which is another installation: nothing issued before is valid, ids stay', async (t) => {
    const { home, database } = await into(lastFirst(t));
    const target = ['--home', home.dir, '--database-url', database];
    const here = [...target, '--json'];
    const words = ['restore', dir, '--as-clone', ...target, ...withKey];
    const child = start(words);
    const ended = once(child, 'exit');
    await readUntil(child.stderr, /^Restoring objects/m); // it has its id by then
    child.kill('SIGKILL');
    await ended;
    const sentinel = async (): Promise<unknown> =>
      JSON.parse(await readFile(join(home.store, 'instance.json'), 'utf8'));
    const begun = await sentinel();
    const clone = await resultOf<Restored & { instance_id: string }>(hosted([...words, '--json']));
    assert.deepEqual(begun, { instance_id: clone.instance_id });
    assert.notEqual(clone.instance_id, instanceId);
    assert.deepEqual([clone.ok, clone.objects, await sentinel()], [true, made.objects, begun]);
    const key = (place: string): Promise<string> => readFile(join(place, 'master.key'), 'utf8');
    assert.notEqual(await key(home.secrets), await key(service.home.secrets));
    await writeFile(join(root, 'token'), platform.token);
    const { stdout } = await hosted(['token', 'inspect', join(root, 'token'), ...here]);
    assert.doesNotMatch(stdout, /"valid"/);
    const [paused] = await resultOf<{ id: string; paused_reason: string }[]>(
      hosted(['webhook', 'list', '--platform', platform.id, ...here]),
    );
    assert.equal(paused?.id, webhook.id);
    assert.match(paused.paused_reason, /as a clone/);
    const links = (of: Queryable) =>
      rows<{ id: string; hash: string }>(
        of,
        "SELECT id, encode(secret_hash, 'hex') AS hash FROM links",
      );
    const [before] = await links(service.db);
    const [after] = await whileOpen(inDatabase(service.db, database), links);
    assert.equal(after?.id, before?.id);
    assert.notEqual(after?.hash, before?.hash);
    const [link] = await resultOf<{ url: string | null }[]>(
      hosted(['link', 'list', '--user', album.id, ...here]),
    );
    assert.equal(link?.url, null);
  });

  test('without secrets in the backup, needs the master key in a file; lists lost objects', async (t) => {
    const bare = join(root, 'bare');
    await resultOf(hosted(['backup', bare, '--copy', ...on]));
    const pool = join(bare, 'objects');
    const thumb = (await readdir(pool, { recursive: true })).find((path) => path.includes('thumb'));
    await writeFile(join(pool, thumb ?? ''), 'damaged');
    const { home, database } = await into(lastFirst(t));
    const words = ['restore', bare, '--home', home.dir, '--database-url', database, '--json'];
    await fails(hosted(words), 78, { code: 'wrong_key', remedy: '--master-key-file' });
    const restored = await resultOf<Restored>(hosted([...words, ...withKey]), 3);
    assert.deepEqual(restored.damaged, [thumb]);

    const [id = ''] = await generationsIn(bare);
    const dump = join(bare, 'generations', id, 'database.dump');
    await writeFile(dump, 'x');
    await fails(hosted([...words, ...withKey]), 1, { code: 'damaged', about: 'database.dump' });
  });

  test('tells whether the installation made it; refuses one that was changed; links are no files', async (t) => {
    const inner = lastFirst(t);
    const copy = join(root, 'changed');
    await cp(dir, copy, { recursive: true });
    const record = join(copy, 'generations', made.generation, 'backup.json');
    const parsed = JSON.parse(await readFile(record, 'utf8')) as Record<string, unknown>;
    const { checksum, mac, ...rest } = parsed;
    assert.match(String(mac), /^[0-9a-f]{64}$/);
    const forge = async (changes: object, code: unknown): Promise<void> => {
      const changed: Record<string, unknown> = { ...rest, ...changes };
      const document = Object.fromEntries(fieldsOfRecord.map((name) => [name, changed[name]]));
      const sum = createHash('sha256').update(JSON.stringify(document)).digest('hex');
      await writeFile(record, JSON.stringify({ ...document, checksum: sum, mac: code }));
    };
    const into = async (...words: string[]): Promise<string[]> => {
      const home = await newHome(inner);
      const { url: database } = await blankDatabase(inner);
      const target = ['--home', home.dir, '--database-url', database, '--json'];
      return ['restore', copy, ...target, ...withKey, ...words];
    };
    await forge({}, mac);
    assert.equal(parsed.checksum, checksum);
    const whole = await resultOf<{ authenticated: boolean }>(hosted(await into()));
    assert.equal(whole.authenticated, true);

    await forge({ taken_at: '2020-01-01T00:00:00.000Z' }, mac);
    await fails(hosted(await into()), 1, { code: 'not_authentic', remedy: '--unauthenticated' });
    const verify = ['verify', 'backup', copy, '--home', service.home.dir, '--json'];
    const { faults } = await resultOf<{ faults: { kind: string }[] }>(
      hosted([...verify, '--scratch', (await blankDatabase(inner)).url]),
      3,
    );
    assert.deepEqual(
      faults.map(({ kind }) => kind),
      ['mac'],
    );

    // Without a code, like an older one; its links lead to a file with the bytes of an object.
    await forge({}, undefined);
    const [key = ''] = (await readdir(join(copy, 'objects'), { recursive: true })).filter((path) =>
      path.includes('thumb'),
    );
    const outside = join(root, 'outside');
    await rename(join(copy, 'objects', key), outside);
    await symlink(outside, join(copy, 'objects', key));
    await fails(hosted(await into()), 1, { code: 'not_authentic', remedy: '--unauthenticated' });
    const trusting = hosted(await into('--unauthenticated'));
    const unknown = await resultOf<Restored & { authenticated: boolean }>(trusting, 3);
    assert.deepEqual([unknown.authenticated, unknown.damaged], [false, [key]]);
  });

  test('refuses a home that is being served', async () => {
    const served = ['restore', dir, '--home', service.home.dir, '--json'];
    await fails(hosted(served, { env }), 1, { code: 'in_use', remedy: 'kill ' });
  });
});
