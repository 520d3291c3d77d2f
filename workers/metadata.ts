/**
 * Finds EXIF, XMP, and IPTC wherever the writers of each format put them. EXIF is read by exif.ts.
 * Bounded like the inspection: in the number of parts, and in the size of each.
 */

import { inflateSync } from 'node:zlib';
import { bytesPerMegabyte } from '../src/base/units.js';
import { type ExifData, exifIn, type Metadata, readExif } from '../src/imaging/exif.js';
import type { ImageFormat } from '../src/imaging/port.js';
import { present, withOffset } from '../src/imaging/readings.js';
import { TiffFile, tiffTag } from '../src/imaging/tiff-directory.js';
import { mayState, readXmp } from '../src/imaging/xmp.js';
import {
  gifBlock,
  gifBlocksOf,
  jpegMarker,
  jpegSegments,
  pngChunks,
  webpChunks,
} from './containers.js';
import { type FileBytes, type Source, withBytes } from './source.js';
import { heifItems, ItemBytes } from './inspect/isobmff.js';
import { maxInflation } from './inspect/web-formats.js';
import { photoshopMark, readIptc } from './iptc.js';

interface Found {
  readonly exif: Buffer[];
  readonly xmp: Buffer[];
  /** As it is, or among the resources of Photoshop. */
  readonly iptc: Buffer[];
}

const maxBlockBytes = bytesPerMegabyte;
/** Blocks of one kind that are looked at. */
const maxBlocks = 4;
/** Characters of the keyword of a text in PNG. */
const maxKeyword = 79;

const exifMark = /^[^]{0,4}Exif\0[^]/i;
const tiffMark = /^(?:II\*\0|MM\0\*)/;
const xmpMark = 'http://ns.adobe.com/xap/1.0/\0';
const extendedMark = 'http://ns.adobe.com/xmp/extension/\0';
/** Of an extended packet: its checksum, length, and the offset of this part. */
const extendedHeaderBytes = extendedMark.length + 40;

/** The parts of a block that goes on in the next segments: joined once, at the end. */
class Parts {
  readonly #parts: Buffer[] = [];
  #bytes = 0;

  /** @returns false if that would be too much. */
  add(part: Buffer): boolean {
    if (this.#bytes + part.length > maxBlockBytes) return false;
    this.#bytes += part.length;
    this.#parts.push(part);
    return true;
  }

  joined = (): Buffer => Buffer.concat(this.#parts);
}

/** A part of an extended packet: the packet, where the part belongs in it, and its bytes. */
interface Extended {
  readonly id: string;
  readonly offset: number;
  readonly part: Buffer;
}

/** Those of the first packet, in the order of their offsets; writers need not keep to it. */
function joinedExtended(extended: readonly Extended[]): Buffer[] {
  const own = extended.filter(({ id }) => id === extended[0]?.id);
  const packet = new Parts();
  for (const { part } of own.sort((a, b) => a.offset - b.offset)) packet.add(part);
  return own.length > 0 ? [packet.joined()] : [];
}

function findInJpeg(bytes: FileBytes, found: Found): void {
  const exif: Parts[] = [];
  const resources = new Parts();
  const extended: Extended[] = [];
  let extendedBytes = 0;
  for (const { type, start, length } of jpegSegments(bytes)) {
    if (type === jpegMarker.startOfScan) break;
    const isWanted = type === jpegMarker.app1 || type === jpegMarker.app13;
    const block = isWanted ? bytes.at(start, length) : undefined;
    if (!block) continue;
    const text = block.toString('latin1', 0, 80);
    if (type === jpegMarker.app13) {
      // Resources of Photoshop go on in the next segment where one is too small.
      if (text.startsWith(photoshopMark)) resources.add(block.subarray(photoshopMark.length));
      continue;
    }
    const mark = exifMark.exec(text)?.[0];
    if (mark !== undefined) {
      const content = block.subarray(mark.length);
      const begins = tiffMark.test(content.toString('latin1', 0, 4));
      // A block that is too large for one segment goes on in the next.
      const isNew = begins || exif.at(-1)?.add(content) !== true;
      if (isNew && exif.length < maxBlocks) {
        exif.push(new Parts());
        exif.at(-1)?.add(content);
      }
    } else if (text.startsWith(xmpMark)) add(found, 'xmp', () => block.subarray(xmpMark.length));
    else if (text.startsWith(extendedMark) && extendedBytes < maxBlockBytes) {
      if (block.length < extendedHeaderBytes) continue;
      extendedBytes += block.length;
      const id = block.toString('latin1', extendedMark.length, extendedHeaderBytes - 8);
      const offset = block.readUInt32BE(extendedHeaderBytes - 4);
      extended.push({ id, offset, part: block.subarray(extendedHeaderBytes) });
    }
  }
  found.exif.push(...exif.map((parts) => parts.joined()));
  found.iptc.push(resources.joined());
  // It goes on where the packet ends that names it.
  found.xmp.splice(1, 0, ...joinedExtended(extended));
}

/** What unpacking costs in steps, by the bytes that come out. */
const unpackedPerStep = 64;
/** And what it costs to begin. */
const stepsOfUnpacking = 200;

/** Unpacks data of bounded size; undefined if it is broken or larger. */
function inflated(data: Buffer, bytes: FileBytes): Buffer | undefined {
  // Before it is done, for the most that may come out of it.
  const most = Math.min(maxBlockBytes, data.length * maxInflation);
  bytes.spend(stepsOfUnpacking + Math.ceil(most / unpackedPerStep));
  try {
    return inflateSync(data, { maxOutputLength: maxBlockBytes });
  } catch {
    return undefined;
  }
}

/** Blocks that are put into texts of PNG, by the keyword of such a text. */
const profiles = new Map<string, keyof Found>([
  ['raw profile type exif', 'exif'],
  ['raw profile type app1', 'exif'],
  ['raw profile type xmp', 'xmp'],
  ['raw profile type iptc', 'iptc'],
]);
const xmpKeyword = 'xml:com.adobe.xmp';

/** The keyword of a PNG text, in small letters, and how to read the text itself. */
function pngText(type: string, data: Buffer, bytes: FileBytes) {
  const end = data.subarray(0, maxKeyword + 1).indexOf(0);
  const keyword = data.toString('latin1', 0, Math.max(end, 0)).toLowerCase();
  const rest = data.subarray(end + 1);
  const text = (): Buffer | undefined => {
    if (type === 'tEXt') return rest;
    // The method, or whether it is packed, then the method, a language, and a translated keyword.
    const language = rest.indexOf(0, 2);
    const at = type === 'zTXt' ? 1 : rest.indexOf(0, language + 1) + 1;
    if (type === 'iTXt' && (language < 0 || at === 0)) return undefined;
    const isPacked = type === 'zTXt' || rest[0] === 1;
    return isPacked ? inflated(rest.subarray(at), bytes) : rest.subarray(at);
  };
  return { keyword, text };
}

/** A block as ImageMagick and its like put it into texts: a name, a length, and hexadecimal digits. */
function rawProfile(text: Buffer | undefined): Buffer | undefined {
  const parts = /^\s*\S+\s+\d+\s+([0-9a-f\s]+)/i.exec(text?.toString('latin1') ?? '');
  return parts ? Buffer.from((parts[1] ?? '').replaceAll(/\s+/g, ''), 'hex') : undefined;
}

/** Adds a block unless there are enough of its kind: reading one costs more than finding it. */
function add(found: Found, kind: keyof Found, read: () => Buffer | undefined): void {
  if (found[kind].length >= maxBlocks) return;
  const block = read();
  if (!block) return;
  // Some writers put the name of XMP in front of it, and take it for EXIF.
  const isXmp = kind === 'exif' && block.toString('latin1', 0, xmpMark.length) === xmpMark;
  if (isXmp) found.xmp.push(block.subarray(xmpMark.length));
  else found[kind].push(block);
}

function findInPng(bytes: FileBytes, found: Found): void {
  for (const { type, start, length } of pngChunks(bytes)) {
    const wanted = ['eXIf', 'zxIf', 'tEXt', 'zTXt', 'iTXt'].includes(type);
    const data = wanted && length <= maxBlockBytes ? bytes.at(start, length) : undefined;
    if (!data) continue;
    if (type === 'eXIf') found.exif.unshift(data);
    else if (type === 'zxIf') add(found, 'exif', () => inflated(data.subarray(5), bytes));
    else {
      const { keyword, text } = pngText(type, data, bytes);
      if (keyword === xmpKeyword) add(found, 'xmp', text);
      const kind = profiles.get(keyword);
      if (kind) add(found, kind, () => rawProfile(text()));
    }
  }
}

function findInWebp(bytes: FileBytes, found: Found): void {
  for (const { type, start, length } of webpChunks(bytes)) {
    const wanted = type === 'EXIF' || type === 'XMP ' || type === 'XMP\0';
    const data = wanted && length <= maxBlockBytes ? bytes.at(start, length) : undefined;
    if (data) add(found, type === 'EXIF' ? 'exif' : 'xmp', () => data);
  }
}

/** A block of EXIF in HEIF, after the offset of its TIFF header, which some writers get wrong. */
function exifOf(block: Buffer): Buffer {
  const declared = block.length < 8 ? block.length : 4 + block.readUInt32BE(0);
  const isRight = tiffMark.test(block.toString('latin1', declared, declared + 4));
  return block.subarray(isRight ? declared : 4);
}

/** Those of the primary image: a file may have others beside it, with metadata of their own. */
function findInHeif(bytes: FileBytes, found: Found): void {
  const items = heifItems(bytes);
  if (!items) return;
  for (const [type, kind] of [
    ['Exif', 'exif'],
    ['mime', 'xmp'],
  ] as const) {
    for (const { extents, describes } of items.ofType(type)) {
      // What is said to describe nothing describes the file.
      if (describes.length > 0 && !describes.includes(items.primary)) continue;
      const data = new ItemBytes(bytes, extents);
      add(found, kind, () => {
        const content = data.size <= maxBlockBytes ? data.at(0, data.size) : undefined;
        return content && kind === 'exif' ? exifOf(content) : content;
      });
    }
  }
}

const gifXmp = '\x0bXMP DataXMP';
/** The packet is as it is, not in blocks; what follows it ends in a block from wherever it is read. */
const gifXmpEnd = Buffer.from([1, 0xff, 0xfe]);

function findInGif(bytes: FileBytes, found: Found): void {
  for (const { type, at, start } of gifBlocksOf(bytes)) {
    if (at > maxBlockBytes) break;
    const mark = type === gifBlock.extension ? bytes.at(start, gifXmp.length) : undefined;
    if (mark?.toString('latin1') !== gifXmp) continue;
    const from = start + gifXmp.length;
    const packet = bytes.at(from, Math.min(bytes.size - from, maxBlockBytes));
    const end = packet?.indexOf(gifXmpEnd) ?? -1;
    if (packet && end >= 0) add(found, 'xmp', () => packet.subarray(0, end));
  }
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

/** What is broken, or too convoluted, ends the search. */
function unlessBroken<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error;
    return undefined;
  }
}

/** Where a file has its blocks. */
export function findBlocks(bytes: FileBytes, format: ImageFormat): Found {
  const found: Found = { exif: [], xmp: [], iptc: [] };
  unlessBroken(() => finders[format](bytes, found));
  return found;
}

/** What all EXIF of a file says; a TIFF file has it in directories of its own. */
export function readAllExif(bytes: FileBytes, { exif }: Found, format: ImageFormat): ExifData[] {
  const own = exif.slice(0, maxBlocks).map((block) => unlessBroken(() => readExif(block, bytes)));
  const ofFile = format === 'tiff' ? unlessBroken(() => exifIn(bytes)) : undefined;
  return [...own, ofFile].filter((one) => one !== undefined);
}

/**
 * What the camera knew, each from EXIF, else from XMP, and times from IPTC at last; and the EXIF
 * orientation. What is broken, or too much, counts as absent.
 */
export function readMetadata(source: Source, format: ImageFormat): Metadata {
  const [found, exif] = withBytes(source, (bytes) => {
    const blocks = findBlocks(bytes, format);
    return [blocks, readAllExif(bytes, blocks, format)] as const;
  });
  const lacking = asked.filter((key) => find(exif, key) === undefined);
  const xmp = found.xmp
    .slice(0, maxBlocks)
    .filter((packet) => mayState(packet, lacking))
    .map((packet) => readXmp(packet.toString()));
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
