import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import type { ImageFormat } from '../../src/imaging/port.js';
import { readXmp } from '../../src/imaging/xmp.js';
import {
  chunk,
  costlyStructures,
  jpegOf,
  many,
  pngWith,
  segment,
} from '../../testkit/bombs/structures.js';
import { longForm } from '../../testkit/long-form.js';
import { photo } from '../../testkit/photos.js';
import { firstFrameOf } from '../../workers/incomplete/gif.js';
import { stillOf } from '../../workers/incomplete/tiles.js';
import { samplesOf } from '../../workers/inspect/tiff.js';
import { structureOf } from '../../workers/inspect-task.js';
import { findBlocks, readAllExif, readMetadata } from '../../workers/metadata.js';
import { Refused } from '../../workers/refused.js';
import { FileBytes, maxSteps } from '../../workers/source.js';
import { readFile } from 'node:fs/promises';

/** Steps for any file, and for each of its bytes: a GIF may have a block in each two of them. */
const anyway = 120_000;
const perByte = 2;

/** What else walks through files, by their formats. */
const others = new Map<ImageFormat, (bytes: FileBytes) => unknown>([
  ['gif', firstFrameOf],
  ['tiff', samplesOf],
  ['avif', stillOf],
  ['heif', stillOf],
]);

/** The steps of its inspection, of the search for metadata, and of others, whatever comes of them. */
function stepsOf(file: Buffer, format?: ImageFormat): number[] {
  const inspected = new FileBytes(file, file.length);
  const [searched, walked] = [0, 1].map(() => new FileBytes(file, file.length));
  assert.ok(searched && walked);
  let known = format;
  try {
    known = structureOf(inspected, { maxPixels: 100e6 }).format;
    others.get(known)?.(walked);
  } catch (error) {
    assert.ok(error instanceof Refused, String(error));
  }
  if (known) readAllExif(searched, findBlocks(searched, known), known);
  return [inspected.steps, searched.steps, walked.steps];
}

function assertLinear(what: string, file: Buffer, format?: ImageFormat): number[] {
  const all = stepsOf(file, format);
  for (const steps of all) {
    const most = Math.min(maxSteps + 20_000, anyway + perByte * file.length);
    assert.ok(steps <= most, `${what}: ${steps} steps for ${file.length} bytes`);
  }
  return all;
}

for (const [what, file, format] of costlyStructures) {
  test(`inspection and metadata cost what the file's size does: ${what}`, () => {
    assertLinear(what, file, format);
  });
}

test('a JPEG that ends before the length of its frame is damaged', () => {
  const file = jpegOf(Buffer.from([0xff, 0xc0, 0]));
  assert.throws(() => structureOf(new FileBytes(file, file.length), { maxPixels: 100 }), {
    code: 'corrupt_image',
  });
});

test('an animation in PNG may have any number of chunks', () => {
  const file = pngWith(many(9_000, chunk('fdAT', Buffer.alloc(9))), true);
  assert.equal(structureOf(new FileBytes(file, file.length), { maxPixels: 100 }).width, 2);
});

test('a block of EXIF in many segments is put together once', () => {
  const first = segment(0xe1, Buffer.from('Exif\0\0II*\0\x08\0\0\0'));
  const file = jpegOf(Buffer.concat([first, many(19_000, segment(0xe1, Buffer.from('Exif\0\0abcd')))])); // prettier-ignore
  const { exif } = findBlocks(new FileBytes(file, file.length), 'jpeg');
  assert.deepEqual(exif.map(({ length }) => length), [8 + 19_000 * 4]); // prettier-ignore
});

test('whatever stands in a text of a packet is read in one pass', () => {
  const size = 400_000; // squared, it would take minutes
  for (const [what, text] of [
    ['NULs', '\0'.repeat(size)],
    ['NULs before something', `${'\0'.repeat(size)}x`],
    ['spaces', `<rdf:RDF><rdf:Description exif:GPSLatitude="1${' '.repeat(size)}x"/></rdf:RDF>`],
    ['text of spaces', `<rdf:RDF><rdf:Description><exif:GPSLatitude>1${' '.repeat(size)}x</exif:GPSLatitude></rdf:Description></rdf:RDF>`], // prettier-ignore
    ['spaces in a tag', `<a${' '.repeat(size)}b`],
    ['a name', `<a ${'b'.repeat(size)} c`],
    ['tags', '<'.repeat(size)],
    ['comments', '<!--'.repeat(size / 4)],
    ['sections', '<![CDATA['.repeat(size / 9)],
    ['quotes', `<a b="c" ${'d="e\'" '.repeat(size / 7)}f="`],
    ['depth', '<a xmlns:b="c" b:d="e">'.repeat(size / 23)],
    ['ends', '</a>'.repeat(size / 4)],
    ['entities', `<rdf:RDF><rdf:Description><tiff:Make>${'&'.repeat(999)}</tiff:Make></rdf:Description></rdf:RDF>`.repeat(size / 1100)], // prettier-ignore
  ] as const) {
    readXmp(text);
    assert.equal(readMetadata(pngWith(chunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), Buffer.from(text), Buffer.from('Latitude')]))), 'png').taken, undefined, what); // prettier-ignore
  }
});

/** Files of each walker, to be changed at random. */
const raw = sharp(photo('DSCN0010.jpg')).resize(64, 48).keepMetadata();
const wholes: [string, Buffer][] = [
  ['JPEG', await raw.clone().jpeg({ progressive: true }).toBuffer()],
  ['PNG', await raw.clone().png().toBuffer()],
  ['WebP', await raw.clone().webp().toBuffer()],
  ['GIF', await raw.clone().gif({ effort: 1 }).toBuffer()],
  ['TIFF', await raw.clone().tiff({ tile: true, pyramid: true, tileWidth: 16, tileHeight: 16 }).toBuffer()], // prettier-ignore
  ['AVIF', await raw.clone().ensureAlpha(0.5).avif({ effort: 0 }).toBuffer()],
  ['HEIC', await readFile(photo('samplefilehub.heif'))],
];

const changes = longForm ? 100_000 : 500;

for (const [what, whole] of wholes) {
  test(`${what}, changed at random, costs what its size does`, (t) => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    let costliest = 0;
    for (let i = 0; i < changes; i++) {
      // Numbers that count or measure something, in both orders of bytes, and parts that repeat.
      const file = Buffer.from(whole.subarray(0, Math.max(64, random(4) ? whole.length : random(whole.length)))); // prettier-ignore
      const reach = Math.min(file.length, 6_000);
      for (let n = 0; n <= i % 6; n++) {
        const at = random(reach);
        const value = [0, 1, 2, 0x7f, 0x80, 0xff, random(256)][random(7)] ?? 0;
        file.fill(value, at, Math.min(file.length, at + 2 ** random(4))); // prettier-ignore
        if (random(4) === 0) file.copy(file, at, random(reach), random(reach));
      }
      costliest = Math.max(costliest, ...assertLinear(what, file));
    }
    t.diagnostic(`costliest: ${Math.ceil(costliest)} steps`);
  });
}
