import { currentToken } from '../../../database/fairness.js';
import {
  boundAs,
  columnName,
  namesOf,
  only,
  propertiesOf,
  type RowOf,
} from '../../../database/columns.js';
import {
  prepared,
  parameters,
  row,
  rows,
  type Bind,
  type Queryable,
} from '../../../database/sql.js';
import { lockedUser } from '../../quota/usage.js';
import { addressColumns, cameraColumns, imageColumns } from '../entity.js';
import { wholeRow, type ImageRow } from '../images.sql.js';

/** The columns that an update sets to bound values. */
export const assignable = {
  ...only(imageColumns, 'folderId', 'location', 'hasDet', 'isShared', 'isSigned'),
  ...addressColumns,
  ...cameraColumns,
};

/** The fields that an update sets; absent fields stay unchanged. */
export type ImagePatch = Partial<Readonly<RowOf<typeof assignable>>> & {
  readonly trashed?: boolean;
};

/** Assigns an expression to a column. */
type Assignment = readonly [column: string, value: string];

// An image that is already in the trash keeps its trash event; otherwise it gets one of its own.
export const trashed = (into: boolean): Assignment[] => [
  ['deleted_at', into ? 'coalesce(i.deleted_at, now())' : 'NULL'],
  ['trashed_with', into ? 'CASE WHEN i.deleted_at IS NOT NULL THEN i.trashed_with END' : 'NULL'],
];

// An image that leaves its folder before a change of the whole folder has come to it takes the state along
// that the folder says.
const trashOfFolder = (what: string): string => `(
  SELECT ${what} FROM folders f
  WHERE f.id = i.folder_id AND f.user_id = i.user_id AND f.deleted_at IS NOT NULL)`;
export const stateOnLeaving: Assignment[] = (
  [
    ['deleted_at', 'f.deleted_at'],
    ['trashed_with', 'coalesce(f.trashed_with, f.id)'],
  ] as const
).map(([column, ofFolder]) => [
  column,
  `CASE WHEN i.deleted_at IS NULL THEN ${trashOfFolder(ofFolder)}
    WHEN EXISTS (SELECT FROM bulk_changes b WHERE b.user_id = i.user_id AND b.kind = 'restore'
      AND b.root_id = i.trashed_with AND b.trashed_at = i.deleted_at) THEN NULL
    ELSE i.${column} END`,
]);

// A restored image goes to the top level if its folder is in the trash.
export const restoredFolder: Assignment = [
  'folder_id',
  `CASE WHEN i.deleted_at IS NULL OR folder_is_open(i.user_id, i.folder_id) THEN i.folder_id END`,
];

/** What a client says of these is final: the job `read metadata` must not fill in what was cleared. */
function readFields(given: readonly string[]): Assignment[] {
  const names = namesOf(cameraColumns).filter((name) => given.includes(name));
  if (names.length === 0) return [];
  const rest = names.reduce((sql, name) => `array_remove(${sql}, '${name}')`, 'i.unread_fields');
  return [['unread_fields', rest]];
}

function assignmentsOf(patch: ImagePatch, bind: Bind): Assignment[] {
  const given = propertiesOf(assignable).filter((property) => patch[property] !== undefined);
  const bound = given.map((property): Assignment => {
    const value = boundAs(assignable[property], bind(bindable(patch[property])));
    return [columnName(assignable, property), value];
  });
  return [
    ...bound,
    ...readFields(bound.map(([column]) => column)),
    ...(patch.trashed === undefined ? [] : trashed(patch.trashed)),
    ...(patch.trashed === undefined && patch.folderId !== undefined ? stateOnLeaving : []),
  ];
}

const bindable = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

// Another node's transaction may have started later and committed earlier.
export const touched = 'updated_at = greatest(now(), i.updated_at)';

/** An image as it was right after a change, or no id. */
export type ChangedRow = (ImageRow | { readonly id: null }) & {
  /** False if nothing was changed because the image cannot go into this folder. */
  readonly folderIsOpen: boolean;
};

/**
 * Changes the user's image in one statement; a row that already has these values is not touched,
 * not even `updated_at`. The user's row is locked before the image's, as everywhere; folders are
 * checked after that, since only the lock prevents their change.
 * @returns no row if the user is being deleted; a row without an id if the user has no such image,
 *   or nothing has changed.
 */
export function updateImage(
  db: Queryable,
  userId: string,
  imageId: string,
  patch: ImagePatch,
): Promise<ChangedRow | undefined> {
  const { values, bind } = parameters(imageId, userId);
  const assignments = assignmentsOf(patch, bind);
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const { folderId, trashed } = patch;
  const into = typeof folderId === 'string' && bind(folderId);
  // Restoring changes other columns as well, so the folder need not be compared.
  const columns = assignments.map(([column]) => `i.${column}`).join(', ');
  const next = assignments.map(([, value]) => value).join(', ');
  const restored = trashed === false && folderId === undefined ? [restoredFolder] : [];
  const sql = `
    WITH owner AS MATERIALIZED (
      SELECT id AS owner_id FROM ${lockedUser('$2', bind(currentToken()))}
    ),
    target AS MATERIALIZED (
      SELECT owner_id, ${into ? `folder_is_open(owner_id, ${into}::uuid)` : 'true'} AS is_open
      FROM owner
    ),
    changed AS (
      UPDATE images i
      SET ${[...assignments, ...restored].map((set) => set.join(' = ')).join(', ')}, ${touched}
      FROM target
      WHERE i.id = $1 AND i.user_id = owner_id AND is_open
        AND ROW(${columns}) IS DISTINCT FROM ROW(${next})
      RETURNING ${wholeRow}
    )
    SELECT changed.*, is_open AS "folderIsOpen" FROM target LEFT JOIN changed ON true`;
  return row(db, isUsual(given) ? prepared(sql) : sql, values);
}

/** Whether a change is so frequent that a prepared plan is worthwhile. */
const isUsual = ([first, ...others]: readonly (readonly [string, unknown])[]): boolean =>
  others.length === 0 && (first?.[0] === 'hasDet' || first?.[0] === 'trashed');

/**
 * Shares the user's image unless it is in the trash. @returns undefined if it is, if the user has
 * no such image, or if it is already shared.
 */
export const shareImage = (db: Queryable, userId: string, imageId: string) =>
  row<ImageRow>(
    db,
    prepared(
      `WITH owner AS MATERIALIZED (SELECT id AS owner_id FROM ${lockedUser('$2', '$3')})
       UPDATE images i SET is_shared = true, ${touched}
       FROM owner
       WHERE i.id = $1 AND i.deleted_at IS NULL AND NOT i.is_shared AND i.user_id = owner_id
       RETURNING ${wholeRow}`,
    ),
    [imageId, userId, currentToken()],
  );

/** Which of these ids are the user's images, and which of those are in the trash. */
export const selectStates = (tx: Queryable, userId: string, imageIds: readonly string[]) =>
  rows<{ id: string; trashed: boolean }>(
    tx,
    `SELECT id, deleted_at IS NOT NULL AS trashed
     FROM images WHERE id = ANY ($2::uuid[]) AND user_id = $1`,
    [userId, imageIds],
  );

/** Marks the user's images as shared; those already shared are left alone. */
export const shareImages = (tx: Queryable, userId: string, imageIds: readonly string[]) =>
  rows(
    tx,
    `UPDATE images i SET is_shared = true, ${touched}
     WHERE i.id = ANY ($2::uuid[]) AND i.user_id = $1 AND NOT i.is_shared`,
    [userId, imageIds],
  );
