import { about } from './entries/about.js';
import { data } from './entries/data.js';
import type { Chapter } from './entry.js';
import { service } from './entries/service.js';
import { tenants } from './entries/tenants.js';
import { upkeep } from './entries/upkeep.js';

/**
 * Every command. Its module, and with it the database, sharp and Express, is loaded only when the
 * command runs, since --help must stay instant.
 */
export const chapters: readonly Chapter[] = [service, tenants, upkeep, data, about(() => chapters)];
