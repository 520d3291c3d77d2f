import type { Row } from '../harness/row.js';
import { fileRows } from './files.js';
import { growthRows } from './growth.js';
import { memoryRows } from './memory.js';
import { pageRows } from './pages.js';
import { smallWriteRows } from './small-writes.js';
import { startRows } from './start.js';
import { statisticsRows } from './statistics.js';
import { uploadRows } from './uploads.js';

/** All rows, in the order of the report. @param images of the large user. */
export const rowsFor = (images: number): Row[] => [
  ...uploadRows(),
  ...fileRows(),
  ...pageRows(images),
  ...statisticsRows(),
  ...smallWriteRows(),
  ...growthRows(images),
  ...memoryRows(),
  ...startRows(),
];
