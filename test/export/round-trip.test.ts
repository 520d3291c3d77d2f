import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import type { ImageLine, Manifest } from '../../src/ops/export/format.js';
import type { FolderRecord } from '../../src/library/folders/schemas.js';
import { run as runProgram } from '../../src/base/os/run.js';
import { program, start, type Failure, type Ran } from '../../testkit/command.js';
import { eventually } from '../../testkit/eventually.js';
import { hosted } from '../../testkit/hosted-command.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { readPhoto } from '../../testkit/photos.js';
import { ascii, exif, jpegWith, named, rationals } from '../../testkit/drawn-exif.js';
import { filePart, jpeg, namedPart } from '../../testkit/pictures.js';
import type { CreatedPlatform, CreatedUser, Image } from '../../testkit/records.js';
import { lastFirst } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

const scope = lastFirst({ after });
const { home } = await initializedHome(scope);
const { client } = await serve(scope, home);
const dir = await temporaryDirectory('export');
after(() => rm(dir, { recursive: true, force: true }));

const run = (...args: string[]): Promise<Ran> => hosted([...args, '--home', home.dir, '--json']);
const done = async <T>(...args: string[]): Promise<T> => {
  const ran = await run(...args);
  assert.equal(ran.code, 0, ran.stdout);
  return ran.json<T>();
};

const platform = await done<CreatedPlatform>('platform', 'create', '--name', 'p');
let users = 0;
const newUser = (): Promise<CreatedUser> =>
  done('user', 'create', '--platform', platform.id, '--platform-user-id', `u${(users += 1)}`);

/** A user whose requests must all succeed. */
function acting({ user_id, access_token }: CreatedUser) {
  return async <R = { id: string }>(
    method: string,
    path: string,
    form: Record<string, string | Blob> = {},
  ): Promise<R> => {
    const as = ['User', access_token] as const;
    const answer = await client.request<R>(method, `/api/v1/users/${user_id}${path}`, { as, form });
    assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.error)}`);
    return answer.result;
  };
}

/** A picture that tells what its camera knew. */
const known = jpegWith(
  named(
    'Exif\0\0',
    exif({
      main: { 0x010f: ascii('Apple'), 0x0110: ascii('iPhone 15') },
      gps: { 6: rationals([[1234, 100]]), 17: rationals([[90, 1]]), 31: rationals([[5, 1]]) },
    }),
  ),
);

/** A user with data of all types. */
async function fillUser(): Promise<CreatedUser> {
  const user = await newUser();
  const act = acting(user);
  const picture = async (seed: number): Promise<Blob> =>
    filePart(await jpeg({ width: 48, height: 36, seed }));
  const folder = async (title: string, parent = ''): Promise<string> =>
    (await act('POST', '/folders', { title, ...(parent && { parent_id: parent }) })).id;
  const upload = async (seed: number, fields: Record<string, string> = {}): Promise<string> =>
    (await act('POST', '/images', { ...fields, image_data: await picture(seed) })).id;
  const trip = await folder('여행: 제주/'.replace('/', ''));
  const day = await folder('CON', trip);
  await folder('con');
  const full = await upload(1, {
    folder_id: day,
    created_at: '20240301_101112',
    latitude: '33.5',
    longitude: '126.5',
    address_road: '길 1',
    building_name: '창고',
    address_det: '2층',
    upload_type: 'camera',
    has_det: 'True',
    is_signed: 'True',
  });
  await act('POST', `/images/${full}/filedata`, { image_data: await picture(2) });
  await act('POST', `/images/${full}/filedata`, { image_data: await picture(3) });
  await act('POST', `/images/${full}/memos`, { message: '첫째', is_client: 'True' });
  await act('POST', `/images/${full}/memos`, { message: 'second\nline', is_client: 'False' });
  await act('POST', `/images/${full}/customs`, { key: 'k', value: '=v,"' });
  await act('PUT', `/images/${full}`, { is_shared: 'True' });
  await upload(1, { created_at: '20240302_000000' });
  const image_data = filePart(await readPhoto('DSCN0010.jpg'));
  const { id: placed } = await act('POST', '/images', { image_data, folder_id: trip });
  const { id: moved } = await act('POST', '/images', { image_data, folder_id: trip });
  await act('PUT', `/images/${moved}`, { latitude: '', longitude: '' });
  await act('PUT', `/images/${placed}`, { delete: 'True' });
  const withName = { image_data: namedPart(await known, 'IMG "1" 한강.jpg') };
  const { id: told } = await act('POST', '/images', withName);
  await act('POST', `/images/${told}/filedata`, { image_data: namedPart(await known, '고침.jpg') });
  await act('POST', `/images/${told}/filedata`, { image_data: namedPart(await known, '') });
  const { id: retold } = await act('POST', '/images', { ...withName, altitude_m: '5' });
  await act('PUT', `/images/${retold}`, { direction: '', camera: '다른', original_name: '' });
  const old = await folder('옛것');
  const inner = await folder('안', old);
  await upload(5, { folder_id: inner });
  await act('PUT', `/folders/${old}?delete=true`);
  await upload(6, { folder_id: await folder('옛것') });
  return user;
}

const linesOf = async <T>(path: string): Promise<T[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

/** The content that an export preserves: everything except ids and the times of the import. */
async function contentOf(root: string) {
  const folders = await linesOf<FolderRecord>(join(root, 'folders.ndjson'));
  const titles = new Map<string | null, string>([[null, '']]);
  for (const { id, parent_id, title, delete_at } of folders) {
    titles.set(id, `${titles.get(parent_id)}/${title}${delete_at === null ? '' : ' (trash)'}`);
  }
  const images = await linesOf<ImageLine>(join(root, 'images.ndjson'));
  const contents = images.map(async (image) => {
    const { id, user_id, filename, folder_id, updated_at, delete_at, ...rest } = image;
    void [id, user_id, filename, updated_at];
    const { memos, customs, versions, ...fields } = rest;
    const digests = versions.map(async ({ file, hash, version, bytes, format, original_name }) => {
      const digest = createHash('sha256')
        .update(await readFile(join(root, file)))
        .digest('hex');
      assert.equal(digest, hash);
      // That of the upload is the image's, which may have been changed.
      return [version, digest, bytes, format, version > 0 && original_name];
    });
    return {
      ...fields,
      folder: titles.get(folder_id),
      trashed: delete_at !== null,
      memos: memos?.map(({ message, is_client }) => [message, is_client]),
      customs: customs?.map(({ key, value }) => [key, value]),
      versions: await Promise.all(digests),
    };
  });
  const text = (await Promise.all(contents)).map((content) => JSON.stringify(content, null, 1));
  return { folders: [...titles.values()].sort(), images: text.sort() };
}

/** Paths and bytes of all files. */
async function filesOf(root: string): Promise<Map<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const found = new Map<string, string>();
  for (const path of paths.sort()) {
    const digest = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    found.set(relative(root, path), digest);
  }
  return found;
}

describe('imgstore export', async () => {
  const user = await fillUser();
  const root = join(dir, 'first');
  const exported = await done<{ files: number; damaged: unknown[] }>(
    'export',
    root,
    '--user',
    user.user_id,
  );

  test('writes originals, edits and records, and no secrets', async () => {
    assert.deepEqual([exported.files, exported.damaged], [12, []]);
    const manifest = JSON.parse(await readFile(join(root, 'export.json'), 'utf8')) as Manifest;
    assert.deepEqual([manifest.folders, manifest.images, manifest.files], [6, 8, 12]);
    const files = await filesOf(root);
    for (const [path] of files) {
      assert.ok((await stat(join(root, path))).size > 0);
      if (/json|csv$/.test(path)) {
        assert.doesNotMatch(await readFile(join(root, path), 'utf8'), /signature|_url"|token/i);
      }
    }
    const names = [...files.keys()].filter((path) => path.startsWith('files/'));
    assert.ok(names.some((path) => path.startsWith('files/여행_ 제주/_CON/20240301_101112_')));
    const csv = await readFile(join(root, 'images.csv'), 'utf8');
    assert.equal(csv.trimEnd().split('\r\n').length, 9);
    const { features } = JSON.parse(await readFile(join(root, 'images.geojson'), 'utf8')) as {
      features: { geometry: { coordinates: number[] } }[];
    };
    assert.deepEqual(
      features.map(({ geometry }) => geometry.coordinates).sort(),
      [
        [11.8851267, 43.4674483],
        [126.5, 33.5],
      ].sort(),
    );
  });

  test('imported for another user, has the same content; a second import changes nothing', async () => {
    const other = await newUser();
    const importing = ['import', root, '--user', other.user_id];
    const { imported } = await done<{ imported: number }>(...importing);
    assert.equal(imported, 8);
    const again = await done<{ imported: number; present: number }>(...importing);
    assert.deepEqual([again.imported, again.present], [0, 8]);
    const second = join(dir, 'second');
    await done('export', second, '--user', other.user_id);
    assert.deepEqual(await contentOf(second), await contentOf(root));
  });

  test('of an earlier version takes from the files what it lacks', async () => {
    const older = join(dir, 'older');
    await cp(root, older, { recursive: true });
    const path = join(older, 'images.ndjson');
    const lines = await linesOf<Partial<ImageLine>>(path);
    const without = lines.map((line) => {
      const { original_name, direction, altitude_m, accuracy_m, camera, ...rest } = line;
      void [original_name, direction, altitude_m, accuracy_m, camera];
      const versions = rest.versions?.map(({ original_name: name, ...one }) => (void name, one));
      return `${JSON.stringify({ ...rest, versions })}\n`;
    });
    await writeFile(path, without.join(''));
    const other = await newUser();
    await done('import', older, '--user', other.user_id);
    const again = join(dir, 'again');
    await done('export', again, '--user', other.user_id);
    const imported = await linesOf<ImageLine>(join(again, 'images.ndjson'));
    assert.deepEqual([...new Set(imported.map((one) => one.original_name))], [null]);
    const told = imported.filter(({ camera }) => camera === 'Apple iPhone 15');
    assert.deepEqual(
      told.map(({ direction, altitude_m }) => [direction, altitude_m]),
      [
        [90, 12.34],
        [90, 12.34],
      ],
    );
  });

  test('of a platform has an export for each user, and the same content as a tar', async () => {
    const tar = join(dir, 'platform.tar');
    const tree = join(dir, 'platform');
    await done('export', tree, '--platform', platform.id);
    const words = [program, 'export', '-', '--platform', platform.id, '--home', home.dir];
    const { code, output } = await runProgram('sh', ['-c', `"$@" > '${tar}'`, 'sh', ...words]);
    assert.equal(code, 0, output);
    const unpacked = join(dir, 'unpacked');
    await mkdir(unpacked);
    assert.equal((await runProgram('tar', ['-xf', tar, '-C', unpacked])).code, 0);
    const withoutManifests = async (of: string) =>
      [...(await filesOf(of))].filter(([path]) => !path.endsWith('export.json'));
    assert.deepEqual(await withoutManifests(unpacked), await withoutManifests(tree));
    assert.deepEqual(await contentOf(join(tree, 'users', user.user_id)), await contentOf(root));
  });

  test('resumes after an interruption and after a kill', async () => {
    const to = join(dir, 'killed');
    const args = ['export', to, '--user', user.user_id];
    const there = (name: string): Promise<boolean> =>
      stat(join(to, name)).then(
        () => true,
        () => false,
      );
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      if (await there('export.json')) continue;
      const child = start([...args, '--home', home.dir]);
      const said = text(child.stderr);
      const ended = once(child, 'exit');
      await eventually(
        'it has begun',
        async () => child.exitCode !== null || there('export.unfinished'),
      );
      process.kill(child.pid as number, signal);
      await ended;
      if (child.exitCode === 0 || signal === 'SIGKILL') continue;
      assert.equal(child.exitCode, 130);
      assert.match(
        await said,
        /Remedy: {2}Run the same command again: it continues where it stopped/,
      );
      assert.ok(![...(await filesOf(to)).keys()].some((path) => path.endsWith('.partial')));
    }
    if (!(await there('export.json'))) await done(...args);
    assert.deepEqual(await contentOf(to), await contentOf(root));
  });

  test('reports damaged objects, and exits with 3', async () => {
    const broken = await newUser();
    const image_data = filePart(await jpeg({ width: 48, height: 36, seed: 77 }));
    const image = await acting(broken)<Image>('POST', '/images', { image_data });
    const { user_id, id } = image;
    const path = join(home.store, platform.id, user_id, id, id, 'original.jpg');
    const bytes = await readFile(path);
    bytes[bytes.length - 5] = (bytes.at(-5) ?? 0) ^ 1;
    await writeFile(path, bytes);
    const ran = await run('export', join(dir, 'broken'), '--user', user_id);
    assert.equal(ran.code, 3);
    assert.match(ran.stdout, /has the wrong hash/);
    // Otherwise a resumed export would take it for the picture.
    const names = [...(await filesOf(join(dir, 'broken'))).keys()];
    assert.deepEqual(
      names.filter((name) => /\.jpg/.test(name)).map((name) => name.replace(/^.*\.jpg/, '')),
      ['.damaged'],
    );
  });

  test('an incomplete export is not imported', async () => {
    const to = join(dir, 'incomplete');
    await mkdir(to);
    await writeFile(join(to, 'images.ndjson'), '');
    const ran = await run('import', to, '--user', user.user_id);
    assert.deepEqual([ran.code, ran.json<Failure>().error.setting], [2, 'DIR']);
  });

  for (const [what, args, code, setting] of [
    ['neither user nor platform', [join(dir, 'x')], 2, '--user'],
    ['both', [join(dir, 'x'), '--user', 'a', '--platform', 'b'], 2, '--user'],
    ['an unknown user', [join(dir, 'x'), '--user', platform.id], 1, undefined],
    ['a directory with something else', [dir, '--user', user.user_id], 2, 'DIR'],
    ['stdout with --json', ['-', '--user', user.user_id], 2, '--json'],
  ] as const) {
    test(`refuses ${what}`, async () => {
      const ran = await run('export', ...args);
      const { error } = ran.json<Failure>();
      assert.deepEqual([ran.code, error.setting], [code, setting]);
    });
  }
});
