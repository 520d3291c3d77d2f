import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isAlias, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { Document, Node, Pair } from 'yaml';
import { badConfiguration } from '../errors/operator.js';
import type { Mistake, OperatorError } from '../errors/operator.js';
import { programName } from '../os/command-line.js';
import { didYouMean } from './closest.js';
import type { Home } from './home.js';
import { optionKeys } from './options.js';

/** A key of the file, and its value. */
export interface ConfigEntry {
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
export function parseConfig(source: string): { entries: ConfigEntry[]; errors: string[] } {
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

export const unknownSetting = (key: string): string =>
  `unknown setting${didYouMean(key, optionKeys)}`;

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
  const known = new Set<string>(optionKeys);
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
