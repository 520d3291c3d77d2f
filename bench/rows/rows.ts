import type { Row } from '../harness/row.js';
import { fileRows } from './files.js';
import { growthRows } from './growth.js';
import { memoryRows } from './memory.js';
import { pageRows } from './pages.js';
import { startRows } from './start.js';
import { statisticsRows } from './statistics.js';

/** All rows, in the order of the report. @param images of the large user. */
export const rowsFor = (images: number): Row[] => [
  ...fileRows(),
  ...pageRows(images),
  ...statisticsRows(),
  ...growthRows(images),
  ...memoryRows(),
  ...startRows(),
];
