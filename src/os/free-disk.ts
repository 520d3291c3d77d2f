import { statfs } from 'node:fs/promises';
import { ServiceError } from '../errors/catalogue.js';
import { isAbsent, storing } from './system-error.js';
import { bytesPerMegabyte, secondMs } from '../units.js';

/** How long a look at the disk is believed, in milliseconds. */
const believedMs = secondMs;

/** Without a mark of the operator's, so much of a disk stays free, in bytes, or this share of it. */
const defaultMark = { bytes: 512 * bytesPerMegabyte, share: 0.05 };

/** Room comes from the reclaim job or an operator: neither takes only seconds. */
const retryAfterSeconds = 30;

/** The free space of the disks that uploads are written to, and the mark at which they stop. */
export class FreeDisk {
  #spare: Promise<number> = Promise.resolve(0);
  #looked = -Infinity;

  /**
   * @param folders on these disks.
   * @param mark bytes that stay free on each; by default 512 MB, or 5 % of a small disk.
   */
  constructor(
    private readonly folders: readonly string[],
    private readonly mark?: number,
  ) {}

  /**
   * Makes sure that `bytes` more fit above the mark.
   * @throws ServiceError `unavailable`.
   */
  async expectRoom(bytes = 0): Promise<void> {
    if (performance.now() - this.#looked > believedMs) {
      this.#looked = performance.now();
      this.#spare = this.#look();
    }
    const spare = await storing(() => this.#spare);
    if (spare >= bytes) return;
    throw new ServiceError('unavailable', {
      message: 'The server has no room for uploads at the moment.',
      retryAfter: retryAfterSeconds,
      cause: new Error(`free disk above the mark: ${spare} bytes; wanted: ${bytes}`),
    });
  }

  /** Bytes free above the mark, where there are fewest. */
  async #look(): Promise<number> {
    return Math.min(...(await Promise.all(this.folders.map((folder) => this.#spareOf(folder)))));
  }

  async #spareOf(folder: string): Promise<number> {
    try {
      const { bavail, blocks, bsize } = await statfs(folder);
      const mark = this.mark ?? Math.min(defaultMark.bytes, blocks * bsize * defaultMark.share);
      return bavail * bsize - mark;
    } catch (error) {
      if (isAbsent(error)) return Infinity; // who wants to use the folder tells
      throw error;
    }
  }
}
