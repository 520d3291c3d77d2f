import { quarantinePrefix } from '../../store/quarantine-key.js';
import { copyObject } from './copy.js';
import type { CopyParts } from './copy.js';

/**
 * Copies quarantined objects that the new store lacks. There are few, so they are copied one by
 * one.
 */
export async function copyQuarantine(parts: CopyParts): Promise<void> {
  for await (const { key } of parts.from.list(quarantinePrefix)) {
    if (!(await parts.to.stat(key))) await copyObject(parts, key);
  }
}
