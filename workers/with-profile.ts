import type { Pixels } from './pixels.js';
import { fieldType, tiffTag } from '../src/imaging/tiff-directory.js';

const headerBytes = 8;

/**
 * The pixels as an uncompressed TIFF file with a color profile: libvips reads profiles only from
 * files, not alongside raw pixels.
 */
export function withProfile({ data, width, height, channels }: Pixels, icc: Buffer): Buffer {
  const iccAt = headerBytes + data.length;
  // Directories start at even offsets.
  const directoryAt = iccAt + icc.length + (icc.length % 2) + (data.length % 2);
  const bits = 8;
  // tag, type, count, value: in ascending order of tags
  const entries: (readonly [number, number, number, number])[] = [
    [tiffTag.imageWidth, fieldType.long, 1, width],
    [tiffTag.imageLength, fieldType.long, 1, height],
    // Bit depths of all samples; more than two values do not fit inline and follow the directory.
    [tiffTag.bitsPerSample, fieldType.short, channels, 0],
    [tiffTag.compression, fieldType.short, 1, 1],
    [tiffTag.photometric, fieldType.short, 1, 2],
    [tiffTag.stripOffsets, fieldType.long, 1, headerBytes],
    [tiffTag.samplesPerPixel, fieldType.short, 1, channels],
    [tiffTag.rowsPerStrip, fieldType.long, 1, height],
    [tiffTag.stripByteCounts, fieldType.long, 1, data.length],
    ...(channels === 4 ? [[tiffTag.extraSamples, fieldType.short, 1, 2] as const] : []),
    [tiffTag.iccProfile, fieldType.undefined, icc.length, iccAt],
  ];
  const directory = Buffer.alloc(2 + entries.length * 12 + 4 + channels * 2);
  const bitsAt = directoryAt + directory.length - channels * 2;
  directory.writeUInt16LE(entries.length, 0);
  entries.forEach(([tag, type, count, value], i) => {
    const at = 2 + i * 12;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(count, at + 4);
    directory.writeUInt32LE(tag === tiffTag.bitsPerSample ? bitsAt : value, at + 8);
  });
  for (let i = 0; i < channels; i++) {
    directory.writeUInt16LE(bits, directory.length - channels * 2 + i * 2);
  }
  const header = Buffer.from('II*\0\0\0\0\0', 'latin1');
  header.writeUInt32LE(directoryAt, 4);
  const padding = Buffer.alloc(directoryAt - iccAt - icc.length);
  return Buffer.concat([header, data, icc, padding, directory]);
}
