import type { Bind } from '../../../database/sql.js';
import type { Area } from './area.js';
import { columnOf } from './owner.js';
import type { MapOwner } from './owner.js';
import type { CellRange } from './tile.js';

/** SQL: the ranges as rows. */
const rangeRows = (ranges: readonly CellRange[], bind: Bind): string =>
  `unnest(${bind(ranges.map(({ from }) => from))}::bigint[],
          ${bind(ranges.map(({ to }) => to))}::bigint[])`;

/** The cells of a kept zoom that touch an area, without empty ones. The owner is `$1`. */
export const touchedCells = (owner: MapOwner, area: Area, zoom: number, bind: Bind): string => `
  SELECT c.*
  FROM ${rangeRows(area.ranges(zoom), bind)} AS r (start, stop)
  CROSS JOIN LATERAL (
    SELECT k.* FROM map_cells k
    WHERE k.${columnOf(owner)} = $1 AND k.zoom = ${zoom} AND k.cell >= r.start
      AND k.cell < r.stop AND k.active_images > 0 AND ${area.touches('k')}
    OFFSET 0
  ) AS c`;
