import type { Costs } from './model.js';

/**
 * What `npm run bench -- --model --measure` found on the machine of docs/performance.md: two cores, on
 * which the database and the load generator ran, too. Pictures have 12 megapixels and
 * 2.5 MB. Rows are those of 1,000,000 seeded images; thumbnails of photographs, unlike that of the
 * bench's picture, have about 15 KB.
 */
export const costs: Costs = {
  steps: {
    upload: { script: 18.4, beside: 109.4, database: 5.3 },
    page: { script: 2.4, beside: 0.3, database: 1.3 },
    thumbnail: { script: 0.1, beside: 0, database: 0 },
    change: { script: 2, beside: 0, database: 1.5 },
  },
  rowBytes: 4300,
  walBytes: { upload: 9300, change: 2900 },
  objectBytes: 2_690_000,
  objects: 3,
  answerBytes: { page: 108_000, thumbnail: 15_000 },
};
