import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { imgstore, program, start, type Failure, type Ran } from '../../testkit/command.js';
import { eventually } from '../../testkit/eventually.js';
import { hosted } from '../../testkit/hosted-command.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { photo } from '../../testkit/photos.js';
import { jpeg } from '../../testkit/pictures.js';
import type { CreatedPlatform, CreatedUser, Image } from '../../testkit/records.js';
import { lastFirst } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

interface Imported {
  readonly imported: number;
  readonly present: number;
  readonly refused: number;
  readonly left_alone: number;
  readonly without_sidecar: number;
  readonly folders_created: number;
  readonly bytes_uploaded: number;
  readonly files: readonly { path: string; outcome: string; reason: string }[];
}

/** An XMP file with a place, as programs write it. @param more attributes. */
const sidecar = (more = ''): string => `<x:xmpmeta xmlns:x="adobe:ns:meta/">
  <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"
      xmlns:xmp="http://ns.adobe.com/xap/1.0/"
      exif:GPSLatitude="37,30N" exif:GPSLongitude="127,0E" ${more}/>
  </rdf:RDF>
</x:xmpmeta>`;

const scope = lastFirst({ after });
const { home } = await initializedHome(scope);
const zone = ['--timezone', 'Asia/Seoul'];
const serving = await serve(scope, home, zone);
const dir = await temporaryDirectory('import');
after(() => rm(dir, { recursive: true, force: true }));

const run = (...args: string[]): Promise<Ran> =>
  hosted([...args, ...zone, '--home', home.dir, '--json']);
const done = async <T>(...args: string[]): Promise<T> => {
  const ran = await run(...args);
  assert.equal(ran.code, 0, ran.stdout);
  return ran.json<T>();
};

const platform = await done<CreatedPlatform>('platform', 'create', '--name', 'p');
let users = 0;
const newUser = (): Promise<CreatedUser> =>
  done('user', 'create', '--platform', platform.id, '--platform-user-id', String((users += 1)));

interface Folder {
  readonly id: string;
  readonly title: string;
  readonly child_folders: readonly Folder[];
}

/** Images of a user by the path of their folder, oldest first. */
async function library({ user_id, access_token }: CreatedUser) {
  const get = async <R>(path: string): Promise<R> =>
    (await serving.client.get<R>(`/api/v1/users/${user_id}${path}`, { as: ['User', access_token] }))
      .result;
  const paths = new Map<string | null, string>([[null, '']]);
  const note = (folders: readonly Folder[], above: string): void => {
    for (const { id, title, child_folders } of folders) {
      paths.set(id, `${above}/${title}`);
      note(child_folders, `${above}/${title}`);
    }
  };
  note(await get<Folder[]>('/folders'), '');
  const { items } = await get<{ items: Image[] }>('/images?page_size=1000');
  return items
    .map((image) => ({ ...image, folder: paths.get(image.folder_id) }))
    .sort((a, b) => a.created_at.localeCompare(b.created_at));
}

const small = (seed: number): Promise<Buffer> => jpeg({ width: 48, height: 36, seed });

describe('imgstore import', async () => {
  const tree = join(dir, 'photos');
  const trip = join(tree, '2024', '제주 여행');
  await mkdir(trip, { recursive: true });
  await copyFile(photo('DSCN0010.jpg'), join(tree, 'camera.jpg'));
  await writeFile(join(tree, 'camera.jpg.json'), takeout(1_700_000_000, 10, 20));
  await writeFile(join(trip, 'takeout.jpg'), await small(1));
  await writeFile(
    join(trip, 'takeout.jpg.supplemental-metadata.json'),
    takeout(1_709_287_872, 33.5, 126.5),
  );
  await writeFile(join(trip, 'xmp.jpg'), await small(2));
  await writeFile(join(trip, 'xmp.XMP'), sidecar('xmp:CreateDate="2024-03-02T09:00:00+09:00"'));
  await writeFile(join(tree, 'plain.jpg'), await small(3));
  await utimes(join(tree, 'plain.jpg'), 0, new Date('2024-03-03T00:00:00Z'));
  await copyFile(join(tree, 'plain.jpg'), join(trip, 'same as plain.jpg'));
  await writeFile(join(tree, 'corrupt.jpg'), Buffer.concat([(await small(4)).subarray(0, 200)]));
  await writeFile(join(tree, 'notes.txt'), 'no picture');
  await writeFile(join(tree, '.hidden.jpg'), await small(5));
  await symlink('..', join(tree, '2024', 'cycle'));
  await writeFile(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xff, 0x2e])]), '');
  execFileSync('mkfifo', [join(tree, 'pipe')]);
  const user = await newUser();
  const importing = ['import', tree, '--user', user.user_id];

  test('--dry-run shows what would be imported, and stores nothing', async () => {
    const ran = await run(...importing, '--dry-run');
    const { imported, folders_created } = ran.json<Imported>();
    assert.deepEqual([imported, folders_created], [5, 0], ran.stdout);
    assert.deepEqual(await library(user), []);
  });

  test('imports folders, locations and times, and reports refused and skipped files', async () => {
    const reportFile = join(dir, 'report.ndjson');
    const ran = await run(...importing, '--report', reportFile);
    assert.equal(ran.code, 1, 'a file was refused');
    const report = ran.json<Imported>();
    assert.deepEqual(
      [report.imported, report.present, report.refused, report.left_alone, report.folders_created],
      [4, 1, 1, 5, 2],
    );
    assert.deepEqual(
      report.files.map(({ path, reason }) => [path, reason]).sort(),
      [
        ['.hidden.jpg', 'hidden'],
        ['2024/cycle', 'symbolic_link'],
        ['\\xff.', 'bad_name'],
        ['corrupt.jpg', 'corrupt_image'],
        ['notes.txt', 'not_a_picture'],
        ['plain.jpg', 'no_sidecar'],
        ['pipe', 'special'],
      ].sort(),
    );
    const lines = (await readFile(reportFile, 'utf8')).trimEnd().split('\n');
    assert.equal(lines.length, 11);
    const images = await library(user);
    assert.deepEqual(
      images.map(({ folder, created_at, lat, lng }) => [folder, created_at, lat, lng]),
      [
        // The metadata of the file precedes that of its sidecar.
        ['', '20081022_162839', 43.4674483, 11.8851267],
        ['/2024/제주 여행', '20240301_191112', 33.5, 126.5],
        ['/2024/제주 여행', '20240302_090000', 37.5, 127],
        // The first of two identical files, with the time of the file.
        ['', '20240303_090000', null, null],
      ],
    );
  });

  test('keeps the names of files, and what the camera knew', async () => {
    assert.deepEqual(
      (await library(user)).map(({ original_name, camera }) => [original_name, camera]),
      [
        ['camera.jpg', 'NIKON COOLPIX P6000'],
        ['takeout.jpg', null],
        ['xmp.jpg', null],
        ['plain.jpg', null],
      ],
    );
  });

  test('repeated, uploads nothing and changes nothing', async () => {
    const before = await library(user);
    const { imported, present, folders_created, bytes_uploaded } = (
      await run(...importing)
    ).json<Imported>();
    assert.deepEqual([imported, present, folders_created, bytes_uploaded], [0, 5, 0, 0]);
    const ids = (images: readonly { id: string }[]) => images.map(({ id }) => id);
    assert.deepEqual(ids(await library(user)), ids(before));
  });

  test('deleted images are imported again, images in the trash stay there', async () => {
    const [first, second] = await library(user);
    const as = ['User', user.access_token] as const;
    const path = `/api/v1/users/${user.user_id}`;
    const form = { delete: 'True' };
    await serving.client.put(`${path}/images/${first?.id}`, { as, form });
    await serving.client.delete(`${path}/folders/${second?.folder_id}`, { as });
    const report = (await run(...importing)).json<Imported & { in_trash: number }>();
    assert.deepEqual([report.imported, report.in_trash, report.folders_created], [2, 1, 1]);
  });

  test('with --folder, imports the tree into that folder', async () => {
    const other = await newUser();
    const { result } = await serving.client.post<{ id: string }>(
      `/api/v1/users/${other.user_id}/folders`,
      { as: ['User', other.access_token], form: { title: '앨범' } },
    );
    await run('import', trip, '--user', other.user_id, '--folder', result.id);
    assert.deepEqual(
      (await library(other)).map(({ folder }) => folder),
      ['/앨범', '/앨범', '/앨범'],
    );
  });

  for (const [what, args, code, setting] of [
    ['a user who does not exist', ['import', tree, '--user', platform.id], 1, undefined],
    ['a directory that does not exist', ['import', `${tree}/no`, '--user', user.user_id], 2, 'DIR'],
    ['a file', ['import', join(tree, 'plain.jpg'), '--user', user.user_id], 2, 'DIR'],
    ['an unknown folder', [...importing, '--folder', platform.id], 2, '--folder'],
    ['no number', [...importing, '--parallel', '0'], 2, undefined],
    ['a report that cannot be', [...importing, '--report', '/no/such'], 2, '--report'],
  ] as const) {
    test(`refuses ${what}`, async () => {
      const ran = await run(...args);
      const { error } = ran.json<Failure>();
      assert.deepEqual([ran.code, error.exit_code, error.setting], [code, code, setting]);
      if (setting !== undefined) assert.ok(error.remedy, error.message);
    });
  }
});

function takeout(seconds: number, latitude: number, longitude: number): string {
  const photoTakenTime = { timestamp: String(seconds) };
  return JSON.stringify({ photoTakenTime, geoData: { latitude, longitude } });
}

test('what people have: names and sidecars of all programs, and rubbish', async () => {
  const tree = join(dir, 'phone');
  const put = async (name: string, content: string | Buffer): Promise<void> => {
    await mkdir(dirname(join(tree, name)), { recursive: true });
    await writeFile(join(tree, name), content);
  };
  await put('bom.jpg', await small(300));
  await put('bom.json', `\ufeff${takeout(1_709_287_872, 33.5, 126.5)}`);
  await put('utf16.jpg', await small(301));
  await put('utf16.xmp', Buffer.from(`\ufeff${sidecar()}`, 'utf16le'));
  await put('e\u0301te\u0301.jpg', await small(302));
  await put('\u00e9t\u00e9.jpg.supplemental-meta.json', takeout(1_709_287_872, 0, 0));
  await copyFile(photo('DSCN0010.jpg'), join(tree, 'camera.jpg'));
  await put('metadata.json', '{"title":"an album"}');
  await put('lonely.jpg.json', takeout(1_709_287_872, 1, 1));
  await put('animated \x9b\u2066.jpg', await small(305));
  const long = '한'.repeat(30);
  await put(`cut/${long}.jpg`, await small(306));
  await put('cut/other.jpg', await small(307));
  const cut = (name: string, ...rest: number[]) =>
    writeFile(
      Buffer.concat([
        Buffer.from(join(tree, 'cut', name)),
        Buffer.from(rest),
        Buffer.from('.json'),
      ]),
      takeout(1_709_287_872, 35, 129),
    );
  await cut('한'.repeat(15), 0xed);
  await cut('nobody', 0xed, 0x95);
  await put('@eaDir/bom.jpg/SYNOFILE_THUMB_M.jpg', await small(303));
  await put('Screenshots/1.jpg', await small(304));
  await put('animation.gif', 'GIF89a');
  await put('\x1b[2J\u202egpj.\nfake  line.txt', 'no picture');
  const user = await newUser();
  const report = join(dir, 'phone.ndjson');
  const excluding = ['--exclude', 'Screenshots/', '--exclude', '*.gif'];
  const args = ['import', tree, '--user', user.user_id, ...excluding];
  const ran = await run(...args, '--dry-run', '--report', report);
  const { files, ...counts } = ran.json<Imported & Record<'time_from' | 'place_from', object>>();
  assert.deepEqual(
    files.map(({ path, reason }) => [path, reason]).sort(),
    [
      ['\x1b[2J\u202egpj.\nfake  line.txt', 'not_a_picture'],
      ['@eaDir', 'system'],
      ['Screenshots', 'excluded'],
      ['animated \x9b\u2066.jpg', 'no_sidecar'],
      ['animation.gif', 'excluded'],
      ['camera.jpg', 'no_sidecar'],
      ['cut/nobody\\xed\\x95.json', 'unmatched_sidecar'],
      ['cut/other.jpg', 'no_sidecar'],
      ['lonely.jpg.json', 'unmatched_sidecar'],
    ].sort(),
  );
  assert.deepEqual([counts.imported, counts.left_alone, counts.without_sidecar], [7, 6, 3]);
  assert.deepEqual(counts.time_from, { exif: 1, xmp: 0, takeout: 3, file: 3, none: 0 });
  assert.deepEqual(counts.place_from, { exif: 1, xmp: 1, takeout: 2, file: 0, none: 3 });
  const reported = (await readFile(report, 'utf8')).trimEnd();
  assert.doesNotMatch(reported, /[\x7f-\x9f\p{Bidi_Control}]/u);
  const decomposed = reported
    .split('\n')
    .map((line) => JSON.parse(line) as { path: string; time_from?: string; place_from?: string })
    .find(({ path }) => path.startsWith('e'));
  assert.deepEqual([decomposed?.time_from, decomposed?.place_from], ['takeout', 'none']);

  const shown = await hosted([...args, ...zone, '--home', home.dir, '--dry-run']);
  assert.doesNotMatch(shown.stdout + shown.stderr, /[\x1b\x7f-\x9f\p{Bidi_Control}]|^fake/mu);
  assert.match(shown.stdout, /\\u001b\[2J\\u202egpj\.\\nfake {2}line\.txt: it is not a picture/);
  assert.match(shown.stdout, /^Times: 1 from EXIF, 3 from Takeout, 3 from the date of the file\./m);
  assert.match(shown.stdout, /^no sidecar {2}camera\.jpg: Other pictures in its directory have a/m);
});

test('interrupted, killed, then run twice concurrently, stores every picture once', async () => {
  const tree = join(dir, 'many');
  await mkdir(tree);
  for (let n = 0; n < 30; n += 1) await writeFile(join(tree, `${n}.jpg`), await small(100 + n));
  const user = await newUser();
  const args = ['import', tree, '--user', user.user_id];
  const stopped = async (signal: NodeJS.Signals, after: number) => {
    const child = start([...args, '--home', home.dir, ...zone, '--parallel', '2']);
    const said = text(child.stderr);
    const ended = once(child, 'exit');
    await eventually('some are there', async () => (await library(user)).length > after);
    process.kill(child.pid as number, signal);
    await ended;
    return { code: child.exitCode, said: await said };
  };
  const { code, said } = await stopped('SIGINT', 4);
  assert.equal(code, 130);
  assert.match(said, /Error: Interrupted\.\n {2}Remedy: {2}Run the command again: it continues/);
  await stopped('SIGKILL', 12);
  const before = (await library(user)).length;
  const both = [run(...args), imgstore([...args, '--home', home.dir, ...zone, '--json'])];
  const results = (await Promise.all(both)).map((ran) => {
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    return ran.json<Imported>();
  });
  for (const { imported, present } of results) assert.equal(imported + present, 30);
  const imported = results.reduce((sum, one) => sum + one.imported, 0);
  assert.ok(imported <= 30 - before, `${imported} are said to be new, after ${before}`);
  assert.equal((await library(user)).length, 30);
});

test(
  'another user of the machine is told who may run it',
  { skip: process.getuid?.() === 0 ? false : 'only root can act for others' },
  async () => {
    const tree = dirname(program); // a directory that everybody can read
    const args = ['import', tree, '--user', platform.id, '--home', home.dir, '--json'];
    const stranger = await imgstore(args, { as: 1 });
    const { error } = stranger.json<Failure>();
    assert.equal(stranger.code, 78);
    assert.match(error.remedy ?? '', /^Run the command as the owner of the home, as "sudo /);
  },
);

test('without a running service, it starts one for the duration', async () => {
  const user = await newUser();
  const tree = join(dir, 'few');
  await mkdir(tree);
  await writeFile(join(tree, 'a.jpg'), await small(200));
  await serving.end();
  const ran = await hosted(['import', tree, '--user', user.user_id, '--home', home.dir, '--json']);
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  assert.equal(ran.json<Imported>().imported, 1);
});
