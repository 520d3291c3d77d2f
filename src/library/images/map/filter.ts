import type { Bind } from '../../../database/sql.js';

/** The images that a map shows; if empty, all that are not in the trash. */
export interface MapFilter {
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
  /** null: the top level. */
  readonly folderId?: string | null;
  /** null: not entered. */
  readonly det?: boolean | null;
}

export const isFiltered = (filter: MapFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

/** Conditions on images `i` that an index supports. */
export const byIndex = ({ from, to, folderId }: MapFilter, bind: Bind): string =>
  [
    ...(from ? [`i.created_at >= ${bind(from)}`] : []),
    ...(to ? [`i.created_at < ${bind(to)}`] : []),
    ...(folderId === undefined
      ? []
      : [folderId === null ? 'i.folder_id IS NULL' : `i.folder_id = ${bind(folderId)}`]),
  ]
    .map((condition) => ` AND ${condition}`)
    .join('');

/** The other conditions. */
export const byRow = ({ det }: MapFilter, bind: Bind): string =>
  det === undefined
    ? ''
    : ` AND ${det === null ? 'i.has_det IS NULL' : `i.has_det = ${bind(det)}`}`;
