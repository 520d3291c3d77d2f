/** What decoding a HEIF file may take: the cost of all items that make up its primary image. */
import type { FileBytes } from '../source.js';
import type { Size } from '../../src/imaging/ffmpeg.js';
import {
  BoxReader,
  boxesIn,
  canvasOf,
  type Extent,
  type HeifItem,
  HeifItems,
  ItemBytes,
  propertyOf,
  sizeOf,
} from './isobmff.js';
import { corrupt, type Structure, tooComplex, unsupported, counter } from './structure.js';

/** Pixels that may be decoded per pixel shown: tiles overhang, alpha doubles. */
const maxDecodedPerShown = 4;
/** Allowance for small images made of large tiles. */
const freePixels = 16e6;

/** Bytes of memory per pixel: as shown, of the largest frame, of alpha. */
const pixelBytes = { av01: [10, 10, 4], hvc1: [7, 2, 5] } as const;
/** The WASM decoder with the thread that runs it. */
const hevcDecoderBytes = 45e6;

function memoryOf(cost: Cost): number {
  const [shown, frame, alpha] = pixelBytes[cost.coding];
  const { width, height, largestPixels, alphaPixels } = cost;
  const picture = width * height * shown + largestPixels * frame + alphaPixels * alpha;
  const deep = cost.sampleBytes === 2 ? 1.4 : 1;
  return picture * deep + (cost.coding === 'hvc1' ? hevcDecoderBytes : 0);
}

/**
 * Reads the item table and sums the cost of the items that make up the primary image.
 *
 * @throws Refused
 */
export function inspectHeif(bytes: FileBytes, maxPixels: number): Structure {
  const boxes = boxesIn(bytes, 0, bytes.size);
  const meta = boxes.find(({ type }) => type === 'meta');
  if (meta === undefined) {
    // Tracks without a still, or the short form of the item table.
    if (boxes.some(({ type }) => type === 'moov' || type === 'mini')) {
      throw unsupported('HEIF without an item table');
    }
    throw corrupt('HEIF without an item table');
  }
  const items = new HeifItems(bytes, meta);
  const cost = new HeifCost(bytes, items).of(items.primary);
  const { width, height, decodedPixels } = cost;
  const most = Math.min(maxDecodedPerShown * width * height, 2 * maxPixels) + freePixels;
  if (decodedPixels > most) throw tooComplex(`${decodedPixels} pixels for ${width} x ${height}`);
  return {
    format: cost.coding === 'av01' ? 'avif' : 'heif',
    width,
    height,
    decoderBytes: memoryOf(cost) + 2 * bytes.size,
  };
}

/** A grid of tiles, possibly rotated by one more derivation. */
const maxLevels = 2;
/** Starting a decoder costs as much as a margin of this many pixels around each frame. */
const margin = 128;

/** Bytes of a property that are read. */
const maxRead = 128;
const maxUrnBytes = 64;
const alphaUrn = /^urn:mpeg:(?:mpegB:cicp:systems:auxiliary:alpha|hevc:2015:auxid:1)\0/;

// From the records that describe how an item is coded.
const versionBytes = 4;
const av1HighBitdepth = 0x4000;
const hevcDepthAt = 17;
const hevcLengthSizeAt = 21;

type Coding = 'av01' | 'hvc1';

interface Cost {
  readonly width: number;
  readonly height: number;
  /** Pixels of all decoded frames, each counted as often as it is used. */
  readonly decodedPixels: number;
  /** Pixels of the largest coded image among them, times its frames. */
  readonly largestPixels: number;
  readonly alphaPixels: number;
  readonly coding: Coding;
  /** 2 if samples have more than eight bits. */
  readonly sampleBytes: 1 | 2;
  /** Nested derivations. */
  readonly levels: number;
}

/** The cost of decoding the items of a HEIF file. */
export class HeifCost {
  readonly #known = new Map<number, Cost>();
  // Of all items together, which may share their data.
  #codedBytes = 0;
  readonly #countUnit = counter('AV1 or HEVC units', maxUnits);

  constructor(
    private readonly bytes: FileBytes,
    private readonly items: HeifItems,
  ) {}

  /** @throws Refused */
  of(id: number, level = 0): Cost {
    this.bytes.spend();
    const known = this.#known.get(id);
    if (known) return known;
    // This also stops items that are derived from themselves.
    if (level > maxLevels) throw tooComplex('too many nested derivations');
    const item = this.items.get(id);
    if (item === undefined) throw corrupt(`HEIF without item ${id}`);
    const cost = this.#withAlpha(id, this.#ofItem(item, level), level);
    if (cost.levels > maxLevels) throw tooComplex('too many nested derivations');
    this.#known.set(id, cost);
    return cost;
  }

  #ofItem(item: HeifItem, level: number): Cost {
    switch (item.type) {
      case 'av01':
      case 'hvc1':
        return this.#ofCoded(item, item.type);
      case 'grid':
      case 'iovl':
      case 'iden':
        return this.#ofDerived(item, level);
      default:
        throw unsupported(`HEIF with an item of type ${JSON.stringify(item.type)}`);
    }
  }

  #ofCoded(item: HeifItem, coding: Coding): Cost {
    const { width, height } = this.#sizeOf(item);
    const data = new ItemBytes(this.bytes, item.extents);
    this.#addCoded(item.extents);
    const frames =
      coding === 'av01'
        ? countAv1Frames(data, this.#countUnit)
        : countHevcFrames(data, this.#lengthBytes(item), this.#countUnit);
    return {
      width,
      height,
      coding,
      decodedPixels: Math.max(1, frames) * (width + margin) * (height + margin),
      largestPixels: Math.max(1, frames) * width * height,
      alphaPixels: 0,
      sampleBytes: this.#isDeep(item) ? 2 : 1,
      levels: 0,
    };
  }

  /** Items that share their data would be copied and decoded as often as there are items. */
  #addCoded(extents: readonly Extent[]): void {
    const { size } = this.bytes;
    for (const { offset, length } of extents) {
      const end = length === 0 ? size : Math.min(offset + length, size);
      this.#codedBytes += Math.max(0, end - offset);
    }
    if (this.#codedBytes > 2 * size) throw tooComplex('HEIF whose items share their data');
  }

  #ofDerived(item: HeifItem, level: number): Cost {
    const parts = item.derivedFrom.map((id) => this.of(id, level + 1));
    const first = parts[0];
    if (first === undefined) throw corrupt('HEIF with a derived item without sources');
    const { coding } = first;
    if (parts.some((part) => part.coding !== coding)) throw unsupported('HEIF of mixed codings');
    const { width, height } = this.#canvasOf(item);
    const decodedPixels = parts.reduce((sum, part) => sum + part.decodedPixels, 0);
    const levels = 1 + Math.max(...parts.map((part) => part.levels));
    const largestPixels = Math.max(...parts.map((part) => part.largestPixels));
    return { ...first, width, height, decodedPixels, largestPixels, levels };
  }

  #withAlpha(id: number, cost: Cost, level: number): Cost {
    const alphas = this.items.auxiliariesOf(id).filter((aux) => this.#isAlpha(aux));
    const parts = alphas.map((alpha) => this.of(alpha, level + 1));
    const alphaPixels = parts.reduce((sum, part) => sum + part.decodedPixels, 0);
    return { ...cost, alphaPixels, decodedPixels: cost.decodedPixels + alphaPixels };
  }

  #property(item: HeifItem, type: string): BoxReader | undefined {
    this.bytes.spend(1 + item.properties.length / 8);
    const box = propertyOf(item, type);
    // Only its beginning: many items may share a long one.
    return (
      box && new BoxReader(this.bytes, { ...box, end: Math.min(box.end, box.start + maxRead) })
    );
  }

  #sizeOf(item: HeifItem): Size {
    const size = sizeOf(this.bytes, item);
    if (size.width === 0 || size.height === 0) throw corrupt('HEIF with a picture without a size');
    return size;
  }

  /** The size of the composed image; a canvas larger than the declared size is still allocated. */
  #canvasOf(item: HeifItem): Size {
    const { width, height } = this.#sizeOf(item);
    const canvas = canvasOf(this.bytes, item);
    return {
      width: Math.max(width, canvas?.width ?? 0),
      height: Math.max(height, canvas?.height ?? 0),
    };
  }

  #isAlpha(id: number): boolean {
    const item = this.items.get(id);
    const kind = item && this.#property(item, 'auxC')?.text(maxUrnBytes);
    return kind !== undefined && alphaUrn.test(kind);
  }

  // Both records of how an item is coded begin with a version, read like that of a box.

  #isDeep(item: HeifItem): boolean {
    const av1 = this.#property(item, 'av1C');
    if (av1) return (av1.flags & av1HighBitdepth) !== 0;
    const hevc = this.#property(item, 'hvcC');
    hevc?.skip(hevcDepthAt - versionBytes);
    return ((hevc?.number(1) ?? 0) & 7) > 0;
  }

  #lengthBytes(item: HeifItem): number {
    const hevc = this.#property(item, 'hvcC');
    hevc?.skip(hevcLengthSizeAt - versionBytes);
    return ((hevc?.number(1) ?? 3) & 3) + 1;
  }
}

/** Several slices in each of hundreds of tiles. */
const maxUnits = 16_384;

/** A still has one frame, or a few with layers; decoders decode all of them. */
const maxFrames = 8;

const av1FrameHeader = 3;
const av1Frame = 6;
const maxLeb128Bytes = 8;

/** A variable-length size, seven bits per byte. */
function leb128(data: ItemBytes, at: number): { value: number; length: number } | undefined {
  let value = 0;
  for (let length = 1; length <= maxLeb128Bytes; length++) {
    const byte = data.at(at + length - 1, 1)?.[0];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 2 ** (7 * (length - 1));
    if (byte < 0x80) return { value, length };
  }
  return undefined;
}

/** @throws Refused `image_too_complex` */
function countAv1Frames(data: ItemBytes, countUnit: () => void): number {
  const countFrame = counter('frames in one picture', maxFrames);
  let frames = 0;
  for (let at = 0; ;) {
    const head = data.at(at, 1)?.[0];
    if (head === undefined) break;
    countUnit();
    const [type, extended, sized] = [(head >> 3) & 15, (head & 4) !== 0, (head & 2) !== 0];
    if (type === av1Frame || type === av1FrameHeader) {
      countFrame();
      frames++;
    }
    at += extended ? 2 : 1;
    // Without a size, the unit extends to the end.
    const size = sized ? leb128(data, at) : undefined;
    if (size === undefined) break;
    at += size.length + size.value;
  }
  return frames;
}

const hevcHeaderBytes = 2;
const hevcLastSliceType = 31;

/**
 * @param lengthBytes size of the number before each unit
 * @throws Refused `image_too_complex`
 */
function countHevcFrames(data: ItemBytes, lengthBytes: number, countUnit: () => void): number {
  const countFrame = counter('frames in one picture', maxFrames);
  let frames = 0;
  for (let at = 0; ;) {
    const head = data.at(at, lengthBytes + hevcHeaderBytes + 1);
    if (head === undefined) break;
    countUnit();
    const type = ((head[lengthBytes] as number) >> 1) & 0x3f;
    const firstOfFrame = (head[lengthBytes + hevcHeaderBytes] as number) >= 0x80;
    if (type <= hevcLastSliceType && firstOfFrame) {
      countFrame();
      frames++;
    }
    at += lengthBytes + head.readUIntBE(0, lengthBytes);
  }
  return frames;
}
