import { type Queryable, parameters, type Bind } from '../../database/sql.js';
import { type ListTotals, type SortOrder, sortOrderSql } from '../../http/paging/pages.js';
import { foldersInTree } from '../tree/tree.js';
import { trashCondition, type TrashFilter } from './images.sql.js';
import { pageIds, selectPage, timeOf, type PageRange, type RecordPage } from './page.sql.js';
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

/** Images of a folder from a position on. */
export function selectInFolder(
  db: Queryable,
  filter: FolderImagesFilter,
  sortOrder: SortOrder,
  range: PageRange,
): Promise<RecordPage> {
  const { start, size } = range;
  const { values, bind } = parameters(filter.userId);
  const { order, key, from } = sortOrderSql(sortOrder, sortedImages, start, bind);
  const where = `${inFolder(filter, bind)} ${from}`;
  const ids = pageIds({ where, order, offset: start.offset, limit: size + 1 }, bind);
  return selectPage(db, { page: { ids, key }, values }, range);
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
