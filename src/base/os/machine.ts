import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { ServiceError } from '../errors/catalogue.js';
import { bytesPerMegabyte, secondMs } from '../units.js';
import { isFileMissing, withStoreErrors } from './files.js';

const minMb = 1024;

/**
 * Megabytes that this process may use: the limit of its container, or else the memory of the
 * machine.
 */
export function memoryMb(): number {
  // 0 if unknown, and an absurdly large number if there is no limit.
  const constrained = process.constrainedMemory() || Infinity;
  return Math.min(totalmem(), constrained) / bytesPerMegabyte;
}

/** A quarter of the memory, rounded down, for images being processed. */
export const defaultImagingMemoryMb = (): number => Math.max(minMb, Math.floor(memoryMb() / 4));

/** More would take hundreds of megabytes for clients that do not read their responses. */
const maxDefaultConnections = 4096;

/** For the database, the imaging process, the log, and the program itself. */
const reserve = 256;

/**
 * A client's connection, the file or upload it transfers, and one connection to the object store.
 */
const perConnection = 3;

/** Files that this many connections need at most. */
export const filesFor = (connections: number): number => reserve + connections * perConnection;

/** Connections that fit in a limit of open files. */
const connectionsWithin = (files: number): number =>
  Math.max(1, Math.floor((files - reserve) / perConnection));

/** The number of connections that the open-file limit allows, within reason. */
export function defaultMaxConnections(): number {
  const available = connectionsWithin(openFilesLimit() ?? Infinity);
  return Math.max(64, Math.min(maxDefaultConnections, available));
}

/**
 * Files that a process may have open; undefined if unknown. Node raises the soft limit to the hard one
 * at startup. @param pid default: this process.
 */
export function openFilesLimit(pid?: number): number | undefined {
  try {
    const limits = readFileSync(`/proc/${pid ?? 'self'}/limits`, 'utf8');
    const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
    return limit > 0 ? limit : undefined;
  } catch {
    return undefined; // not Linux, or another user's process
  }
}

/** How long a free-space reading is reused, in milliseconds. */
const cacheMs = secondMs;

/** Default threshold: bytes of a disk that stay free, or this fraction of it. */
const defaultMark = { bytes: 512 * bytesPerMegabyte, share: 0.05 };

/** Space is freed by the reclaim job or an operator, and neither takes mere seconds. */
const retryAfterSeconds = 30;

/**
 * The free space of the disks that uploads are written to, and the threshold at which they stop.
 */
export class FreeDisk {
  #spare: Promise<number> = Promise.resolve(0);
  #readAt = -Infinity;

  /**
   * @param folders on these disks.
   * @param mark bytes that stay free on each; by default 512 MB, or 5% of a small disk.
   */
  constructor(
    private readonly folders: readonly string[],
    private readonly mark?: number,
  ) {}

  /**
   * Verifies that `bytes` more fit above the threshold.
   * @throws ServiceError `unavailable`.
   */
  async assertFree(bytes = 0): Promise<void> {
    if (performance.now() - this.#readAt > cacheMs) {
      this.#readAt = performance.now();
      this.#spare = this.#readSpare();
    }
    const spare = await withStoreErrors(() => this.#spare);
    if (spare >= bytes) return;
    throw new ServiceError('unavailable', {
      message: 'The server is temporarily out of disk space for uploads.',
      retryAfter: retryAfterSeconds,
      cause: new Error(`free disk space above the threshold: ${spare} bytes; needed: ${bytes}`),
    });
  }

  /** Bytes free above the threshold, on the fullest disk. */
  async #readSpare(): Promise<number> {
    const spare = this.folders.map((folder) => spareSpace(folder, this.mark));
    return Math.min(...(await Promise.all(spare)));
  }
}

/** Bytes free above the threshold. */
export async function spareSpace(folder: string, threshold?: number): Promise<number> {
  try {
    const { free, mark } = await freeSpace(folder, threshold);
    return free - mark;
  } catch (error) {
    if (isFileMissing(error)) return Infinity; // the code that uses the folder reports it
    throw error;
  }
}

/**
 * Bytes that are free on the disk of a folder, of how many, and what uploads must leave free.
 * @param mark as for `FreeDisk`.
 */
export async function freeSpace(
  folder: string,
  mark?: number,
): Promise<{ readonly free: number; readonly total: number; readonly mark: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const total = blocks * bsize;
  const usual = Math.min(defaultMark.bytes, total * defaultMark.share);
  return { free: bavail * bsize, total, mark: mark ?? usual };
}

/** The space of a disk, as a status reports it. */
export async function diskSpace(folder: string) {
  const { free, total } = await freeSpace(folder);
  const megabytes = (bytes: number): number => Math.round(bytes / bytesPerMegabyte);
  return { free_mb: megabytes(free), total_mb: megabytes(total) };
}
