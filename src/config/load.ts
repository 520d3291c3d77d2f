import { readFile } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { badConfiguration } from '../errors/operator.js';
import type { Home } from './home.js';
import type { Config, OptionKey } from './options.js';
import { flagOf, optionKeys, options, variableOf } from './options.js';
import { expectationOf, fallbackOf, type Setting } from './setting.js';
import { commandLine } from '../os/command-line.js';

export type Source = 'flag' | 'environment' | 'file' | 'default';

export interface Settings {
  readonly values: Config;
  /** The source of each value. */
  readonly sources: Readonly<Record<OptionKey, Source>>;
}

export interface Layers {
  /** Values given on the command line, by key. */
  readonly flags: Partial<Record<OptionKey, string>>;
  readonly env: NodeJS.ProcessEnv;
  readonly home: Home;
}

/**
 * Merges flag > environment > file > default and checks every value.
 * @throws OperatorError (78) that lists all mistakes at once.
 */
export async function loadSettings({ flags, env, home }: Layers): Promise<Settings> {
  const mistakes: string[] = [];
  const file = await readConfigFile(home, mistakes);
  const values: Partial<Record<OptionKey, unknown>> = {};
  const sources: Partial<Record<OptionKey, Source>> = {};
  for (const key of optionKeys) {
    const setting: Setting = options[key];
    const variable = variableOf(key);
    const secretFile = setting.secret ? `${variable}_FILE` : undefined;
    // An empty variable counts as not set, because compose files and systemd units use it that way.
    const given: [Source, unknown, string][] = [
      ['flag', flags[key], flagOf(key)],
      ['environment', env[variable] || undefined, variable],
      ['environment', await readSecret(env, secretFile, mistakes), secretFile ?? variable],
      ['file', file.get(key), `${key} in ${home.configFile}`],
    ];
    const fallback: (typeof given)[number] = ['default', fallbackOf(setting), `default of ${key}`];
    const [source, raw, name] = given.find(([, value]) => value !== undefined) ?? fallback;
    sources[key] = source;
    if (raw === undefined) continue;
    const read = setting.schema.safeParse(raw);
    if (read.success) values[key] = read.data;
    else {
      const shown = setting.secret ? 'its value' : JSON.stringify(raw);
      mistakes.push(`${name}: ${shown} must be ${expectationOf(read.error)}`);
    }
  }
  if (mistakes.length > 0) throw mistakesFound(mistakes, home);
  return { values: values as Config, sources: sources as Record<OptionKey, Source> };
}

/**
 * The content of the file named by a variable, as container secrets and systemd credentials provide
 * it.
 */
async function readSecret(
  env: NodeJS.ProcessEnv,
  variable: string | undefined,
  mistakes: string[],
): Promise<string | undefined> {
  const path = variable && env[variable];
  if (!path) return undefined;
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    mistakes.push(`${variable}: ${(error as Error).message}`);
    return undefined;
  }
}

/** The file's values by dotted key; unknown keys are mistakes. */
async function readConfigFile(home: Home, mistakes: string[]): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  let source: string;
  try {
    source = await readFile(home.configFile, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return found;
    throw badConfiguration(`Cannot read ${home.configFile}: ${(error as Error).message}`, {
      remedy: `Make the file readable for the user that runs imgstore, or choose another --home.`,
    });
  }
  const document = parseDocument(source);
  for (const error of document.errors) mistakes.push(`${home.configFile}: ${error.message}`);
  if (document.errors.length > 0) return found;
  const known = new Set<string>(optionKeys);
  for (const [key, value] of flatten(document.toJS() as unknown)) {
    if (known.has(key)) {
      if (value !== null) found.set(key, value);
    } else mistakes.push(`${key} in ${home.configFile}: unknown setting`);
  }
  return found;
}

/** Nested mappings as dotted keys: `{database: {url}}` → `database.url`. */
function* flatten(value: unknown, prefix = ''): Generator<[string, unknown]> {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object' || Array.isArray(value)) {
    yield [prefix || '(document)', value];
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    const path = prefix ? `${prefix}.${key}` : key;
    if (inner !== null && typeof inner === 'object' && !Array.isArray(inner)) {
      yield* flatten(inner, path);
    } else yield [path, inner];
  }
}

function mistakesFound(mistakes: string[], home: Home): Error {
  const count = mistakes.length === 1 ? 'One setting is' : `${mistakes.length} settings are`;
  return badConfiguration(`${count} invalid:\n${mistakes.map((m) => `  - ${m}`).join('\n')}`, {
    setting: mistakes.map((m) => m.split(/[: ]/, 1)[0]).join(', '),
    remedy: `Correct the flag, the variable, or ${home.configFile}; run "${commandLine('config', 'check')}" to check again.`,
  });
}
