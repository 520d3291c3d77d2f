import { z } from 'zod';
import { ext } from './record-fields.js';
import { integer } from './request-fields.js';

export const pageSize = integer(1, 1000);
export const defaultPageSize = 60;
/** 0-based index of the first item requested. */
export const lastIndex = integer(0, 1_000_000_000);
/** 1-based number of the page requested. */
export const pageNumber = (max: number) => integer(1, max).default(1);
/** 0-based index of the first item of a page. */
export const indexOfPage = (page: number, size: number): number => (page - 1) * size;

/** For lists whose totals are not always counted to the end. */
export const totalIsExact = z
  .literal(false)
  .optional()
  .meta({ ...ext, description: 'false: there is at least as much; omitted if totals are exact' });
