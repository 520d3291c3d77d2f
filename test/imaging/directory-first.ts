/** Numbers of TIFF 6.0. */
const [stripOffsets, stripByteCounts, short] = [273, 279, 3];

const headerBytes = 8;
/** More than the directories that sharp writes, including their larger values. */
const reservedBytes = 4096;

/**
 * Moves the directory of a TIFF, which sharp writes at the end, before the pixels. Offsets into the file
 * grow by the bytes reserved for it.
 */
export function directoryFirst(tiff: Buffer): Buffer {
  const at = tiff.readUInt32LE(4);
  const entries = tiff.readUInt16LE(at);
  const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
  const head = Buffer.alloc(headerBytes + reservedBytes);
  tiff.copy(head, 0, 0, 4);
  head.writeUInt32LE(headerBytes, 4);
  tiff.copy(head, headerBytes, at, at + 2 + entries * 12);
  let end = 0;
  let free = headerBytes + 2 + entries * 12 + 4;
  for (let entry = headerBytes + 2; entry < headerBytes + 2 + entries * 12; entry += 12) {
    const [tag, type] = [head.readUInt16LE(entry), head.readUInt16LE(entry + 2)];
    const count = head.readUInt32LE(entry + 4);
    const bytes = (sizes[type] ?? 0) * count;
    const value = bytes > 4 ? head.readUInt32LE(entry + 8) : undefined;
    if (value !== undefined) {
      tiff.copy(head, free, value, value + bytes);
      head.writeUInt32LE(free, entry + 8);
    }
    const first = value === undefined ? entry + 8 : free;
    // A padding byte may precede the directory, so that its offset is even.
    if (tag === stripByteCounts) end += head.readUInt32LE(first + bytes - 4);
    if (tag === stripOffsets) {
      if (type === short) throw new Error('Short offsets cannot grow.');
      end += head.readUInt32LE(first + bytes - 4);
      for (let i = first; i < first + bytes; i += 4) {
        head.writeUInt32LE(head.readUInt32LE(i) + reservedBytes, i);
      }
    }
    if (value !== undefined) free += bytes + (bytes % 2);
  }
  return Buffer.concat([head, tiff.subarray(headerBytes, end)]);
}
