import { chmod, chown, rename, rm, stat, writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { parseConfig } from './config-file.js';
import type { OptionKey } from './options.js';

const flow = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();

/**
 * The text of a config.yaml with another value for one setting. The value replaces the present one,
 * else the template's commented line for the setting, else it is appended. Every other character,
 * comments included, stays as it is.
 */
export function withSetting(source: string, key: OptionKey, value: unknown): string {
  const { entries } = parseConfig(source);
  const entry = entries.findLast((one) => one.key === key);
  const written = flow(value);
  if (entry?.range) {
    const [from, to] = entry.range;
    const space = /\s/.test(source[from - 1] ?? '\n') ? '' : ' ';
    // A block list includes its last line break, which its replacement has to keep.
    const end = source.slice(from, to).endsWith('\n') ? '\n' : '';
    return `${source.slice(0, from)}${space}${written}${end}${source.slice(to)}`;
  }
  const line = `${key}: ${written}`;
  const commented = new RegExp(`^# ?${key.replaceAll('.', '\\.')}:.*$`, 'm');
  if (commented.test(source)) return source.replace(commented, () => line);
  return `${source === '' || source.endsWith('\n') ? source : `${source}\n`}${line}\n`;
}

/** Whether the file has this value for the setting, and is valid YAML. */
export function hasSetting(source: string, key: OptionKey, value: unknown): boolean {
  const { entries, errors } = parseConfig(source);
  const found = entries.filter((entry) => entry.key === key);
  return errors.length === 0 && found.length === 1 && flow(found[0]?.value) === flow(value);
}

/** Replaces a file atomically; its permissions and owner stay. */
export async function replaceText(path: string, text: string): Promise<void> {
  const { mode, uid, gid } = await stat(path);
  const draft = `${path}.${process.pid}.new`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    if (process.getuid?.() === 0) await chown(draft, uid, gid);
    await chmod(draft, mode & 0o7777);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
