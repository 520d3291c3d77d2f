// The whole schema as one text: what a new database is made from, in place of the chain of migrations,
// and to the letter what the chain arrives at (test/database/baseline.test.ts).
import { accountTables } from './account-tables.js';
import { admission } from './admission.js';
import { annotations } from './annotations.js';
import { changePosting } from './change-posting.js';
import { changeTables } from './change-tables.js';
import { changeTriggers } from './change-triggers.js';
import { imageAccounts } from './image-accounts.js';
import { imageRanges } from './image-ranges.js';
import { imageTotals } from './image-totals.js';
import { keepPlaces, redrawTaken } from './place-statements.js';
import { libraryTables } from './library-tables.js';
import { mapCells } from './map-cells.js';
import { operatorTables } from './operator-tables.js';
import { platformCells } from './platform-cells.js';
import { placeChanges } from './place-changes.js';
import { radiusReads } from './radius-reads.js';
import { requestTriggers } from './request-triggers.js';
import { search, textComparison } from './search.js';

const extensions = ['postgis', 'btree_gist', 'btree_gin', 'pg_trgm']
  .map((name) => `CREATE EXTENSION IF NOT EXISTS ${name};`)
  .join('\n');

const tables = [libraryTables, accountTables, changeTables, operatorTables];

const functionsAndTriggers = [
  search,
  changePosting,
  changeTriggers,
  requestTriggers,
  admission,
  annotations,
  imageTotals,
  imageAccounts,
  imageRanges,
  mapCells,
  platformCells,
  placeChanges,
  keepPlaces,
  redrawTaken,
  radiusReads,
];

/** Statements, to be run in this order and in one transaction. */
export const baseline = [extensions, textComparison, ...tables, ...functionsAndTriggers];
