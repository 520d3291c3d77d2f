import { selectLargest } from './largest-queries.js';

/** The platforms that store most, each alone, and then all others together. */
export const largestPlatforms = selectLargest;
