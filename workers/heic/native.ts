import { readFile } from 'node:fs/promises';
import { type CopyRows, loadFfmpeg, type Size } from '../../src/imaging/ffmpeg.js';
import { fitted, inSrgb, type Sizes, toPixels } from '../decode.js';
import type { Header } from '../header.js';
import { sharp } from '../libvips.js';
import { type Pixels, type Side, toRgb } from '../pixels.js';
import { Refused } from '../refused.js';
import { type Source, withBytes } from '../source.js';
import { annexB, type HevcStill, readHevcStill } from './still.js';

const ffmpeg = await loadFfmpeg();

/**
 * Decodes the primary image of a HEIC file with the machine's FFmpeg.
 *
 * @returns undefined if there is no FFmpeg, if the image does not have the form that phones write,
 *   or if anything is wrong with it; the caller then uses the bundled decoder.
 * @throws Refused `image_too_large`.
 */
export async function decodeHeicNatively(
  source: Source,
  header: Pick<Header, 'icc' | 'colours'>,
  { maxPixels, side }: Sizes,
): Promise<Pixels | undefined> {
  if (!ffmpeg || typeof source !== 'string') return undefined;
  try {
    const still = withBytes(source, readHevcStill);
    if (!still) return undefined;
    const { width, height } = still;
    if (width * height > maxPixels) throw new Refused('image_too_large', `${width} x ${height}`);
    const planes = new Planes(still);
    const file = await readFile(source);
    const coded = ffmpeg.decode(
      still.tiles.map((tile) => annexB(file, tile)),
      still.tileSize,
      (copy, i) => planes.paste(copy, i),
    );
    const samples = await fit(planes.interleaved(side), side);
    const pixels = await turn(toRgb(samples, still.coding ?? coded), still.quarterTurns);
    return { ...(await inSrgb(pixels, header)), whole: true };
  } catch (error) {
    if (error instanceof Refused && error.code === 'image_too_large') throw error;
    return undefined;
  }
}

interface Plane extends Size {
  readonly data: Buffer;
}

/** An image as a luma plane and two chroma planes of half its size. */
class Planes {
  readonly #planes: readonly [luma: Plane, blue: Plane, red: Plane];

  constructor(private readonly still: HevcStill) {
    const { width, height } = still;
    const plane = (columns: number, rows: number): Plane => ({
      width: columns,
      height: rows,
      data: Buffer.allocUnsafeSlow(columns * rows),
    });
    const half = [Math.ceil(width / 2), Math.ceil(height / 2)] as const;
    this.#planes = [plane(width, height), plane(...half), plane(...half)];
  }

  /** Copies a tile to its position, clipped to the image. */
  paste(copy: CopyRows, index: number): void {
    const { columns, tileSize } = this.still;
    const [column, row] = [index % columns, Math.floor(index / columns)];
    for (const plane of [0, 1, 2] as const) {
      const { data, width, height } = this.#planes[plane];
      const scale = plane === 0 ? 1 : 2;
      const [x, y] = [(column * tileSize.width) / scale, (row * tileSize.height) / scale];
      const rowBytes = Math.min(Math.ceil(tileSize.width / scale), width - x);
      const rows = Math.min(Math.ceil(tileSize.height / scale), height - y);
      if (rowBytes <= 0 || rows <= 0) continue;
      copy({ plane, to: data.subarray(y * width + x), toStride: width, rowBytes, rows });
    }
  }

  /**
   * Luma, blue difference, and red difference of each pixel. At half size, like in scaled JPEG
   * decoding, if what they are fitted into is no larger than that: this avoids upscaling chroma and
   * downscaling luma by a large factor, which takes longer.
   */
  interleaved(side: Side): Plane {
    const [luma, blue, red] = this.#planes;
    return side !== undefined && Math.max(blue.width, blue.height) >= side
      ? halved(luma, blue, red)
      : whole(luma, blue, red);
  }
}

function whole(luma: Plane, blue: Plane, red: Plane): Plane {
  const { width, height } = luma;
  const data = Buffer.allocUnsafeSlow(width * height * 3);
  for (let y = 0, from = 0, to = 0; y < height; y++) {
    const row = (y >> 1) * blue.width;
    for (let x = 0; x < width; x++, from++, to += 3) {
      data[to] = luma.data[from] as number;
      data[to + 1] = blue.data[row + (x >> 1)] as number;
      data[to + 2] = red.data[row + (x >> 1)] as number;
    }
  }
  return { data, width, height };
}

function halved(luma: Plane, blue: Plane, red: Plane): Plane {
  const { width, height } = blue;
  const data = Buffer.allocUnsafeSlow(width * height * 3);
  // At an odd edge, the last column or row counts twice.
  const lastColumn = luma.width - 1;
  const lastRow = luma.height - 1;
  for (let y = 0, from = 0, to = 0; y < height; y++) {
    const above = 2 * y * luma.width;
    const below = Math.min(2 * y + 1, lastRow) * luma.width;
    for (let x = 0; x < width; x++, from++, to += 3) {
      const left = 2 * x;
      const right = Math.min(left + 1, lastColumn);
      const upper = (luma.data[above + left] as number) + (luma.data[above + right] as number);
      const lower = (luma.data[below + left] as number) + (luma.data[below + right] as number);
      data[to] = (upper + lower + 2) >> 2;
      data[to + 1] = blue.data[from] as number;
      data[to + 2] = red.data[from] as number;
    }
  }
  return { data, width, height };
}

async function fit({ data, width, height }: Plane, side: Side): Promise<Pixels> {
  if (side === undefined) return { data, width, height, channels: 3 };
  const whole = sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });
  return toPixels(fitted(whole, side));
}

async function turn(pixels: Pixels, quarterTurns: number): Promise<Pixels> {
  if (quarterTurns === 0) return pixels;
  const { data, ...raw } = pixels;
  return toPixels(sharp(data, { raw, limitInputPixels: false }).rotate(360 - 90 * quarterTurns));
}
