const chunk = (type: string, data: Buffer): Buffer => {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};

const riff = (chunks: readonly Buffer[]): Buffer =>
  chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));

/** The lossless bitstream of one transparent pixel. */
const pixel = chunk('VP8L', Buffer.from('2f000000108888080100', 'hex'));
const animated = 2;
const canvas = (flags: number): Buffer =>
  chunk('VP8X', Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]));

/** A one-pixel animation. */
export function webpOfFrames(count = 100_000): Buffer {
  const frame = chunk('ANMF', Buffer.concat([Buffer.alloc(16), pixel]));
  return riff([
    canvas(animated),
    chunk('ANIM', Buffer.alloc(6)),
    ...Array<Buffer>(count).fill(frame),
  ]);
}

/** Empty chunks of an unknown type after a one-pixel image. */
export const webpOfChunks = (count = 1_000_000): Buffer =>
  riff([canvas(0), pixel, ...Array<Buffer>(count).fill(chunk('junk', Buffer.alloc(0)))]);
