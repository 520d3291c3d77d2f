import { about } from './entries/about.js';
import { data } from './entries/data.js';
import type { Chapter } from './entry.js';
import { service } from './entries/service.js';
import { tenants } from './entries/tenants.js';
import { upkeep } from './entries/upkeep.js';

/**
 * Every command. Its file, and with it the database, sharp and Express, is loaded when the command
 * runs: --help must stay instant.
 */
export const chapters: readonly Chapter[] = [service, tenants, upkeep, data, about(() => chapters)];
