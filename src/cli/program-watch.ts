import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { guarded, ignore } from '../base/guarded.js';
import { bundleFile } from '../base/installed-files.js';
import { secondMs } from '../base/units.js';

/** How often the program's file is looked at, and how long an upgrade must have left it alone. */
const lookMs = 2 * secondMs;
const settledMs = 5 * secondMs;

/** What the program starts with; it names the files of all its parts, by hashes of what is in them. */
const file = bundleFile('imgstore');

function contents(): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Looks for another version in place of this program, such as after an upgrade of the package: parts
 * that were not needed so far can then not be loaded, and new processes would be of that version.
 */
export function watchProgram(): { readonly replaced: AbortSignal; readonly stop: () => void } {
  const found = new AbortController();
  const before = contents();
  let timer: NodeJS.Timeout | undefined;
  const settled = guarded(ignore, () => {
    if (contents() !== before) found.abort();
  });
  const changed = guarded(ignore, () => {
    clearTimeout(timer);
    timer = setTimeout(settled, settledMs);
  });
  watchFile(file, { interval: lookMs, persistent: false }, changed);
  const stop = (): void => {
    clearTimeout(timer);
    unwatchFile(file, changed);
  };
  return { replaced: found.signal, stop };
}
