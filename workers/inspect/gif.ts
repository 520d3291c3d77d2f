import type { FileBytes } from './file-bytes.js';
import { corrupt, counter, type Structure } from './structure.js';

const headerBytes = 13;
const extensionBlock = 0x21;
const imageBlock = 0x2c;
/** Frames and extensions; an animation has one of each per frame. */
const maxBlocks = 50_000;
/** Data comes in blocks of up to 255 bytes; this many hold 200 MB. */
const maxDataBlocks = 800_000;

/** Bytes of memory for the current frame and the previous one. */
const pixelBytes = 6.5;
const blockBytes = 300;

const colourTableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/**
 * Traverses all blocks of the file, as the decoder will.
 *
 * @throws Refused
 */
export function inspectGif(bytes: FileBytes): Structure {
  const header = bytes.at(0, headerBytes);
  if (header === undefined) throw corrupt('GIF without a header');
  let [width, height] = [header.readUInt16LE(6), header.readUInt16LE(8)];
  const countBlock = counter('GIF blocks', maxBlocks);
  const countData = counter('GIF data blocks', maxDataBlocks);
  let blocks = 0;
  let at = headerBytes + colourTableBytes(header[10] as number);

  function skipData(): boolean {
    for (;;) {
      const length = bytes.at(at, 1)?.[0];
      if (length === undefined) return false;
      countData();
      at += 1 + length;
      if (length === 0) return true;
    }
  }

  for (;;) {
    const type = bytes.at(at, 1)?.[0];
    if (type !== extensionBlock && type !== imageBlock) break;
    countBlock();
    blocks++;
    if (type === imageBlock) {
      const frame = bytes.at(at, 11);
      if (frame === undefined) break;
      // The decoder enlarges the screen for frames that do not fit.
      width = Math.max(width, frame.readUInt16LE(1) + frame.readUInt16LE(5));
      height = Math.max(height, frame.readUInt16LE(3) + frame.readUInt16LE(7));
      at += 11 + colourTableBytes(frame[9] as number);
    } else {
      at += 2;
    }
    if (!skipData()) break;
  }
  const decoderBytes = width * height * pixelBytes + blocks * blockBytes + bytes.size;
  return { format: 'gif', width, height, decoderBytes };
}
