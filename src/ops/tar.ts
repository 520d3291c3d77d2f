import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';

/** Writes files into a stream as one tar archive, in the order in which they are added. */
export class TarStream {
  readonly #pack = pack();
  readonly #sent: Promise<void>;

  constructor(private readonly output: Writable) {
    this.#sent = pipeline(this.#pack, output, { end: false });
    this.#sent.catch(() => undefined); // `finish` reports it, and `add` fails
  }

  /** @param bytes size of the content: any other is an error, and makes the archive unusable. */
  async add(
    path: string,
    bytes: number,
    content: AsyncIterable<Buffer>,
    modified = new Date(),
  ): Promise<void> {
    const { errored, destroyed } = this.output;
    if (errored || destroyed) throw new Error('nobody reads the stream any more');
    const entry = this.#pack.entry({ name: path, size: bytes, mtime: modified, mode: 0o600 });
    await pipeline(Readable.from(content, { objectMode: false }), entry);
  }

  async finish(): Promise<void> {
    this.#pack.finalize();
    await this.#sent;
  }
}
