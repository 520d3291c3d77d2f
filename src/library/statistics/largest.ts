import { selectLargest } from './largest.sql.js';
import { selectLastDays } from './uploads.sql.js';

/** The platforms that store most, one row each, and all others in one row. */
export const largestPlatforms = selectLargest;

/** Uploads of all platforms on each of the last days. */
export const lastDays = selectLastDays;
