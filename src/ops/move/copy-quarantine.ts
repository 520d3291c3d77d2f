import { quarantinePrefix } from '../../store/object-key.js';
import { copyObject, type CopyParts } from './copy.js';

/**
 * Copies quarantined objects that the new store lacks. There are few, so they are copied one by
 * one.
 */
export async function copyQuarantine(parts: CopyParts): Promise<void> {
  for await (const { key } of parts.from.list(quarantinePrefix)) {
    if (!(await parts.to.stat(key))) await copyObject(parts, key);
  }
}
