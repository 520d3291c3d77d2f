import { selectLargest } from './largest-queries.js';
import { selectLastDays } from './uploads-queries.js';

/** The platforms that store most, one row each, and all others in one row. */
export const largestPlatforms = selectLargest;

/** Uploads of all platforms on each of the last days. */
export const lastDays = selectLastDays;
