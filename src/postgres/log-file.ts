import { copyFile, rm, stat, truncate } from 'node:fs/promises';
import { bytesPerMegabyte } from '../units.js';

/** The log of a private server may grow this far; as much again is kept of what came before. */
const maxBytes = 10 * bytesPerMegabyte;

/**
 * Moves a log that has grown too large to `….1`, in place of what was there. Copied, then cut, since
 * the server keeps the file open and appends to it, whoever started it; a line written in between is
 * lost. @returns whether it was moved.
 */
export async function rotateLog(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found || found.size < maxBytes) return false;
  const kept = `${path}.1`;
  await rm(kept, { force: true });
  // On a full disk there is nowhere to keep it, and all the more reason to cut it.
  await copyFile(path, kept).catch(() => rm(kept, { force: true }));
  await truncate(path);
  return true;
}
