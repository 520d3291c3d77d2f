import type { Kind } from './admission.js';
import type { Survey } from './protocol.js';

const MB = 2 ** 20;
/** Above, a picture is heavy; ordinary photographs of telephones are below. */
const HEAVY_BYTES = 256 * MB;
const HEAVY_PIXELS = 50e6;
/** Of any picture, and of decoders at their slowest. */
const BASE_SECONDS = 0.5;
const PIXELS_PER_SECOND = 20e6;
const BYTES_PER_SECOND = 100 * MB;

export const kindOf = ({ width, height, memoryBytes }: Survey): Kind =>
  memoryBytes > HEAVY_BYTES || width * height > HEAVY_PIXELS ? 'heavy' : 'quick';

/** Processor time, in seconds, after which a picture is not what its structure promised. */
export const promisedSeconds = ({ width, height, memoryBytes }: Survey): number =>
  BASE_SECONDS + (width * height) / PIXELS_PER_SECOND + memoryBytes / BYTES_PER_SECOND;
