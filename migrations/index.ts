import { Foundation0000000000001 } from './0001-foundation.js';
import { Accounting0000000000002 } from './0002-accounting.js';
import { Places0000000000008 } from './0008-places.js';

/** Every migration, in order. A landed one never changes; a change of mind is a new one. */
export const migrations = [Foundation0000000000001, Accounting0000000000002, Places0000000000008];
