import { readFile } from 'node:fs/promises';
import { badConfiguration, wrongUsage, type Mistake } from '../errors/operator.js';
import { commandLine } from '../os/command-line.js';
import { didYouMean } from '../text.js';
import { locationOf, readConfigFile } from './config-file.js';
import type { Home } from './home.js';
import { type Config, type OptionKey, flagOf, knownKeys, options, variableOf } from './options.js';
import { expectationOf, fallbackOf, meantChoice, noticesOf, type Setting } from './setting.js';

/** The variable with the path of a file that contains a secret; undefined for other settings. */
function fileVariableOf(key: OptionKey): string | undefined {
  const { secret }: Setting = options[key];
  return secret ? `${variableOf(key)}_FILE` : undefined;
}

/** Every variable that imgstore reads. */
const known: readonly string[] = [
  'IMGSTORE_HOME',
  'IMGSTORE_CONFIG',
  'IMGSTORE_MASTER_KEY_FILE',
  'IMGSTORE_PROGRAM',
  ...knownKeys.flatMap((key) => [variableOf(key), fileVariableOf(key) ?? []].flat()),
];

/** Those that the tests and scripts of the repository read. */
const ofDevelopment = /^IMGSTORE_(TEST|RENEW|PACKAGE)_/;

/** What Kubernetes and Docker put into an environment about a service of the name `imgstore`, or `imgstore-…`. */
const ofServices =
  /^IMGSTORE_(?:\w+_)?(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;
/** Of these, `IMGSTORE_PORT` is a setting, too. */
const addressOfService = /^(?:tcp|udp|sctp):\/\//;

/** One sentence for each variable that looks like a setting of imgstore but is none. */
export const unknownVariables = (env: NodeJS.ProcessEnv): string[] =>
  Object.keys(env)
    .filter((name) => /^IMGSTORE_/i.test(name))
    .filter((name) => !known.includes(name) && !ofDevelopment.test(name) && !ofServices.test(name))
    .sort()
    .map((name) => `The environment variable ${name} is not used${didYouMean(name, known)}`)
    .map((sentence) => (sentence.endsWith('?') ? sentence : `${sentence}.`));

type Source = 'flag' | 'environment' | 'file' | 'default';

export interface Settings {
  readonly values: Config;
  /** The source of each value. */
  readonly sources: Readonly<Record<OptionKey, Source>>;
  /** Each value as it was given, or as its default is written. */
  readonly written: Readonly<Partial<Record<OptionKey, unknown>>>;
  /** A sentence for each that is given and will soon be none. */
  readonly notices: readonly string[];
}

interface Layers {
  /** Values given on the command line, by key. */
  readonly flags: Partial<Record<OptionKey, string>>;
  readonly env: NodeJS.ProcessEnv;
  readonly home: Home;
}

/** A value as somebody gave it. */
interface Given {
  readonly source: Exclude<Source, 'default'>;
  readonly raw: unknown;
  /** What to call it in a message. */
  readonly place: string;
  /** The flag, variable, or key. */
  readonly setting: string;
  readonly line?: number;
}

/**
 * Merges flag > environment > file > default and checks every value.
 * @throws OperatorError that lists all mistakes at once: 2 if all are on the command line, else 78.
 */
export async function loadSettings({ flags, env, home }: Layers): Promise<Settings> {
  const mistakes: Mistake[] = [];
  const file = await readConfigFile(home, mistakes);
  const values: Partial<Record<OptionKey, unknown>> = {};
  const sources: Partial<Record<OptionKey, Source>> = {};
  const written: Partial<Record<OptionKey, unknown>> = {};
  const notices: string[] = [];
  for (const key of knownKeys) {
    const setting: Setting = options[key];
    const given =
      givenFlag(key, flags) ??
      (await givenVariable(key, env, mistakes)) ??
      givenInFile(key, file, home);
    sources[key] = given?.source ?? 'default';
    if (given) notices.push(...noticesOf(setting, given.place));
    const raw = given?.raw ?? fallbackOf(setting);
    if (raw === undefined) continue;
    written[key] = raw;
    const read = setting.schema.safeParse(raw);
    if (read.success) values[key] = read.data;
    else if (given) mistakes.push(mistakeIn(given, setting, expectationOf(read.error)));
    else throw new RangeError(`the default of ${key} must be ${expectationOf(read.error)}`);
  }
  if (mistakes.length > 0) throw mistakesFound(mistakes, home);
  return {
    values: values as Config,
    sources: sources as Record<OptionKey, Source>,
    written,
    notices,
  };
}

function givenFlag(key: OptionKey, flags: Layers['flags']): Given | undefined {
  const raw = flags[key];
  const setting = flagOf(key);
  return raw === undefined ? undefined : { source: 'flag', raw, place: setting, setting };
}

/**
 * An empty variable counts as not set, because compose files and systemd units use it that way; so
 * does the address of a service.
 */
async function givenVariable(
  key: OptionKey,
  env: NodeJS.ProcessEnv,
  mistakes: Mistake[],
): Promise<Given | undefined> {
  const source = 'environment' as const;
  const setting = variableOf(key);
  const raw = env[setting];
  if (raw && !addressOfService.test(raw)) return { source, raw, place: setting, setting };
  const fileVariable = fileVariableOf(key);
  const path = fileVariable && env[fileVariable];
  if (!path) return undefined;
  try {
    // A file, as container secrets and systemd credentials provide it.
    const content = (await readFile(path, 'utf8')).trim();
    return { source, raw: content, place: fileVariable, setting: fileVariable };
  } catch (error) {
    const message = `${fileVariable}: ${(error as Error).message}`;
    mistakes.push({ setting: fileVariable, source, message });
    return undefined;
  }
}

function givenInFile(
  key: OptionKey,
  file: Awaited<ReturnType<typeof readConfigFile>>,
  home: Home,
): Given | undefined {
  const entry = file.get(key);
  if (entry === undefined || entry.value === null) return undefined;
  const { value: raw, line } = entry;
  return { source: 'file', raw, place: locationOf(key, home, line), setting: key, line };
}

function mistakeIn(given: Given, of: Setting, expected: string): Mistake {
  const { source, raw, place, setting, line } = given;
  const shown = of.secret ? 'its value' : JSON.stringify(raw);
  const message = `${place}: ${shown} must be ${expected}${meantChoice(of, raw)}`;
  return { setting, source, message, ...(line !== undefined && { line }) };
}

function mistakesFound(mistakes: readonly Mistake[], home: Home): Error {
  const count = mistakes.length === 1 ? 'One setting is' : `${mistakes.length} settings are`;
  const listed = mistakes.map(({ message }) => `  - ${message}`).join('\n');
  const parts = { setting: mistakes.map(({ setting }) => setting).join(', '), mistakes };
  if (mistakes.every(({ source }) => source === 'flag')) {
    const remedy = 'Correct the flag; docs/configuration.md lists the values of each setting.';
    return wrongUsage(`${count} invalid:\n${listed}`, { ...parts, remedy });
  }
  return badConfiguration(`${count} invalid:\n${listed}`, {
    ...parts,
    remedy: `Correct the flag, the variable, or ${home.configFile}; run "${commandLine('config', 'check')}" to check again.`,
  });
}
