import { directoryHeader, endOfZip, localHeader } from './zip-headers.js';
import type { ZipEntry } from './zip-headers.js';

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
