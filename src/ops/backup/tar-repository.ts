import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { isFileMissing } from '../../base/os/system-error.js';
import { Summing } from './lines.js';
import type { FileSum } from './lines.js';
import { unfinishedPath } from './repository.js';
import type { Repository } from './repository.js';
import type { TarStream } from './tar.js';

/** A new repository as a tar stream, to be unpacked into an empty directory. */
export class TarRepository implements Repository {
  readonly name = '-';

  constructor(
    private readonly tar: TarStream,
    readonly staging: string,
  ) {}

  async size(): Promise<undefined> {
    return undefined;
  }

  async read(): Promise<undefined> {
    return undefined;
  }

  fileAt(): undefined {
    return undefined;
  }

  async put(path: string, file: string): Promise<void> {
    if (path !== unfinishedPath) await this.#add(path, file); // an incomplete stream needs no marker
    await rm(file);
  }

  async adopt(path: string, file: string): Promise<FileSum | undefined> {
    try {
      return await this.#add(path, file);
    } catch (error) {
      if (isFileMissing(error)) return undefined;
      throw error;
    }
  }

  async *list(): AsyncGenerator<never> {
    // A stream cannot be read back.
  }

  async remove(): Promise<void> {
    // Nor can anything be removed from it.
  }

  async flush(): Promise<void> {
    // Whoever reads the stream stores it.
  }

  async #add(path: string, file: string): Promise<FileSum> {
    const { size } = await stat(file);
    const summing = new Summing();
    const source = createReadStream(file) as AsyncIterable<Buffer>;
    await this.tar.add(path, size, summing.through(source));
    return summing.sum();
  }
}
