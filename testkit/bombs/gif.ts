const u16 = (value: number): number[] => [value & 255, value >> 8];

const screen = (width: number, height: number): Buffer =>
  Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from([...u16(width), ...u16(height), 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
  ]);
/** One pixel in the corner: clear, color 0, end. */
const frame = Buffer.from([0x2c, ...u16(0), ...u16(0), ...u16(1), ...u16(1), 0, 2, 2, 0x44, 1, 0]);
const trailer = Buffer.from(';');

/** A one-pixel animation. */
export const gifOfFrames = (count = 3_000_000): Buffer =>
  Buffer.concat([screen(1, 1), Buffer.alloc(frame.length * count, frame), trailer]);

/** A screen of any size with a one-pixel frame. */
export const gifOfScreen = (side = 9_999): Buffer =>
  Buffer.concat([screen(side, side), frame, trailer]);
