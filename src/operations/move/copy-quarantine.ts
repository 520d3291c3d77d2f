import { quarantinePrefix } from '../../store/quarantine-key.js';
import { copyObject } from './copy.js';
import type { CopyParts } from './copy.js';

/** Copies what is in quarantine, as far as the new store lacks it. Few objects, so one by one. */
export async function copyQuarantine(parts: CopyParts): Promise<void> {
  for await (const { key } of parts.from.list(quarantinePrefix)) {
    if (!(await parts.to.stat(key))) await copyObject(parts, key);
  }
}
