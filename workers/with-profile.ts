import type { Pixels } from './pixels.js';

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;
const HEADER_BYTES = 8;

/**
 * The pixels as an uncompressed TIFF file that carries a colour profile: libvips takes profiles from
 * files only, not beside raw pixels.
 */
export function withProfile({ data, width, height, channels }: Pixels, icc: Buffer): Buffer {
  const iccAt = HEADER_BYTES + data.length;
  // Directories start at even offsets.
  const directoryAt = iccAt + icc.length + (icc.length % 2) + (data.length % 2);
  const bits = 8;
  // tag, type, count, value: in ascending order of tags
  const entries: (readonly [number, number, number, number])[] = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    // Bits of all samples; more than two values do not fit inline and follow the directory.
    [258, SHORT, channels, 0],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 2],
    [273, LONG, 1, HEADER_BYTES],
    [277, SHORT, 1, channels],
    [278, LONG, 1, height],
    [279, LONG, 1, data.length],
    ...(channels === 4 ? [[338, SHORT, 1, 2] as const] : []),
    [34675, UNDEFINED, icc.length, iccAt],
  ];
  const directory = Buffer.alloc(2 + entries.length * 12 + 4 + channels * 2);
  const bitsAt = directoryAt + directory.length - channels * 2;
  directory.writeUInt16LE(entries.length, 0);
  entries.forEach(([tag, type, count, value], i) => {
    const at = 2 + i * 12;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(count, at + 4);
    directory.writeUInt32LE(tag === 258 ? bitsAt : value, at + 8);
  });
  for (let i = 0; i < channels; i++) {
    directory.writeUInt16LE(bits, directory.length - channels * 2 + i * 2);
  }
  const header = Buffer.from('II*\0\0\0\0\0', 'latin1');
  header.writeUInt32LE(directoryAt, 4);
  const padding = Buffer.alloc(directoryAt - iccAt - icc.length);
  return Buffer.concat([header, data, icc, padding, directory]);
}
