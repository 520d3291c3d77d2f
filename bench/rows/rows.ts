import type { Row } from '../harness/row.js';
import { besideRow } from './beside.js';
import { fileRows } from './files.js';
import { growthRows, tableRows } from './growth.js';
import { databaseRow, memoryRows } from './memory.js';
import { pageRows } from './pages.js';
import { resumableRow } from './resumable.js';
import { startRows } from './start.js';
import { tokenRows } from './tokens.js';
import { uploadRows } from './uploads.js';
import { wholeListRows } from './whole-lists.js';

/**
 * All rows, in the order of the report.
 * @param images of the large users; of pages, the largest.
 * @param tables sizes of tables with many users; if empty, growth is measured with single users.
 */
export const rowsFor = (images: readonly number[], tables: readonly number[]): Row[] => [
  ...uploadRows(),
  resumableRow(),
  ...fileRows(),
  ...pageRows(Math.max(...images)),
  ...tokenRows(),
  besideRow(),
  ...wholeListRows(),
  ...(tables.length > 0 ? tableRows(tables) : growthRows(images)),
  databaseRow(Math.max(...images)),
  ...memoryRows(),
  ...startRows(),
];
