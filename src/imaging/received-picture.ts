import { type FileHandle, open } from 'node:fs/promises';

/**
 * The file of a whole picture, whose bytes arrive in pieces from a process that handles hostile
 * files: it takes no more than a picture of that size needs.
 */
export class ReceivedPicture {
  #bytes = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly maxBytes: number,
  ) {}

  /** Replaces the file of an earlier attempt. */
  static async open(path: string, maxBytes: number): Promise<ReceivedPicture> {
    return new ReceivedPicture(await open(path, 'w', 0o600), maxBytes);
  }

  /** @throws Error if it is more than the picture can take, or cannot be written. */
  async add(piece: Uint8Array): Promise<void> {
    this.#bytes += piece.length;
    if (this.#bytes > this.maxBytes) throw new Error('more bytes than a picture of its size has');
    await this.file.writeFile(piece);
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
