import { only, selectList } from '../../../database/columns.js';
import { parameters, rows } from '../../../database/sql.js';
import type { Queryable } from '../../../database/sql.js';
import { imageColumns } from '../entity.js';
import type { Image } from '../entity.js';
import type { Filter } from '../list/filter.js';
import { where } from '../list/list.sql.js';
import { areaOfBox } from '../map/area.js';
import type { Box } from '../map/box.js';

const list = selectList(only(imageColumns, 'id', 'uploadType'));

/** The upload types, which records omit but an import needs. */
export const selectUploadTypes = (
  db: Queryable,
  imageIds: readonly string[],
): Promise<Pick<Image, 'id' | 'uploadType'>[]> =>
  rows(db, `SELECT ${list} FROM images WHERE id = ANY ($1::uuid[])`, [imageIds]);

/** The condition for images `i` of a user that match a filter and an area. */
export function exportCondition(userId: string, filter: Filter, box: Box | undefined) {
  const { values, bind } = parameters(userId);
  const listed = where(filter, bind);
  const inArea = box ? ` AND i.location IS NOT NULL AND ${areaOfBox(box).has('i.location')}` : '';
  return { condition: `${listed}${inArea}`, values };
}
