import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { VisitorPicture } from '../../src/library/links/visitor-schemas.js';
import { done } from '../../testkit/expect.js';
import { bytesOf, sha256 } from '../../testkit/fetch.js';
import { Linker, Visitor } from '../../testkit/links.js';
import { readPhoto } from '../../testkit/photos.js';
import { canvas, jpeg, namedPart } from '../../testkit/pictures.js';
import type { Archive } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import { unzip } from '../../testkit/zip.js';

const service = await testService();
const { client } = service;
const folder = await temporaryDirectory('metadata');

/** What each file says of itself, in every block that its format has. */
const marks = ['Kkachi 900', 'Gildong', '2019:03:04', '2019-03-04', 'Sangdo'] as const;
const written = `-Make=Kkachi
-Model=Kkachi 900
-SerialNumber=Kkachi 900 7
-DateTimeOriginal=2019:03:04 05:06:07
-XMP:CreateDate=2019:03:04 05:06:07
-Artist=Hong Gildong
-XMP:Creator=Hong Gildong
-XMP:City=Sangdo
-Comment=Sangdo, Hong Gildong
-GPSLatitude=37.5031
-GPSLatitudeRef=N
-GPSLongitude=126.9479
-GPSLongitudeRef=E
-XMP:GPSLatitude=37.5031
-XMP:GPSLongitude=126.9479`.split('\n');
const ofJpeg = ['-IPTC:By-line=Hong Gildong', '-IPTC:City=Sangdo', '-IPTC:DateCreated=2019:03:04'];

/** The same picture with metadata, as exiftool writes it. */
async function marked(name: string, bytes: Uint8Array): Promise<Buffer> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  const more = name.endsWith('.jpg') ? ofJpeg : [];
  execFileSync('exiftool', ['-q', '-m', '-overwrite_original', ...written, ...more, path]);
  return readFile(path);
}

/** Groups of tags that a picture without metadata has: its pixels, and how the file is built. */
const bare = /^(?:SourceFile|ExifTool|File|JFIF|PNG|RIFF|Composite)\b/;

/** What a file tells besides its pixels. */
function toldBy(bytes: Buffer): string[] {
  const text = execFileSync('exiftool', ['-j', '-a', '-u', '-G', '-'], { input: bytes });
  const [tags = {}] = JSON.parse(text.toString()) as Record<string, unknown>[];
  return [
    ...Object.keys(tags).filter((tag) => !bare.test(tag)),
    ...marks.filter((mark) => text.includes(mark) || bytes.includes(mark)),
  ];
}

const pictures = {
  // Shown as it is stored, and shown as a rendition.
  'Hong Gildong 1.jpg': await marked('small.jpg', await jpeg({ width: 300, height: 200 })),
  'Hong Gildong 2.jpg': await marked('large.jpg', await jpeg({ width: 1500, height: 900 })),
  'Hong Gildong 3.png': await marked('alpha.png', await canvas(64, 48, true).png().toBuffer()),
  'Hong Gildong 4.HEIC': await marked('phone.heic', await readPhoto('grid.heic')),
  'Hong Gildong 5.webp': await marked('small.webp', await canvas(64, 48).webp().toBuffer()),
  'Hong Gildong 6.tif': await marked('scan.tif', await canvas(64, 48).tiff().toBuffer()),
} satisfies Record<string, Buffer>;

/** Under which names they are saved when originals do not leave. */
const savedAs = ['jpg', 'jpg', 'png', 'jpg', 'jpg', 'jpg'].map((end, i) => `${i + 1}.${end}`);

const album = await service.user();
const site = (await album.folder('현장')).id;
for (const [name, bytes] of Object.entries(pictures)) {
  const form = {
    image_data: namedPart(bytes, name),
    folder_id: site,
    created_at: `20240101_00000${name.at(13)}`,
    address_road: 'Sangdo-ro 1',
  };
  done(await album.call('POST', '/images', { form }));
}

interface Sent {
  readonly name: string;
  readonly headers: string;
  readonly bytes: Buffer;
}

/** Everything that a visitor gets of a link. */
async function sentBy(visitor: Visitor) {
  const page = await visitor.images();
  const list = done(page).images.toReversed(); // as they were uploaded
  const file = async (address: string | undefined): Promise<Sent> => {
    const answer = await visitor.raw('GET', `/${address}`);
    assert.equal(answer.status, 200);
    const [, name = ''] =
      /filename="(.+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? [];
    const headers = JSON.stringify([...answer.headers]);
    return { name, headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const all = (of: (picture: VisitorPicture) => string | undefined): Promise<Sent[]> =>
    Promise.all(list.map((picture) => file(of(picture))));
  const shown = await Promise.all([all((one) => one.thumb_url), all((one) => one.display_url)]);
  const downloads = list.every(({ download_url: url }) => url === undefined)
    ? []
    : await all((one) => one.download_url);
  const zipped = await visitor.call<Archive>('POST', '/archive');
  const files =
    zipped.status === 200 ? unzip(await bytesOf(zipped.result.url)) : new Map<string, Buffer>();
  // The names of files are those of downloads.
  const table = String(files.get('images.csv')).replaceAll('Hong Gildong', '');
  files.delete('images.csv');
  const html = await visitor.raw('GET', '');
  const link = await visitor.link();
  const answers = [page, link].map((answer) => JSON.stringify([answer, [...answer.headers]]));
  return {
    list,
    shown: shown.flat(),
    downloads,
    files,
    texts: [...answers, JSON.stringify([...html.headers]), await html.text(), table],
  };
}

const links = new Linker(client, album);

describe('what leaves through a link', () => {
  test('is what exiftool finds in the pictures otherwise', () => {
    for (const [name, bytes] of Object.entries(pictures)) {
      const told = toldBy(bytes).join();
      for (const group of ['EXIF:Model', 'EXIF:GPSLatitude', 'XMP:', 'Gildong', '2019:03:04']) {
        assert.ok(told.includes(group), `${name}: ${told}`);
      }
    }
  });

  for (const allow_download of [false, true]) {
    for (const show_place of [false, true]) {
      const options = { allow_download, show_place };
      test(`with ${JSON.stringify(options)}`, async () => {
        const { at } = await links.create({ kind: 'view', folder_id: site, ...options });
        const { list, shown, downloads, files, texts } = await sentBy(new Visitor(client, at));
        const mayGetOriginals = allow_download && show_place;
        assert.equal(downloads.length, allow_download ? list.length : 0);
        assert.equal(shown.length, 2 * list.length);

        for (const { bytes, headers } of [...shown, ...downloads]) {
          const isOriginal = Object.values(pictures).some((one) => one.equals(bytes));
          assert.ok(mayGetOriginals || !isOriginal);
          if (!isOriginal) assert.deepEqual(toldBy(bytes), [], headers);
        }
        const originals = downloads.map(({ bytes }) => bytes);
        if (mayGetOriginals) assert.deepEqual(originals, Object.values(pictures));

        const names = mayGetOriginals
          ? Object.keys(pictures)
          : savedAs.map((name) => `Hong Gildong ${name}`);
        assert.deepEqual(
          downloads.map(({ name }) => name),
          allow_download ? names : [],
        );

        // The ZIP holds what single downloads do, under their names.
        const byName = (one: Iterable<readonly [string, Buffer]>) =>
          [...one].map(([name, bytes]) => [name, sha256(bytes)]).sort();
        assert.deepEqual(byName(files), byName(downloads.map(({ name, bytes }) => [name, bytes])));

        // Where the record tells the place it is shown, and nowhere else.
        const said = [...texts, ...shown.map(({ headers }) => headers)].join('\n');
        assert.equal(said.includes('Sangdo-ro 1'), show_place);
        assert.equal(said.includes('37.50'), show_place);
        for (const mark of ['Kkachi', 'Gildong', '2019:03', '2019-03']) {
          assert.ok(!said.includes(mark), mark);
        }
        for (const { headers } of downloads) {
          for (const mark of ['Kkachi', '2019', '37.5', 'Sangdo'])
            assert.ok(!headers.includes(mark));
        }
      });
    }
  }

  test('is the picture in full size', async () => {
    const wanted = { kind: 'view', folder_id: site, allow_download: true };
    const { at } = await links.create(wanted);
    const { list, downloads } = await sentBy(new Visitor(client, at));
    for (const [i, { bytes }] of downloads.entries()) {
      const size = execFileSync('exiftool', ['-s3', '-ImageSize', '-'], { input: bytes });
      assert.equal(size.toString().trim(), `${list[i]?.width}x${list[i]?.height}`);
    }
  });

  test('no longer does once the link does not allow it', async () => {
    const open = { allow_download: true, show_place: true };
    const { at, id } = await links.create({ kind: 'view', folder_id: site, ...open });
    const visitor = new Visitor(client, at);
    /** Statuses of files at the addresses on a page: how the small one is shown, its download. */
    const addresses = async () => {
      const small = done(await visitor.images()).images.at(-1);
      return [small?.display_url, small?.download_url];
    };
    const statuses = (of: readonly (string | undefined)[]) =>
      Promise.all(of.map(async (address) => (await visitor.raw('GET', `/${address}`)).status));
    const originals = await addresses();
    assert.deepEqual(await statuses(originals), [200, 200]);
    await links.update(id, { show_place: false });
    assert.deepEqual(await statuses(originals), [403, 403]);
    const bareOnes = await addresses();
    assert.deepEqual(await statuses(bareOnes), [200, 200]);
    await links.update(id, { allow_download: false, show_place: true });
    assert.deepEqual(await statuses(originals), [403, 403]);
    assert.deepEqual(await statuses(bareOnes), [200, 403]);
  });
});
