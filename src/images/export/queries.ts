import { only, selectList } from '../../database/columns.js';
import { rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';
import { imageColumns } from '../entity.js';
import type { Image } from '../entity.js';

const list = selectList(only(imageColumns, 'id', 'uploadType'));

/** What records leave out, and an import has to know. */
export const selectUploadTypes = (
  db: Queryable,
  imageIds: readonly string[],
): Promise<Pick<Image, 'id' | 'uploadType'>[]> =>
  rows(db, `SELECT ${list} FROM images WHERE id = ANY ($1::uuid[])`, [imageIds]);
