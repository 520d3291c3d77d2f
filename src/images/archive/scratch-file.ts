import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { FreeDisk } from '../../os/free-disk.js';
import { withStoreErrors } from '../../os/system-error.js';

/** Bytes per read and write call. */
const pieceBytes = 64 * 1024;

/** Where files are stored for the duration of a request. */
export interface ScratchSpace {
  readonly folder: string;
  readonly disk: Pick<FreeDisk, 'assertFree'>;
}

/** An unlinked temporary file for data that is too large for memory. */
export class ScratchFile {
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #written = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly disk: ScratchSpace['disk'],
  ) {}

  /** @throws ServiceError `unavailable` when the disk is full or fails, as do the other methods. */
  static async open({ folder, disk }: ScratchSpace): Promise<ScratchFile> {
    const path = join(folder, `scratch-${randomUUID()}`);
    return withStoreErrors(async () => {
      const file = await open(path, 'wx+', 0o600);
      // The file disappears even if this process is killed.
      await unlink(path);
      return new ScratchFile(file, disk);
    });
  }

  /** Bytes added so far. */
  get bytes(): number {
    return this.#written + this.#pendingBytes;
  }

  async add(text: Buffer): Promise<void> {
    this.#pending.push(text);
    this.#pendingBytes += text.length;
    if (this.#pendingBytes >= pieceBytes) await this.flush();
  }

  /** To be called before reading. */
  async flush(): Promise<void> {
    await this.disk.assertFree(this.#pendingBytes);
    const pending = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    await withStoreErrors(() => this.file.appendFile(pending));
    this.#written += pending.length;
  }

  /** @param end exclusive. */
  async *read(start = 0, end = this.bytes): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const length = Math.min(pieceBytes, end - at);
      const { buffer, bytesRead } = await withStoreErrors(() =>
        this.file.read(Buffer.allocUnsafe(length), 0, length, at),
      );
      if (bytesRead === 0) throw new Error('a scratch file is shorter than it was');
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  /** The content as lines of text. */
  async *lines(): AsyncGenerator<string> {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const piece of this.read()) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
