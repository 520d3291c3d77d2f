import type { Kind } from './admission.js';
import type { Survey } from './protocol.js';
import { bytesPerMegabyte } from '../units.js';

/** Above this, an image is heavy; ordinary phone photos are below. */
const heavyBytes = 256 * bytesPerMegabyte;
const heavyPixels = 50e6;
/** For any image, with decoders at their slowest. */
const baseSeconds = 0.5;
const pixelsPerSecond = 20e6;
const bytesPerSecond = 100 * bytesPerMegabyte;

export const kindOf = ({ width, height, memoryBytes }: Survey): Kind =>
  memoryBytes > heavyBytes || width * height > heavyPixels ? 'heavy' : 'quick';

/** CPU time in seconds after which an image is no longer what its structure promised. */
export const promisedSeconds = ({ width, height, memoryBytes }: Survey): number =>
  baseSeconds + (width * height) / pixelsPerSecond + memoryBytes / bytesPerSecond;
