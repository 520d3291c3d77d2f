import {
  addAbortSignal,
  finished,
  type PassThrough,
  type Readable,
  type Writable,
} from 'node:stream';
import { crc32 } from 'node:zlib';
import { ZipFile } from 'yazl';
import { guarded, ignore } from '../../../base/guarded.js';
import { writeChunk } from '../../../http/streamed-response.js';

/** A file in a ZIP. */
export interface ZipEntry {
  readonly name: string;
  /** Undefined if that is not known yet; the length of the ZIP is not, either, then. */
  readonly bytes?: number;
  readonly modified: Date;
  /** By default, it is stored as it is. */
  readonly compress?: boolean;
  /** Opens it when its turn has come. */
  readonly open: () => Promise<Readable>;
}

/** Memory that an entry takes until the ZIP has been sent: about 1 KB. */
export const entryMemory = 1024;

/** A ZIP of files which are read one after the other while it is sent. */
export class Zip {
  readonly #zip = new ZipFile();
  readonly #output = this.#zip.outputStream as PassThrough;
  readonly #fail = (error: unknown): void => void this.#output.destroy(error as Error);
  #begin = (): void => undefined;
  readonly #begun = new Promise<void>((resolve) => (this.#begin = resolve));
  #current: Readable | undefined;

  constructor() {
    this.#zip.on('error', guarded(ignore, this.#fail));
  }

  add({ name, bytes, modified, compress = false, open }: ZipEntry): void {
    const size = bytes === undefined ? {} : { size: bytes };
    const options = { ...size, compress, mtime: modified, mode: 0o100644 };
    this.#zip.addReadStreamLazy(name, options, (give) => {
      this.#open(open).then((stream) => give(undefined, stream), this.#fail);
    });
  }

  /** To be called after the last file. @returns bytes of the whole; -1 if they are not known. */
  end(): number {
    let bytes = -1;
    const told = (total = bytes): void => void (bytes = total);
    this.#zip.end(undefined, told);
    return bytes;
  }

  /** Reads the files, at the destination's pace, and ends it. */
  async send(destination: Writable, signal: AbortSignal): Promise<void> {
    addAbortSignal(signal, this.#output);
    this.#begin();
    try {
      // One chunk behind: if the first file cannot be read, nothing has been sent.
      let held: Buffer | undefined;
      for await (const chunk of this.#output as AsyncIterable<Buffer>) {
        if (held) await writeChunk(destination, held, signal);
        held = chunk;
      }
      destination.end(held);
    } finally {
      this.#current?.destroy();
    }
  }

  async #open(open: ZipEntry['open']): Promise<Readable> {
    await this.#begun;
    const stream = await open();
    const over = guarded(this.#fail, (error?: Error | null) => {
      if (error) this.#fail(error);
    });
    finished(stream, over);
    this.#current = stream;
    if (this.#output.destroyed) stream.destroy();
    return checksummed(stream);
  }
}

/** The stream of yazl that computes the CRC-32 of what passes through. */
interface ChecksumStream extends NodeJS.WritableStream {
  crc32: number;
  _transform(chunk: Buffer, encoding: string, done: (error: null, chunk: Buffer) => void): void;
}

/**
 * Has the CRC-32 of a file, which yazl pipes into a stream for that, computed by Node: yazl computes it
 * in JavaScript, at 0.27 GB/s instead of 4.6, which would limit the rate of downloads.
 */
function checksummed(file: Readable): Readable {
  const pipe = file.pipe.bind(file);
  file.pipe = (to) => {
    const checksum = to as unknown as ChecksumStream;
    checksum._transform = (chunk, _encoding, done) => {
      checksum.crc32 = crc32(chunk, checksum.crc32);
      done(null, chunk);
    };
    return pipe(to);
  };
  return file;
}
