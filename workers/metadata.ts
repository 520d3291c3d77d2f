/**
 * Finds EXIF and XMP wherever the writers of each format put them. EXIF is read by exif.ts.
 * Bounded like the inspection: in the number of parts, and in the size of each.
 */

import { inflateSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';
import { bytesPerMegabyte } from '../src/base/units.js';
import {
  type Metadata,
  readExif,
  readTiffExif,
  type ExifData,
  timeFrom,
} from '../src/imaging/exif.js';
import type { ImageFormat } from '../src/imaging/port.js';
import { tiffTag } from '../src/imaging/tiff-directory.js';
import { type FileBytes, type Source, withBytes } from './source.js';
import { heifItems, ItemBytes } from './inspect/isobmff.js';
import { TiffFile } from './inspect/tiff-file.js';

interface Found {
  readonly exif: Buffer[];
  readonly xmp: Buffer[];
}

const maxParts = 20_000;
const maxBlockBytes = bytesPerMegabyte;
/** Blocks of one kind that are looked at. */
const maxBlocks = 4;

const exifMark = /^[^]{0,4}Exif\0[^]/i;
const tiffMark = /^(?:II\*\0|MM\0\*)/;
const xmpMark = 'http://ns.adobe.com/xap/1.0/\0';
const extendedMark = 'http://ns.adobe.com/xmp/extension/\0';
/** Of an extended packet: its checksum, length, and the offset of this part. */
const extendedHeaderBytes = extendedMark.length + 40;

/** A block in front of which writers put `Exif` or the name of XMP. */
function sort(block: Buffer, { exif, xmp }: Found): void {
  const text = block.toString('latin1', 0, 64);
  if (text.startsWith(xmpMark)) xmp.push(block.subarray(xmpMark.length));
  else exif.push(block);
}

function findInJpeg(bytes: FileBytes, found: Found): void {
  const extended: Buffer[] = [];
  let at: number | undefined = 2;
  for (let i = 0; i < maxParts; i++) {
    at = bytes.findMarker(at, (code) => code > 0x01 && code !== 0xff && (code & 0xf8) !== 0xd0);
    const head = at === undefined ? undefined : bytes.at(at, 4);
    if (at === undefined || !head || head[1] === 0xda || head[1] === 0xd9) break;
    const length = head.readUInt16BE(2);
    const block = head[1] === 0xe1 ? bytes.at(at + 4, Math.max(0, length - 2)) : undefined;
    at += 2 + length;
    if (!block) continue;
    const text = block.toString('latin1', 0, 80);
    const mark = exifMark.exec(text)?.[0];
    const last = found.exif.at(-1);
    if (mark !== undefined) {
      const content = block.subarray(mark.length);
      const begins = tiffMark.test(content.toString('latin1', 0, 4));
      // A block that is too large for one segment goes on in the next.
      if (last && !begins && last.length + content.length <= maxBlockBytes) {
        found.exif.splice(-1, 1, Buffer.concat([last, content]));
      } else found.exif.push(content);
    } else if (text.startsWith(xmpMark)) found.xmp.push(block.subarray(xmpMark.length));
    else if (text.startsWith(extendedMark)) extended.push(block.subarray(extendedHeaderBytes));
  }
  if (extended.length > 0) found.xmp.push(Buffer.concat(extended).subarray(0, maxBlockBytes));
}

/** Unpacks data of bounded size; undefined if it is broken or larger. */
function inflated(data: Buffer): Buffer | undefined {
  try {
    return inflateSync(data, { maxOutputLength: maxBlockBytes });
  } catch {
    return undefined;
  }
}

/** The text of a PNG chunk and its keyword. */
function pngText(type: string, data: Buffer): [keyword: string, text: Buffer] | undefined {
  const end = data.indexOf(0);
  if (end < 0) return undefined;
  const keyword = data.toString('latin1', 0, end);
  const rest = data.subarray(end + 1);
  if (type === 'tEXt') return [keyword, rest];
  // The method, or whether it is packed, then the method, a language, and a translated keyword.
  const language = rest.indexOf(0, 2);
  const at = type === 'zTXt' ? 1 : rest.indexOf(0, language + 1) + 1;
  if (type === 'iTXt' && (language < 0 || at === 0)) return undefined;
  const isPacked = type === 'zTXt' || rest[0] === 1;
  const text = isPacked ? inflated(rest.subarray(at)) : rest.subarray(at);
  return text && [keyword, text];
}

/** A block as ImageMagick and its like put it into texts: a name, a length, and hexadecimal digits. */
function rawProfile(text: Buffer): Buffer | undefined {
  const parts = /^\s*\S+\s+\d+\s+([0-9a-f\s]+)/i.exec(text.toString('latin1'));
  return parts ? Buffer.from((parts[1] ?? '').replaceAll(/\s+/g, ''), 'hex') : undefined;
}

function findInPng(bytes: FileBytes, found: Found): void {
  let at = 8;
  for (let i = 0; i < maxParts; i++) {
    const head = bytes.at(at, 8);
    if (!head) break;
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4);
    if (type === 'IEND') break;
    const wanted = ['eXIf', 'zxIf', 'tEXt', 'zTXt', 'iTXt'].includes(type);
    const data = wanted && length <= maxBlockBytes ? bytes.at(at + 8, length) : undefined;
    at += length + 12;
    if (!data) continue;
    if (type === 'eXIf') found.exif.unshift(data);
    else if (type === 'zxIf') found.exif.push(inflated(data.subarray(5)) ?? Buffer.alloc(0));
    else {
      const [keyword, text] = pngText(type, data) ?? [''];
      if (!text) continue;
      if (keyword === 'XML:com.adobe.xmp') found.xmp.push(text);
      const profile = /^Raw profile type (exif|app1|xmp)$/i.exec(keyword)?.[1]?.toLowerCase();
      const block = profile === undefined ? undefined : rawProfile(text);
      if (block && profile === 'xmp') found.xmp.push(block);
      else if (block) sort(block, found);
    }
  }
}

function findInWebp(bytes: FileBytes, found: Found): void {
  let at = 12;
  for (let i = 0; i < maxParts; i++) {
    const head = bytes.at(at, 8);
    if (!head) break;
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const wanted = type === 'EXIF' || type === 'XMP ' || type === 'XMP\0';
    const data = wanted && length <= maxBlockBytes ? bytes.at(at + 8, length) : undefined;
    if (data) (type === 'EXIF' ? found.exif : found.xmp).push(data);
    at += 8 + length + (length % 2);
  }
}

function findInHeif(bytes: FileBytes, found: Found): void {
  const items = heifItems(bytes);
  if (!items) return;
  for (const type of ['Exif', 'mime']) {
    for (const { extents } of items.ofType(type).slice(0, maxBlocks)) {
      const data = new ItemBytes(bytes, extents);
      const block = data.size <= maxBlockBytes ? data.at(0, data.size) : undefined;
      if (!block) continue;
      if (type === 'mime') found.xmp.push(block);
      // The offset of the TIFF header comes first.
      else found.exif.push(block.subarray(4));
    }
  }
}

const gifXmp = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1');

function findInGif(bytes: FileBytes, found: Found): void {
  const head = bytes.at(0, Math.min(bytes.size, maxBlockBytes)) ?? Buffer.alloc(0);
  const at = head.indexOf(gifXmp);
  const end = head.indexOf(Buffer.from([1, 0xff, 0xfe]), at);
  if (at >= 0 && end >= 0) found.xmp.push(head.subarray(at + gifXmp.length, end));
}

function findInTiff(bytes: FileBytes, found: Found): void {
  const file = new TiffFile(bytes);
  const block = file.directory(file.first)?.bytesOf(tiffTag.xmp, maxBlockBytes);
  if (block) found.xmp.push(block);
}

const finders: Record<ImageFormat, (bytes: FileBytes, found: Found) => void> = {
  jpeg: findInJpeg,
  png: findInPng,
  webp: findInWebp,
  gif: findInGif,
  tiff: findInTiff,
  avif: findInHeif,
  heif: findInHeif,
};

const find = <K extends keyof Metadata>(all: readonly Metadata[], key: K): Metadata[K] =>
  all.find((one) => one[key] !== undefined)?.[key];

/** Where and when an image was taken, from EXIF, else from XMP; and its EXIF orientation. */
export function readMetadata(source: Source, format: ImageFormat): Metadata {
  const found: Found = { exif: [], xmp: [] };
  try {
    withBytes(source, (bytes) => finders[format](bytes, found));
  } catch {
    // A structure that is too convoluted, or damaged, ends the search.
  }
  const exif = found.exif.slice(0, maxBlocks).map(readExif);
  if (format === 'tiff') {
    exif.push(typeof source === 'string' ? readTiffExif(source) : readExif(source));
  }
  let [coordinates, taken] = [find(exif, 'coordinates'), find(exif, 'taken')];
  if (!coordinates || !taken) {
    const xmp = found.xmp.slice(0, maxBlocks).map(readXmp);
    coordinates ??= find(xmp, 'coordinates');
    taken ??= find(xmp, 'taken');
  }
  const orientation = find(exif, 'orientation');
  return {
    ...(coordinates && { coordinates }),
    ...(taken && { taken }),
    ...(orientation && { orientation }),
  };
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  processEntities: false, // against entity expansion attacks
});

const maxDepth = 16;
/** Properties for the time when it was taken, the most exact first. */
const times = [
  'exif:DateTimeOriginal',
  'photoshop:DateCreated',
  'exif:DateTimeDigitized',
  'xmp:CreateDate',
  'xap:CreateDate',
];

/** Properties are attributes or elements at any depth; the first of each name counts. */
function gather(node: unknown, into: Map<string, string>, depth: number): void {
  if (typeof node !== 'object' || node === null || depth > maxDepth) return;
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'string') {
      if (!into.has(name)) into.set(name, value);
    } else gather(value, into, depth + 1);
  }
}

/** `48,51.5N`, `48,51,30N`, or a signed number of degrees, as some drones write it. */
function degrees(text: string | undefined, hemispheres: string, limit: number): number | undefined {
  const parts =
    /^\s*([+-]?\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?)(?:,(\d+(?:\.\d+)?))?)?\s*([NSEW]?)\s*$/i.exec(
      text ?? '',
    );
  if (!parts) return undefined;
  const [d = NaN, m = 0, s = 0] = parts.slice(1, 4).map((part) => Number(part ?? 0));
  const letter = (parts[4] ?? '').toUpperCase();
  const size = Math.abs(d) + m / 60 + s / 3600;
  if (!hemispheres.includes(letter) || !(size <= limit)) return undefined;
  return letter === hemispheres[1] || d < 0 ? 0 - size : size;
}

/** Location and time from an XMP packet; nothing if it is something else. */
function readXmp(packet: Buffer): ExifData {
  const properties = new Map<string, string>();
  try {
    const text = packet.toString('utf8').replace(/\0+$/, '');
    gather(parser.parse(text), properties, 0);
  } catch {
    return {};
  }
  const one = (names: readonly string[]): string | undefined =>
    names.map((name) => properties.get(name)).find((text) => text !== undefined);
  const latitude = degrees(one(['exif:GPSLatitude', 'drone-dji:GpsLatitude']), 'NS', 90);
  const longitude = degrees(
    one(['exif:GPSLongitude', 'drone-dji:GpsLongitude', 'drone-dji:GpsLongtitude']),
    'EW',
    180,
  );
  const taken = times.map((name) => timeFrom(properties.get(name))).find(Boolean);
  return {
    ...(latitude !== undefined &&
      longitude !== undefined && { coordinates: { latitude, longitude } }),
    ...(taken && { taken }),
  };
}
