import type { TrashFilter } from './queries.js';

/** The kept sum, of a row `of` of places or map_cells, that a part of the trash adds up to. */
const sum =
  (what: 'images' | 'bytes') =>
  (trash: TrashFilter, of: string): string =>
    trash === null
      ? `${of}.active_${what} + ${of}.trashed_${what}`
      : `${of}.${trash ? 'trashed' : 'active'}_${what}`;

export const imagesIn = sum('images');
export const bytesIn = sum('bytes');
