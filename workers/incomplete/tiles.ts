import {
  BoxReader,
  canvasOf,
  type Extent,
  type HeifItem,
  type HeifItems,
  heifItems,
  sizeOf,
} from '../inspect/isobmff.js';
import type { FileBytes } from '../source.js';
import type { Pixels } from '../pixels.js';

/** A part of an image, in pixels; right and bottom are exclusive. */
interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The image before some transformation, and where a tile is in it. */
interface Placed {
  readonly width: number;
  readonly height: number;
  readonly area: Area;
}

export interface Tile {
  readonly item: HeifItem;
  /** As a fraction of the displayed image, 0 to 1 on both axes. */
  readonly area: Area;
}

export interface Still {
  /** The primary image. */
  readonly primary: HeifItem;
  /** None if the primary image is coded as a whole. */
  readonly tiles: readonly Tile[];
}

/** Mixed with the next tile by scaling. */
const edge = 2;

const turned = ({ width, height, area: { left, top, right, bottom } }: Placed): Placed => ({
  width: height,
  height: width,
  area: { left: top, right: bottom, top: width - right, bottom: width - left },
});

function mirrored({ width, height, area }: Placed, axis: number): Placed {
  const { left, top, right, bottom } = area;
  const flipped =
    axis === 0
      ? { ...area, top: height - bottom, bottom: height - top }
      : { ...area, left: width - right, right: width - left };
  return { width, height, area: flipped };
}

/** Crops as a `clap` box says: width, height, and offsets of the center, all fractions. */
function cropped({ width, height, area }: Placed, r: BoxReader, first: number): Placed {
  const [w, wBy, h, hBy, x, xBy, y, yBy] = [first, ...Array.from({ length: 7 }, () => r.number(4))];
  const ratio = (a = 0, b = 1): number => (a | 0) / (b || 1);
  const [newWidth, newHeight] = [ratio(w, wBy), ratio(h, hBy)];
  const left = ratio(x, xBy) + (width - newWidth) / 2;
  const top = ratio(y, yBy) + (height - newHeight) / 2;
  return {
    width: newWidth,
    height: newHeight,
    area: {
      left: area.left - left,
      right: area.right - left,
      top: area.top - top,
      bottom: area.bottom - top,
    },
  };
}

/** Applies the transformations of the primary image, as libheif does. */
function displayed(bytes: FileBytes, { properties }: HeifItem, placed: Placed): Area {
  let now = placed;
  for (const property of properties) {
    // These have no version and flags, which the reader takes from the first four bytes.
    const value = bytes.at(property.start, 1)?.[0] ?? 0;
    if (property.type === 'irot') for (let i = value & 3; i > 0; i--) now = turned(now);
    if (property.type === 'imir') now = mirrored(now, value & 1);
    if (property.type !== 'clap') continue;
    const first = bytes.at(property.start, 4)?.readUInt32BE(0) ?? 0;
    now = cropped(now, new BoxReader(bytes, property), first);
  }
  const { left, top, right, bottom } = now.area;
  return {
    left: left / now.width,
    right: right / now.width,
    top: top / now.height,
    bottom: bottom / now.height,
  };
}

function tilesOf(bytes: FileBytes, items: HeifItems, primary: HeifItem): Tile[] {
  const canvas = canvasOf(bytes, primary);
  const parts = primary.derivedFrom.map((id) => items.get(id)).filter((one) => one !== undefined);
  const tile = parts[0] && sizeOf(bytes, parts[0]);
  if (!canvas || !tile?.width) return [];
  const { columns, width, height } = canvas;
  return parts.map((item, i) => {
    const [left, top] = [(i % columns) * tile.width, Math.floor(i / columns) * tile.height];
    const [right, bottom] = [Math.min(left + tile.width, width), Math.min(top + tile.height, height)]; // prettier-ignore
    const area = displayed(bytes, primary, { width, height, area: { left, top, right, bottom } });
    return { item, area };
  });
}

/** The primary image of a HEIF file, and the tiles if it is a grid. */
export function stillOf(bytes: FileBytes): Still | undefined {
  const items = heifItems(bytes);
  const primary = items?.get(items.primary);
  if (!items || !primary) return undefined;
  return { primary, tiles: primary.type === 'grid' ? tilesOf(bytes, items, primary) : [] };
}

/** Where the data of an item ends. */
export const endOf = (extents: readonly Extent[]): number =>
  extents.reduce((end, { offset, length }) => Math.max(end, offset + Math.max(length, 1)), 0);

const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32BE(value, 4 * i));
  return bytes;
};

function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content]);
}

/** A file with one item of another file as its only image. */
export function alone(file: Buffer, item: HeifItem): Buffer {
  const coded = Buffer.concat(
    // A length of 0 means up to the end of the file.
    item.extents.map(({ offset, length }) => file.subarray(offset, length ? offset + length : undefined)), // prettier-ignore
  );
  const own = item.properties.map(({ at, end }) => file.subarray(at, end));
  const isEssential = (i: number): boolean => /hvcC|av1C/.test(item.properties[i]?.type ?? '');
  const used = own.map((_, i) => (isEssential(i) ? 0x80 : 0) | (i + 1));
  const brand = item.type === 'av01' ? 'avif' : 'heic';
  const kind = Buffer.from(`${item.type}\0`, 'latin1');
  const head = box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1${brand}`, 'latin1'));
  const metaAt = (at: number): Buffer =>
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), Buffer.from('pict'), Buffer.alloc(13)),
      box('pitm', u32(0), Buffer.from([0, 1])),
      box('iinf', u32(0), Buffer.from([0, 1]), box('infe', u32(0x0200_0000, 0x0001_0000), kind)),
      box('iloc', u32(0, 0x4400_0001, 0x0001_0000, 0x0001_0000 | (at >>> 16)), Buffer.from([at >> 8, at]), u32(coded.length)), // prettier-ignore
      box(
        'iprp',
        box('ipco', ...own),
        box('ipma', u32(0, 1), Buffer.from([0, 1, used.length, ...used])),
      ),
    );
  const dataAt = head.length + metaAt(0).length + 8;
  return Buffer.concat([head, metaAt(dataAt), box('mdat', coded)]);
}

/** Whether the pixels of an area, except at its edges, all have the same color, whichever. */
export function isUniform({ data, width, height, channels }: Pixels, area: Area): boolean {
  const [left, right] = [
    Math.ceil(area.left * width) + edge,
    Math.floor(area.right * width) - edge,
  ];
  const [top, bottom] = [Math.ceil(area.top * height) + edge, Math.floor(area.bottom * height) - edge]; // prettier-ignore
  let first: number | undefined;
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
    for (let x = Math.max(0, left); x < Math.min(width, right); x++) {
      const colour = data.readUIntBE((y * width + x) * channels, 3);
      first ??= colour;
      if (colour !== first) return false;
    }
  }
  return true;
}

/** Marks the pixels of an area with 1. */
export function mark(mask: Uint8Array, { width, height }: Pixels, area: Area): void {
  const edgeOf = (part: number, size: number): number =>
    Math.min(size, Math.max(0, Math.round(part * size)));
  const [left, right] = [edgeOf(area.left, width), edgeOf(area.right, width)];
  for (let y = edgeOf(area.top, height); y < edgeOf(area.bottom, height); y++) {
    mask.fill(1, y * width + left, y * width + right);
  }
}
