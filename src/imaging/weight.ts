import type { Kind } from './admission.js';
import type { Survey } from './protocol.js';

const MB = 2 ** 20;
/** Above, a picture is heavy; ordinary photographs of telephones are below. */
const HEAVY_BYTES = 256 * MB;
const HEAVY_PIXELS = 50e6;
/** Memory that decoders fill in a second, at the slowest. */
const BYTES_PER_SECOND = 100 * MB;

export const kindOf = ({ width, height, memoryBytes }: Survey): Kind =>
  memoryBytes > HEAVY_BYTES || width * height > HEAVY_PIXELS ? 'heavy' : 'quick';

/** Processor time, in seconds, after which a picture is not what its structure promised. */
export const promisedSeconds = ({ memoryBytes }: Survey): number =>
  1 + memoryBytes / BYTES_PER_SECOND;
