import { boundAs, nameOf, only, propertiesOf, selectList } from '../../database/columns.js';
import type { RowOf } from '../../database/table.js';
import { row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import { addressColumns, imageColumns } from '../entity.js';

const stateColumns = only(imageColumns, 'folderId');
const stateRow = selectList(stateColumns);

export type ImageState = Readonly<RowOf<typeof stateColumns>> & { readonly trashed: boolean };

/** The state and folder of the user's image, locked until the transaction ends. */
export const lockImageState = (
  tx: Queryable,
  userId: string,
  imageId: string,
): Promise<ImageState | undefined> =>
  row(
    tx,
    `SELECT deleted_at IS NOT NULL AS trashed, ${stateRow}
     FROM images WHERE id = $1 AND user_id = $2 FOR NO KEY UPDATE`,
    [imageId, userId],
  );

/** The columns that an update sets to bound values. */
const assignable = {
  ...only(imageColumns, 'folderId', 'location', 'hasDet', 'isShared', 'isSigned'),
  ...addressColumns,
};

/** The fields that an update sets; absent fields stay unchanged. */
export type Changes = Partial<Readonly<RowOf<typeof assignable>>> & { readonly trashed?: boolean };

/** For each change, its column and the expression assigned to it from the bound value. */
const assignments = new Map<keyof Changes, readonly [string, (bound: string) => string]>([
  ['trashed', ['deleted_at', (bound) => `CASE WHEN ${bound}::boolean THEN now() END`]],
  ...propertiesOf(assignable).map(
    (property) =>
      [
        property,
        [nameOf(assignable, property), (bound: string) => boundAs(assignable[property], bound)],
      ] as const,
  ),
]);

// Another node's transaction may have started later and committed earlier.
const touched = 'updated_at = greatest(now(), updated_at)';

/**
 * Changes the user's image in one statement; a row that already has these values is left alone,
 * `updated_at` included. `trashed` must differ from the row's state, and makes the image's trash
 * event its own.
 */
export async function updateImage(
  tx: Queryable,
  userId: string,
  imageId: string,
  changes: Changes,
): Promise<void> {
  const given = [...assignments].filter(([change]) => changes[change] !== undefined);
  if (given.length === 0) return;
  const columns = given.map(([, [column]]) => column);
  const values = given.map(([, [, assigned]], i) => assigned(`$${i + 3}`));
  const sets = columns.map((column, i) => `${column} = ${values[i]}`);
  if (changes.trashed !== undefined) sets.push('trashed_with = NULL');
  await rows(
    tx,
    `UPDATE images SET ${sets.join(', ')}, ${touched}
     WHERE id = $1 AND user_id = $2
       AND ROW(${columns.join(', ')}) IS DISTINCT FROM ROW(${values.join(', ')})`,
    [imageId, userId, ...given.map(([change]) => bind(changes[change]))],
  );
}

const bind = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** Which of these ids are the user's images, and which of those are in the trash. */
export const selectStates = (
  tx: Queryable,
  userId: string,
  imageIds: readonly string[],
): Promise<{ id: string; trashed: boolean }[]> =>
  rows(
    tx,
    `SELECT id, deleted_at IS NOT NULL AS trashed
     FROM images WHERE id = ANY ($2::uuid[]) AND user_id = $1`,
    [userId, imageIds],
  );

/** Marks the user's images as shared; those already shared are left alone. */
export const shareImages = (
  tx: Queryable,
  userId: string,
  imageIds: readonly string[],
): Promise<unknown> =>
  rows(
    tx,
    `UPDATE images SET is_shared = true, ${touched}
     WHERE id = ANY ($2::uuid[]) AND user_id = $1 AND NOT is_shared`,
    [userId, imageIds],
  );
