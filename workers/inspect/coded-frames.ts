import type { ItemBytes } from './item-bytes.js';
import { counter } from './structure.js';

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
export function countAv1Frames(data: ItemBytes): number {
  const countUnit = counter('AV1 units');
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
export function countHevcFrames(data: ItemBytes, lengthBytes: number): number {
  const countUnit = counter('HEVC units');
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
