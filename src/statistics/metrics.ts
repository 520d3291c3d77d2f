/** The figures of a ledger row, by column; those of the second half are differences of a state. */
export const counts = [
  'upload_camera',
  'upload_gallery',
  'upload_request',
  'edits',
  'deletions',
] as const;
export const states = ['active_images', 'original_bytes', 'latest_bytes', 'stored_bytes'] as const;
export const figures = [...counts, ...states] as const;

/** What was counted, and the state at the end. */
export type Figures = Readonly<Record<(typeof figures)[number], number>>;

/** A piece of SQL for each of some columns. */
export const each = (columns: readonly string[], sql: (column: string) => string): string =>
  columns.map(sql).join(', ');

export const columns = each(figures, (f) => f);
// Sums of int8 are numeric in PostgreSQL.
export const sums = each(figures, (f) => `coalesce(sum(${f}), 0)::bigint AS ${f}`);
