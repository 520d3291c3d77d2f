import { totalmem } from 'node:os';
import { bytesPerMegabyte } from '../units.js';

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
