import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';

/** What a file should contain. */
export interface FileSum {
  readonly bytes: number;
  readonly sha256: string;
}

/** Counts and hashes chunks, or what passes through a pipeline. */
export class Summing {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  add(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }

  readonly through = async function* (
    this: Summing,
    source: AsyncIterable<Buffer>,
  ): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.add(chunk);
      yield chunk;
    }
  }.bind(this);

  /** To be called once, at the end. */
  sum(): FileSum {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** Reads to the end. */
export async function sumOf(source: AsyncIterable<Buffer>): Promise<FileSum> {
  const summing = new Summing();
  for await (const chunk of source) summing.add(chunk);
  return summing.sum();
}

export const sumOfFile = (path: string): Promise<FileSum> =>
  sumOf(createReadStream(path) as AsyncIterable<Buffer>);

/** The lines of a text, one at a time. A last line without its end, torn by a crash, is omitted. */
export async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of source) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** Characters gathered before they are written to the file. */
const bufferSize = 65_536;

/** Writes a file of lines, one JSON value on each, and hashes it. */
export class LineFile {
  readonly #summing = new Summing();
  #buffered = '';

  private constructor(private readonly file: FileHandle) {}

  static async create(path: string): Promise<LineFile> {
    return new LineFile(await open(path, 'w', 0o600));
  }

  async append(value: unknown): Promise<void> {
    this.#buffered += `${JSON.stringify(value)}\n`;
    if (this.#buffered.length > bufferSize) await this.flush();
  }

  /** Passes what was appended to the operating system, so that a kill does not lose it. */
  async flush(): Promise<void> {
    const bytes = Buffer.from(this.#buffered);
    this.#buffered = '';
    this.#summing.add(bytes);
    await this.file.appendFile(bytes);
  }

  async close(): Promise<FileSum> {
    await this.flush();
    await this.file.sync();
    await this.file.close();
    return this.#summing.sum();
  }

  /** Closes the file after a failure. */
  async abandon(): Promise<void> {
    await this.file.close().catch(() => undefined);
  }
}
