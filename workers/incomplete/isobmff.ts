import { open as openFile, readFile, stat } from 'node:fs/promises';
import { blankTiles } from './blank-tiles.js';
import { paint } from './paint.js';
import type { Salvager } from './salvager.js';
import { twoFillings } from './two-fillings.js';

const boxHeaderBytes = 16;
const maxBoxes = 1000;
/** Top-level box types of such files; any other type is garbage after the end. */
const boxes = new Set(['ftyp', 'meta', 'mdat', 'moov', 'moof', 'free', 'skip', 'wide', 'uuid']);
/** Files with a smaller available part are not filled in. */
const minPart = 1 / 8;

/** The end of the file according to its boxes. */
async function declaredEnd(path: string): Promise<number> {
  const { size: fileBytes } = await stat(path);
  const file = await openFile(path);
  try {
    const header = Buffer.alloc(boxHeaderBytes);
    let at = 0;
    for (let i = 0; i < maxBoxes && at < fileBytes; i++) {
      const { bytesRead } = await file.read(header, 0, boxHeaderBytes, at);
      if (bytesRead < 8) break;
      const size = header.readUInt32BE(0);
      // Zero: up to the end of the file.
      if (size === 0 || !boxes.has(header.toString('latin1', 4, 8))) break;
      const long = size === 1 && bytesRead === boxHeaderBytes;
      at += Math.max(8, long ? Number(header.readBigUInt64BE(8)) : size);
    }
    return Math.max(at, fileBytes);
  } finally {
    await file.close();
  }
}

/** HEIC and AVIF: missing tiles of grids are detected; other truncated images are filled in. */
export const isobmff: Salvager = {
  async isTruncated(path, { pixels }) {
    return blankTiles(pixels).part > 0 || (await declaredEnd(path)) > (await stat(path)).size;
  },
  async salvage(path, open) {
    const end = await declaredEnd(path);
    const file = await readFile(path);
    if (file.length < end * minPart) return undefined;
    if (file.length < end) {
      return twoFillings((fill) => Buffer.concat([file, fill(end - file.length)]), open);
    }
    const opened = await open(path);
    const { part, mask } = blankTiles(opened.pixels);
    paint(opened.pixels, (pixel) => mask[pixel] === 1);
    return { ...opened, missing: part };
  },
};
