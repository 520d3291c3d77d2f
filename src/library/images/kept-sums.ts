import type { TrashFilter } from './images.sql.js';

/** SQL: the kept sum that a trash filter covers, in a row `of` of places or map_cells. */
const sum =
  (what: 'images' | 'bytes') =>
  (trash: TrashFilter, of: string): string =>
    trash === null
      ? `${of}.active_${what} + ${of}.trashed_${what}`
      : `${of}.${trash ? 'trashed' : 'active'}_${what}`;

export const imagesIn = sum('images');
export const bytesIn = sum('bytes');
