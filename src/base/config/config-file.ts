import {
  chmod,
  chown,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type Pair,
  stringify,
} from 'yaml';
import { badConfiguration, type Mistake, type OperatorError } from '../errors/operator.js';
import { programName } from '../os/command-line.js';
import { errnoOf } from '../os/files.js';
import { didYouMean } from '../text.js';
import type { Home } from './home.js';
import {
  knownKeys,
  optionKeys,
  type OptionKey,
  type Config,
  flaggedKeys,
  flagOf,
  options,
  variableOf,
} from './options.js';

const head = `# Settings of imgstore. Flags override environment variables, which override this file.\n# "imgstore config show" shows the effective values, "imgstore config check" checks for mistakes.\n`;

/** A config.yaml with the chosen values and every other setting commented out with its default. */
export function configTemplate(chosen: Partial<Pick<Config, OptionKey>>): string {
  const keys = knownKeys.filter((key) => optionKeys.includes(key) || chosen[key] !== undefined);
  const entries = keys.map((key) => {
    const { about, fallback } = options[key];
    const value = chosen[key];
    // A default that depends on this machine should not be copied to another one.
    const example = value ?? (typeof fallback === 'function' ? undefined : fallback);
    const yaml = `${key}: ${example === undefined ? '' : flow(example)}`;
    const names = [...(flaggedKeys.includes(key) ? [flagOf(key)] : []), variableOf(key)];
    return `# ${about} (${names.join(', ')})\n${value === undefined ? '# ' : ''}${yaml.trim()}\n`;
  });
  return [head, ...entries].join('\n');
}

/** A key of the file, and its value. */
interface ConfigEntry {
  /** Nested keys are dotted: `{database: {url}}` is `database.url`. */
  readonly key: string;
  readonly value: unknown;
  readonly line: number;
  /** Characters of the source that are the value; undefined if there is none. */
  readonly range: readonly [from: number, to: number] | undefined;
}

/** The text of a home's config.yaml; undefined if there is none. */
export async function readConfigText(home: Home): Promise<string | undefined> {
  try {
    return await readFile(home.configFile, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ENOTDIR') throw notADirectory(home, error);
    const user = `${process.getuid?.()}:${process.getgid?.()}`;
    const copied = `if it is part of a copied home: sudo chown -R ${user} ${home.dir}`;
    throw badConfiguration(`Cannot read ${home.configFile}: ${(error as Error).message}`, {
      setting: 'config',
      remedy: `Run the command as the owner of the home, as "sudo ${programName()} …" does, or choose another --home; ${copied}`,
    });
  }
}

/** A part of the path is a file, which no change of owner fixes. */
function notADirectory(home: Home, cause: unknown): OperatorError {
  const ofHome = home.configFile.startsWith(`${home.dir}/`);
  const place = ofHome ? home.dir : dirname(home.configFile);
  return badConfiguration(`${place} is not a directory.`, {
    setting: ofHome ? 'home' : 'config',
    remedy: ofHome
      ? 'Choose another directory with --home or IMGSTORE_HOME.'
      : 'Choose another file with --config or IMGSTORE_CONFIG.',
    cause,
  });
}

/** The entries of a file, and its YAML errors. */
function parseConfig(source: string): { entries: ConfigEntry[]; errors: string[] } {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const errors = document.errors.map(({ message }) => message.trimEnd());
  const entries = errors.length > 0 ? [] : [...flatten(document, document.contents, lines)];
  return { entries, errors };
}

function* flatten(
  document: Document,
  node: Node | null,
  lines: LineCounter,
  path: readonly string[] = [],
): Generator<ConfigEntry> {
  if (!isMap(node)) {
    if (node === null || (isScalar(node) && node.value === null)) return;
    yield { key: '(document)', value: node.toJS(document), line: 1, range: undefined };
    return;
  }
  for (const { key, value } of node.items as Pair<Node, Node | null>[]) {
    const here = [...path, String(isScalar(key) ? key.value : key)];
    const inner = isAlias(value) ? value.resolve(document) : value;
    if (isMap(inner)) yield* flatten(document, inner, lines, here);
    else {
      const { range } = isNode(value) ? value : {};
      yield {
        key: here.join('.'),
        value: inner ? (inner.toJS(document) as unknown) : null,
        line: lines.linePos(key.range?.[0] ?? 0).line,
        range: range ? [range[0], range[1]] : undefined,
      };
    }
  }
}

const unknownSetting = (key: string): string => `unknown setting${didYouMean(key, optionKeys)}`;

/** The settings of the file by key; unknown ones are mistakes. */
export async function readConfigFile(
  home: Home,
  mistakes: Mistake[],
): Promise<ReadonlyMap<string, ConfigEntry>> {
  const source = await readConfigText(home);
  if (source === undefined) return new Map();
  const { entries, errors } = parseConfig(source);
  for (const error of errors) {
    mistakes.push({ setting: 'config', source: 'file', message: `${home.configFile}: ${error}` });
  }
  const known = new Set<string>(knownKeys);
  for (const { key, line } of entries) {
    if (known.has(key)) continue;
    const message = `${locationOf(key, home, line)}: ${unknownSetting(key)}`;
    mistakes.push({ setting: key, source: 'file', message, line });
  }
  return new Map(entries.map((entry) => [entry.key, entry]));
}

/** Where a setting is in the file, for messages. */
export const locationOf = (key: string, { configFile }: Home, line: number): string =>
  `${key} in ${configFile}, line ${line}`;

/** On one line, however long: a folded one could not be commented, nor be replaced. */
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

/** Settings that the text of a file would not give back as they are. */
export const lostSettings = (
  source: string,
  chosen: Partial<Pick<Config, OptionKey>>,
): OptionKey[] =>
  knownKeys.filter((key) => chosen[key] !== undefined && !hasSetting(source, key, chosen[key]));

/** Whether the file has this value for the setting, and is valid YAML. */
export function hasSetting(source: string, key: OptionKey, value: unknown): boolean {
  const { entries, errors } = parseConfig(source);
  const found = entries.filter((entry) => entry.key === key);
  return errors.length === 0 && found.length === 1 && flow(found[0]?.value) === flow(value);
}

/**
 * Replaces the text of a file; its permissions and owner stay, and so do links to it. Atomically, except
 * where another file cannot take its place: it is mounted, or it or its folder belong to another user.
 */
export async function replaceText(named: string, text: string): Promise<void> {
  const path = await realpath(named);
  const { mode, uid, gid } = await stat(path);
  const self = process.getuid?.();
  if (self !== 0 && uid !== self) return overwrite(path, text);
  const draft = `${path}.${process.pid}.new`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    if (self === 0) await chown(draft, uid, gid);
    await chmod(draft, mode & 0o7777);
    await rename(draft, path);
  } catch (error) {
    if (!['EBUSY', 'EXDEV', 'EROFS', 'EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) throw error;
    await overwrite(path, text);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined); // it could not be made
  }
}

async function overwrite(path: string, text: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.writeFile(text);
    await file.truncate(Buffer.byteLength(text));
    await file.sync();
  } finally {
    await file.close();
  }
}
