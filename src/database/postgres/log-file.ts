import { copyFile, rm, stat, truncate } from 'node:fs/promises';
import { bytesPerMegabyte } from '../../base/units.js';

/** Maximum size of the log of a private server; one earlier log of this size is kept. */
const maxBytes = 10 * bytesPerMegabyte;

/**
 * Moves a log that has grown too large to `….1`, replacing an earlier one. It is copied, then
 * truncated, since the server keeps the file open and appends to it; a line written in between is
 * lost. @returns whether it was moved.
 */
export async function rotateLog(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found || found.size < maxBytes) return false;
  const kept = `${path}.1`;
  await rm(kept, { force: true });
  // On a full disk it cannot be kept, but truncating it is all the more urgent.
  await copyFile(path, kept).catch(() => rm(kept, { force: true }));
  await truncate(path);
  return true;
}
