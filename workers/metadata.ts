/**
 * Finds EXIF, XMP, and IPTC wherever the writers of each format put them. EXIF is read by exif.ts.
 * Bounded like the inspection: in the number of parts, and in the size of each.
 */

import { inflateSync } from 'node:zlib';
import { bytesPerMegabyte } from '../src/base/units.js';
import { type ExifData, type Metadata, readExif, readTiffExif } from '../src/imaging/exif.js';
import type { ImageFormat } from '../src/imaging/port.js';
import { present, withOffset } from '../src/imaging/readings.js';
import { tiffTag } from '../src/imaging/tiff-directory.js';
import { type FileBytes, type Source, withBytes } from './source.js';
import { heifItems, ItemBytes } from './inspect/isobmff.js';
import { TiffFile } from './inspect/tiff-file.js';
import { photoshopMark, readIptc } from './iptc.js';
import { mayState, readXmp } from './xmp.js';

interface Found {
  readonly exif: Buffer[];
  readonly xmp: Buffer[];
  /** As it is, or among the resources of Photoshop. */
  readonly iptc: Buffer[];
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
  let extendedBytes = 0;
  let at: number | undefined = 2;
  for (let i = 0; i < maxParts; i++) {
    at = bytes.findMarker(at, (code) => code > 0x01 && code !== 0xff && (code & 0xf8) !== 0xd0);
    const head = at === undefined ? undefined : bytes.at(at, 4);
    if (at === undefined || !head || head[1] === 0xda || head[1] === 0xd9) break;
    const length = head.readUInt16BE(2);
    const isWanted = head[1] === 0xe1 || head[1] === 0xed;
    const block = isWanted ? bytes.at(at + 4, Math.max(0, length - 2)) : undefined;
    at += 2 + length;
    if (!block) continue;
    if (head[1] === 0xed) {
      addResources(block, found);
      continue;
    }
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
    else if (text.startsWith(extendedMark) && extendedBytes < maxBlockBytes) {
      extendedBytes += block.length;
      extended.push(block.subarray(extendedHeaderBytes));
    }
  }
  if (extended.length > 0) found.xmp.push(Buffer.concat(extended).subarray(0, maxBlockBytes));
}

/** Resources of Photoshop go on in the next segment where one is too small. */
function addResources(block: Buffer, { iptc }: Found): void {
  if (!block.toString('latin1', 0, photoshopMark.length).startsWith(photoshopMark)) return;
  const content = block.subarray(photoshopMark.length);
  const last = iptc.at(-1) ?? Buffer.alloc(0);
  if (last.length + content.length <= maxBlockBytes) {
    iptc.splice(-1, 1, Buffer.concat([last, content]));
  }
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
      const profile = /^Raw profile type (exif|app1|xmp|iptc)$/i.exec(keyword)?.[1]?.toLowerCase();
      const block = profile === undefined ? undefined : rawProfile(text);
      if (block && profile === 'xmp') found.xmp.push(block);
      else if (block && profile === 'iptc') found.iptc.push(block);
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
  const directory = file.directory(file.first);
  const block = (tag: number): Buffer[] =>
    [directory?.bytesOf(tag, maxBlockBytes)].filter((bytes) => bytes !== undefined);
  found.xmp.push(...block(tiffTag.xmp));
  found.iptc.push(...block(tiffTag.iptc), ...block(tiffTag.photoshop));
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

const find = <K extends keyof ExifData>(all: readonly ExifData[], key: K): ExifData[K] =>
  all.find((one) => one[key] !== undefined)?.[key];

/** What XMP is asked for where EXIF does not tell. */
const asked = ['coordinates', 'taken', 'direction', 'altitude', 'accuracy', 'camera'] as const;

/**
 * What the camera knew, each from EXIF, else from XMP, and times from IPTC at last; and the EXIF
 * orientation. What is broken, or too much, counts as absent.
 */
export function readMetadata(source: Source, format: ImageFormat): Metadata {
  const found: Found = { exif: [], xmp: [], iptc: [] };
  try {
    withBytes(source, (bytes) => finders[format](bytes, found));
  } catch {
    // A structure that is too convoluted, or damaged, ends the search.
  }
  const exif = found.exif.slice(0, maxBlocks).map(readExif);
  if (format === 'tiff') {
    exif.push(typeof source === 'string' ? readTiffExif(source) : readExif(source));
  }
  const lacking = asked.filter((key) => find(exif, key) === undefined);
  const xmp = found.xmp
    .slice(0, maxBlocks)
    .filter((packet) => mayState(packet, lacking))
    .map(readXmp);
  const all = [...exif, ...xmp];
  const time = find(all, 'taken') ?? found.iptc.slice(0, maxBlocks).map(readIptc).find(Boolean);
  const sources = present({ offset: find(exif, 'offset'), gpsTime: find(all, 'gpsTime') });
  return present({
    coordinates: find(all, 'coordinates'),
    taken: withOffset(time, sources),
    direction: find(all, 'direction'),
    altitude: find(all, 'altitude'),
    accuracy: find(all, 'accuracy'),
    camera: find(all, 'camera'),
    orientation: find(exif, 'orientation'),
  });
}
