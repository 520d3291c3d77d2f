/** Bytes at either end of a file that show whether it is whole. */
export const endBytes = 12;

const pngEnd = Buffer.from('IEND\xae\x42\x60\x82', 'latin1');

/**
 * Whether the beginning and end of a file match its format; a WebP has its length in the header.
 */
const formats: ReadonlyMap<string, (head: Buffer, tail: Buffer, bytes: number) => boolean> =
  new Map([
    ['jpg', (head, tail) => head.readUInt16BE(0) === 0xffd8 && tail.readUInt16BE(10) === 0xffd9],
    [
      'png',
      (head, tail) =>
        head.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' && tail.subarray(4).equals(pngEnd),
    ],
    [
      'webp',
      (head, _tail, bytes) =>
        head.toString('latin1', 0, 4) === 'RIFF' &&
        head.toString('latin1', 8, 12) === 'WEBP' &&
        head.readUInt32LE(4) + 8 === bytes,
    ],
  ]);

/**
 * Whether beginning, end, and length of a rendition match its format: nothing more can be verified
 * without a recorded hash.
 * @param head the first {@link endBytes} bytes; `tail` the last ones.
 */
export function isWhole(key: string, head: Buffer, tail: Buffer, bytes: number): boolean {
  const check = formats.get(key.slice(key.lastIndexOf('.') + 1));
  if (!check) return bytes > 0;
  return bytes >= endBytes && check(head, tail, bytes);
}
