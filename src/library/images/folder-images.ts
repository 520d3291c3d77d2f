import { type Queryable, parameters, rows, type Bind } from '../../database/sql.js';
import {
  type ListTotals,
  type PagePosition,
  type SortOrder,
  sortOrderSql,
} from '../../http/paging/pages.js';
import { active, subtree } from '../folders/guard.js';
import { trashCondition, type TrashFilter } from './images.sql.js';
import { pageIds, pageQuery, timeOf, type ListedRow } from './page.sql.js';
import { sumKept, sumKeptInFolders } from './totals.sql.js';

// The images in folders, for the modules that manage folders, or show what is in them.

/** The images directly in a folder, or at the top level. */
interface FolderImagesFilter {
  readonly userId: string;
  readonly folderId: string | null;
  readonly trash: TrashFilter;
}

/** Images `i` of user `$1` in a folder; the top level has no id to bind. */
const inFolder = ({ folderId, trash }: FolderImagesFilter, bind: Bind): string =>
  `i.user_id = $1 AND i.folder_id ${folderId === null ? 'IS NULL' : `= ${bind(folderId)}`} ${trashCondition(trash)}`;

const sortedImages = {
  alias: 'i',
  folder: 'folder_id',
  by: {
    created_at: timeOf('created_at'),
    updated_at: timeOf('updated_at'),
    taken_at: timeOf('taken_at'),
    name: 'i.filename',
  },
};

export type FolderImageRow = ListedRow;

/** Images of a folder from a position on. */
export function selectInFolder(
  db: Queryable,
  filter: FolderImagesFilter,
  sortOrder: SortOrder,
  position: PagePosition,
  limit: number,
): Promise<FolderImageRow[]> {
  const { values, bind } = parameters(filter.userId);
  const { order, key, from } = sortOrderSql(sortOrder, sortedImages, position, bind);
  const where = `${inFolder(filter, bind)} ${from}`;
  const ids = pageIds({ where, order, offset: position.offset, limit }, bind);
  return rows(db, pageQuery({ ids, key, order, limit }), values);
}

/** Up to so many folders are each looked through, or those of up to so many images. */
const few = { folders: 1_000, images: 100_000 };

/** A folder and everything below it, as placeholders. */
interface TreeSql {
  readonly user: string;
  readonly folder: string;
  /** Whether only what is not in the trash counts. */
  readonly active: boolean;
}

/** Selects the `id` of a folder and its descendants. */
export const foldersInTree = ({ user, folder, active: only }: TreeSql): string =>
  `${subtree({ user, folder, ...(only && { along: active }) })} SELECT id FROM tree`;

/** The first of the images `i` in a tree, as SQL. */
interface FirstInTree extends TreeSql {
  /** Columns of `i`, among them those of the order. */
  readonly columns: string;
  /** The condition, the user included. */
  readonly where: string;
  readonly order: string;
  readonly limit: number | string;
}

/**
 * Selects the first images in a folder and everything below it: those of each folder, or where that
 * would be too many, of all images of the user.
 */
export function firstInTree({ columns, where, order, limit, ...tree }: FirstInTree): string {
  const first = (condition: string): string =>
    `SELECT ${columns} FROM images i WHERE ${where} AND ${condition} ORDER BY ${order} LIMIT ${limit}`;
  // Not a join, which would sort all images before it gives the first.
  const anywhere = first(
    '(i.folder_id IN (SELECT id FROM folder)) IS TRUE AND NOT (SELECT are FROM few)',
  );
  return `
    WITH folder AS MATERIALIZED (${foldersInTree(tree)}),
    few AS MATERIALIZED (
      SELECT count(*) <= ${few.folders}
        OR coalesce(sum(t.active_images + t.trashed_images), 0) <= ${few.images} AS are
      FROM folder LEFT JOIN folder_totals t ON t.folder_id = folder.id
    )
    SELECT * FROM (
      (SELECT i.* FROM folder CROSS JOIN LATERAL (${first('i.folder_id = folder.id')}) AS i
       WHERE (SELECT are FROM few))
      UNION ALL (${anywhere})
    ) AS i
    ORDER BY ${order} LIMIT ${limit}`;
}

/**
 * Number and total bytes of the images directly in a folder (null: at the top level), or also of
 * those below it.
 */
export function totalsInFolder(
  db: Queryable,
  { userId, folderId, trash }: FolderImagesFilter,
  below = false,
): Promise<ListTotals> {
  if (folderId === null) return sumKept(db, userId, { trash, topLevel: true });
  const tree = { user: '$2', folder: '$1', active: trash === false };
  return sumKeptInFolders(db, userId, folderId, trash, below ? foldersInTree(tree) : undefined);
}
