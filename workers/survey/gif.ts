import type { FileBytes } from './file-bytes.js';
import { corrupt, counter, type Structure } from './structure.js';

const HEADER_BYTES = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
/** Frames and extensions; an animation has one of each per frame. */
const MAX_BLOCKS = 50_000;
/** Data comes in blocks of up to 255 bytes; this many hold 200 MB. */
const MAX_DATA_BLOCKS = 800_000;

/** Of memory, for the frame under way and the one before it. */
const PIXEL_BYTES = 6.5;
const BLOCK_BYTES = 300;

const colourTableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/**
 * Walks the blocks of the file to their end. The decoder looks through all of them, too.
 *
 * @throws Refused
 */
export function surveyGif(bytes: FileBytes): Structure {
  const header = bytes.at(0, HEADER_BYTES);
  if (header === undefined) throw corrupt('GIF without a header');
  let [width, height] = [header.readUInt16LE(6), header.readUInt16LE(8)];
  const countBlock = counter('GIF blocks', MAX_BLOCKS);
  const countData = counter('GIF data blocks', MAX_DATA_BLOCKS);
  let blocks = 0;
  let at = HEADER_BYTES + colourTableBytes(header[10] as number);

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
    const kind = bytes.at(at, 1)?.[0];
    if (kind !== EXTENSION && kind !== IMAGE) break;
    countBlock();
    blocks++;
    if (kind === IMAGE) {
      const frame = bytes.at(at, 11);
      if (frame === undefined) break;
      // The decoder widens the screen for what does not fit into it.
      width = Math.max(width, frame.readUInt16LE(1) + frame.readUInt16LE(5));
      height = Math.max(height, frame.readUInt16LE(3) + frame.readUInt16LE(7));
      at += 11 + colourTableBytes(frame[9] as number);
    } else {
      at += 2;
    }
    if (!skipData()) break;
  }
  const decoderBytes = width * height * PIXEL_BYTES + blocks * BLOCK_BYTES + bytes.size;
  return { format: 'gif', width, height, decoderBytes };
}
