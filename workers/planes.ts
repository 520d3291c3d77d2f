import type { Ffmpeg, Frame } from '../src/imaging/ffmpeg.js';
import type { Size } from './hevc-decoder.js';
import type { HevcStill } from './hevc-still.js';
import { displaySide } from './pixels.js';

interface Plane extends Size {
  readonly data: Buffer;
}

/** Luma, blue difference, and red difference, interleaved per pixel. */
export interface Interleaved extends Size {
  readonly data: Buffer;
}

/** An image as a luma plane and two chroma planes of half its size. */
export class Planes {
  readonly #planes: readonly [Plane, Plane, Plane];

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
  paste(ffmpeg: Ffmpeg, frame: Frame, index: number): void {
    const { columns, tileSize } = this.still;
    const [column, row] = [index % columns, Math.floor(index / columns)];
    for (const [i, { data, width, height }] of this.#planes.entries()) {
      const scale = i === 0 ? 1 : 2;
      const [x, y] = [(column * tileSize.width) / scale, (row * tileSize.height) / scale];
      const rowBytes = Math.min(Math.ceil(tileSize.width / scale), width - x);
      const rows = Math.min(Math.ceil(tileSize.height / scale), height - y);
      if (rowBytes <= 0 || rows <= 0) continue;
      const [from = null, stride = 0] = [frame.planes[i], frame.strides[i]];
      ffmpeg.av_image_copy_plane(data.subarray(y * width + x), width, from, stride, rowBytes, rows);
    }
  }

  /**
   * At half size, like in scaled JPEG decoding, if the display rendition is no larger than that:
   * this avoids upscaling chroma and downscaling luma by a large factor, which takes longer.
   */
  interleaved(): Interleaved {
    const [luma, blue, red] = this.#planes;
    return Math.max(blue.width, blue.height) >= displaySide
      ? halved(luma, blue, red)
      : whole(luma, blue, red);
  }
}

function whole(luma: Plane, blue: Plane, red: Plane): Interleaved {
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

function halved(luma: Plane, blue: Plane, red: Plane): Interleaved {
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
