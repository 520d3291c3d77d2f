const segment = (marker: number, ...payload: readonly number[]): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, Buffer.from(payload)]);
};
const start = Buffer.from([0xff, 0xd8]);
const end = Buffer.from([0xff, 0xd9]);
const quantization = segment(0xdb, 0, ...Array<number>(64).fill(1));
const emptyBandOfBlocks = 0xe0;

/** A progressive gray image without detail; its scans after the first are long but empty. */
export function jpegOfScans(scans = 5_000, side = 9_984): Buffer {
  const size = [side >> 8, side & 255];
  const frame = segment(0xc2, 8, ...size, ...size, 1, 1, 0x11, 0);
  // One code each: a difference of zero bits, and a run of 2^14 or more blocks without coefficients.
  const lengths = [1, ...Array<number>(15).fill(0)];
  const tables = segment(0xc4, 0, ...lengths, 0, 0x10, ...lengths, emptyBandOfBlocks);
  const blocks = Math.ceil(side / 8) ** 2;
  const first = Buffer.concat([
    segment(0xda, 1, 1, 0, 0, 0, 0),
    Buffer.alloc(Math.ceil(blocks / 8)),
  ]);
  // A run is its code, a zero, and 14 bits of length, which are zeros too.
  const runs = Buffer.alloc(Math.ceil((Math.ceil(blocks / 2 ** 14) * 15) / 8));
  const scan = Buffer.concat([segment(0xda, 1, 1, 0, 1, 63, 0), runs]);
  const all = Array<Buffer>(scans).fill(scan);
  return Buffer.concat([start, quantization, frame, tables, first, ...all, end]);
}

/** Empty application segments before an image of 8 × 8. */
export function jpegOfMarkers(count = 400_000): Buffer {
  const lengths = [1, ...Array<number>(15).fill(0)];
  return Buffer.concat([
    start,
    Buffer.alloc(4 * count, segment(0xe1)),
    quantization,
    segment(0xc0, 8, 0, 8, 0, 8, 1, 1, 0x11, 0),
    segment(0xc4, 0, ...lengths, 0, 0x10, ...lengths, 0),
    segment(0xda, 1, 1, 0, 0, 63, 0),
    Buffer.from([0x3f]),
    end,
  ]);
}
