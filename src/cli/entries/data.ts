import type { Chapter } from '../entry.js';
import { backups } from './backups.js';
import { inOut } from './in-out.js';
import { verification } from './verification.js';

/** Commands that copy, check, and transfer stored data. */
export const data: Chapter = {
  heading: 'Back up, verify, import, and export:',
  entries: [...backups, ...verification, ...inOut],
};
