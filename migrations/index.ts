import { Foundation0000000000001 } from './0001-foundation.js';
import { Accounting0000000000002 } from './0002-accounting.js';
import { Folders0000000000003 } from './0003-folder-indexes.js';

/** Every migration, in order. A landed one never changes; a change of mind is a new one. */
export const migrations = [Foundation0000000000001, Accounting0000000000002, Folders0000000000003];
