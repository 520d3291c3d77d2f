import { Foundation0000000000001 } from './0001-foundation.js';
import { Accounting0000000000002 } from './0002-accounting.js';
import { Search0000000000004 } from './0004-search.js';

/** Every migration, in order. A landed one never changes; a change of mind is a new one. */
export const migrations = [Foundation0000000000001, Accounting0000000000002, Search0000000000004];
