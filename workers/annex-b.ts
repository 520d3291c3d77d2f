import type { HevcTile } from './hevc-still.js';

const startCode = Buffer.from([0, 0, 0, 1]);
const lengthSizeAt = 21;
const lengthBytes = 4;
const arraysAt = 22;

/** The parameter sets in an `hvcC` box, each after a start code. */
function parameterSets(config: Buffer): Buffer[] {
  const found: Buffer[] = [];
  let at = arraysAt;
  for (let arrays = config.readUInt8(at++); arrays > 0; arrays--) {
    let units = config.readUInt16BE(at + 1);
    for (at += 3; units > 0; units--) {
      const end = at + 2 + config.readUInt16BE(at);
      found.push(startCode, config.subarray(at + 2, end));
      at = end;
    }
  }
  return found;
}

/**
 * The coded data of a tile in the form for decoders: preceded by its parameter sets, and with start
 * codes in place of lengths.
 *
 * @throws Error if data is missing, or its lengths do not have the usual size.
 */
export function annexB(file: Buffer, { config, extents }: HevcTile): Buffer {
  const coding = file.subarray(config.start, config.end);
  if ((coding.readUInt8(lengthSizeAt) & 3) + 1 !== lengthBytes) throw new Error('short lengths');
  const sets = parameterSets(coding);
  // A length of 0 means up to the end of the file.
  const data = extents.map(({ offset, length }) =>
    file.subarray(offset, length === 0 ? undefined : offset + length),
  );
  const picture = Buffer.concat([...sets, ...data]);
  let at = sets.reduce((sum, { length }) => sum + length, 0);
  while (at < picture.length) {
    const length = picture.readUInt32BE(at);
    startCode.copy(picture, at);
    at += lengthBytes + length;
  }
  if (at > picture.length) throw new Error('truncated data');
  return picture;
}
