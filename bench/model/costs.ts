import type { Costs } from './model.js';

/**
 * What `npm run bench -- --model --measure` found on the machine of docs/performance.md: two cores, on
 * which the database, the load generator, and other work ran, too. Pictures have 12 megapixels and
 * 2.5 MB. Rows are those of 1,000,000 seeded images; thumbnails of photographs, unlike that of the
 * bench's picture, have about 15 KB.
 */
export const costs: Costs = {
  steps: {
    upload: { script: 23, beside: 95.6, database: 5.6 },
    page: { script: 1.9, beside: 0.1, database: 1 },
    thumbnail: { script: 0.11, beside: 0, database: 0 },
    change: { script: 2, beside: 0.25, database: 1.25 },
  },
  rowBytes: 4300,
  walBytes: { upload: 9500, change: 3100 },
  objectBytes: 2_690_000,
  objects: 3,
  answerBytes: { page: 108_000, thumbnail: 15_000 },
};
