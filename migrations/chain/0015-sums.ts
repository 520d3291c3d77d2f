/** The zooms at which sums are kept. */
export const zooms = 'ARRAY[0, 6, 9, 12, 15, 18, 21]';

export const sums = [
  'places',
  'active_places',
  'trashed_places',
  'active_images',
  'trashed_images',
  'active_bytes',
  'trashed_bytes',
];
export const each = (names: readonly string[], sql: (name: string) => string): string =>
  names.map(sql).join(', ');

/** Columns of a cell at a `zoom` from a place. */
export const cellOf = (cell: string, location: string): string => `
  ${cell} >> (52 - 2 * zoom) << (52 - 2 * zoom) AS cell,
  map_x(${location}) >> (26 - zoom) AS x, map_y(${location}) >> (26 - zoom) AS y`;

export const addToCells = `ON CONFLICT (user_id, zoom, cell) DO UPDATE
  SET ${each(sums, (s) => `${s} = c.${s} + excluded.${s}`)}`;
