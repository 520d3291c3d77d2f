/** A file as a ZIP holds it, stored rather than compressed (APPNOTE 6.3.10). */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: number;
  /** Seconds since 1970. */
  readonly modified: number;
  /** The same as local time `YYYYMMDD_HHMMSS`, for DOS times. */
  readonly wallTime: string;
}

const max16 = 0xffff;
/** From this value on, numbers are stored in the fields of Zip64. */
const max32 = 0xffffffff;

type Field = readonly [value: number, bytes: 1 | 2 | 4 | 8];

/** Little-endian numbers, one after the other. */
function numbers(...fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}

const in16 = (value: number): Field => [Math.min(value, max16), 2];
const in32 = (value: number): Field => [Math.min(value, max32), 4];

/** From 1980 to 2107, in steps of two seconds. */
function dosTime(wallTime: string): readonly [time: Field, date: Field] {
  const part = (start: number, end: number): number => Number(wallTime.slice(start, end));
  const year = Math.max(0, Math.min(part(0, 4) - 1980, 127));
  const time = (part(9, 11) << 11) | (part(11, 13) << 5) | (part(13, 15) >> 1);
  const date = (year << 9) | (part(4, 6) << 5) | part(6, 8);
  return [
    [time, 2],
    [date, 2],
  ];
}

/** The extra field of Info-ZIP with the exact time, as far as its 32 bits go. */
function timestamp({ modified }: ZipEntry): Buffer {
  const seconds = Math.max(-(2 ** 31), Math.min(modified, 2 ** 31 - 1));
  return numbers([0x5455, 2], [5, 2], [1, 1], [seconds >>> 0, 4]);
}

/** The extra field of Zip64 with the numbers that need it. */
const zip64 = (values: readonly number[]): Buffer =>
  values.length === 0
    ? Buffer.alloc(0)
    : numbers([0x0001, 2], [8 * values.length, 2], ...values.map((value): Field => [value, 8]));

const sizesOf = ({ bytes }: ZipEntry): number[] => (bytes >= max32 ? [bytes, bytes] : []);

/** The fields that both headers of an entry have in common. @param extra fields of Zip64. */
function common(entry: ZipEntry, crc32: number, name: Buffer, extra: Buffer): Field[] {
  const names = 0x0800; // are UTF-8
  return [
    [extra.length > 0 ? 45 : 20, 2],
    [names, 2],
    [0, 2],
    ...dosTime(entry.wallTime),
    [crc32, 4],
    in32(entry.bytes),
    in32(entry.bytes),
    [name.length, 2],
  ];
}

/** Precedes the bytes of an entry. */
function localHeader(entry: ZipEntry, crc32: number): Buffer {
  const name = Buffer.from(entry.name);
  const large = zip64(sizesOf(entry));
  const extra = Buffer.concat([large, timestamp(entry)]);
  return Buffer.concat([
    numbers([0x04034b50, 4], ...common(entry, crc32, name, large), [extra.length, 2]),
    name,
    extra,
  ]);
}

/** The header of an entry in the central directory. @param offset of its local header. */
function directoryHeader(entry: ZipEntry, crc32: number, offset: number): Buffer {
  const name = Buffer.from(entry.name);
  const large = zip64([...sizesOf(entry), ...(offset >= max32 ? [offset] : [])]);
  const extra = Buffer.concat([large, timestamp(entry)]);
  const madeBy = (3 << 8) | 45; // Unix, so that the mode counts
  const mode = 0o100644 * 2 ** 16;
  return Buffer.concat([
    numbers(
      [0x02014b50, 4],
      [madeBy, 2],
      ...common(entry, crc32, name, large),
      [extra.length, 2],
      [0, 2], // comment
      [0, 2], // disk
      [0, 2], // internal attributes
      [mode, 4],
      in32(offset),
    ),
    name,
    extra,
  ]);
}

/** Location of the central directory. */
interface Directory {
  readonly entries: number;
  readonly start: number;
  readonly bytes: number;
}

/** The end-of-central-directory records. */
function endOfZip({ entries, start, bytes }: Directory): Buffer {
  const end = numbers(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    in16(entries),
    in16(entries),
    in32(bytes),
    in32(start),
    [0, 2],
  );
  if (entries < max16 && bytes < max32 && start < max32) return end;
  const large = numbers(
    [0x06064b50, 4],
    [44, 8],
    [(3 << 8) | 45, 2],
    [45, 2],
    [0, 4],
    [0, 4],
    [entries, 8],
    [entries, 8],
    [bytes, 8],
    [start, 8],
  );
  const locator = numbers([0x07064b50, 4], [0, 4], [start + bytes, 8], [1, 4]);
  return Buffer.concat([large, locator, end]);
}

/** A file whose bytes are read on demand. */
export interface ZipSource extends ZipEntry {
  readonly crc32: () => Promise<number>;
  /** @param end exclusive. */
  readonly read: (start: number, end: number) => AsyncIterable<Buffer>;
}

/** Lists the files; each time the same ones in the same order. */
type List<Entry> = () => AsyncIterable<Entry>;

/** A contiguous part of a ZIP. */
interface Part {
  readonly bytes: number;
  readonly read: ZipSource['read'];
}

/** The length of a ZIP, which depends only on names and sizes. */
export class ZipExtent {
  #entries = 0;
  #start = 0;
  #bytes = 0;

  add(entry: ZipEntry): void {
    this.#bytes += directoryHeader(entry, 0, this.#start).length;
    this.#start += localHeader(entry, 0).length + entry.bytes;
    this.#entries += 1;
  }

  get directory() {
    return { entries: this.#entries, start: this.#start, bytes: this.#bytes };
  }

  /** Bytes of the whole. */
  get total(): number {
    return this.#start + this.#bytes + endOfZip(this.directory).length;
  }
}

/**
 * The bytes of a ZIP from `start` up to `end`, exclusive. Nothing outside of that range is read.
 * @param extent of all files that `list` lists.
 */
export async function* zipBytes(
  list: List<ZipSource>,
  extent: ZipExtent,
  start: number,
  end: number,
): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const { bytes, read } of parts(list, extent)) {
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, bytes)];
    at += bytes;
    if (from < to) yield* read(from, to);
    if (at >= end) return;
  }
}

async function* parts(list: List<ZipSource>, extent: ZipExtent): AsyncGenerator<Part> {
  for await (const entry of list()) {
    const length = localHeader(entry, 0).length;
    yield inMemory(length, async () => localHeader(entry, await entry.crc32()));
    yield entry;
  }
  let offset = 0;
  for await (const entry of list()) {
    const line = directoryHeader(entry, 0, offset);
    const at = offset;
    yield inMemory(line.length, async () => directoryHeader(entry, await entry.crc32(), at));
    offset += localHeader(entry, 0).length + entry.bytes;
  }
  const end = endOfZip(extent.directory);
  yield inMemory(end.length, async () => end);
}

const inMemory = (bytes: number, make: () => Promise<Buffer>): Part => ({
  bytes,
  async *read(start, end) {
    yield (await make()).subarray(start, end);
  },
});
