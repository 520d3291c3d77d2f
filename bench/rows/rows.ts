import type { Row } from '../harness/row.js';
import { growthRows } from './growth.js';
import { pageRows } from './pages.js';

/** All rows, in the order of the report. @param images of the large user. */
export const rowsFor = (images: number): Row[] => [...pageRows(images), ...growthRows(images)];
