import { integer } from './request-fields.js';

export const pageSize = integer(1, 1000);
export const defaultPageSize = 60;
/** 0-based index of the first item requested. */
export const lastIndex = integer(0, 1_000_000_000);
