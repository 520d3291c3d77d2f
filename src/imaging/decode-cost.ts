import type { CostClass } from './admission.js';
import type { Inspection } from './protocol.js';
import { bytesPerMegabyte } from '../base/units.js';

/** Above this, an image is heavy; ordinary phone photos are below. */
const heavyBytes = 256 * bytesPerMegabyte;
const heavyPixels = 50e6;
/** Allowance for any image; the rates below are those of the slowest decoders. */
const baseSeconds = 0.5;
const pixelsPerSecond = 20e6;
const bytesPerSecond = 100 * bytesPerMegabyte;

export const costClassOf = ({ width, height, memoryBytes }: Inspection): CostClass =>
  memoryBytes > heavyBytes || width * height > heavyPixels ? 'heavy' : 'quick';

/**
 * CPU time in seconds that the structure of an image suggests; beyond that, it is treated as heavy.
 */
export const expectedCpuSeconds = ({ width, height, memoryBytes }: Inspection): number =>
  baseSeconds + (width * height) / pixelsPerSecond + memoryBytes / bytesPerSecond;
