import { text as readAll } from 'node:stream/consumers';
import { Argument } from 'commander';
import { didYouMean } from '../../base/text.js';
import type { Settings } from '../../base/config/load.js';
import {
  knownKeys,
  optionKeys,
  options,
  variableOf,
  type OptionKey,
} from '../../base/config/options.js';
import {
  shownOf,
  expectationOf,
  meantChoice,
  metavarOf,
  noticesOf,
  type Setting,
} from '../../base/config/setting.js';
import { ExitCode, OperatorError, wrongUsage } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { readLock } from '../../base/os/process-lock.js';
import { providerSettings } from '../../http/auth/oidc-settings.js';
import { bucketConfigOf, namesS3 } from '../../store/s3/settings.js';
import { prompt } from '../ask.js';
import type { CommandDetails } from '../command.js';
import type { Context } from '../context.js';

const settingKeys = async (): Promise<readonly string[]> => optionKeys;

export const command: CommandDetails = {
  commands: [
    {
      name: 'show',
      description: 'Show effective settings and where each value comes from',
      examples: ['config show', 'config show --json'],
      run: showConfig,
    },
    {
      name: 'check',
      description: 'Check flags, environment, and file for mistakes',
      examples: ['config check', 'config check --config /etc/imgstore/config.yaml'],
      run: checkConfig,
    },
    {
      name: 'get',
      description: 'Print the effective value of one setting, even of a secret',
      arguments: [new Argument('<key>', 'Such as port or log.level')],
      offers: { key: settingKeys },
      examples: ['config get public_url'],
      run: getConfig,
    },
    {
      name: 'set',
      description: 'Write one setting to config.yaml; comments stay as they are',
      arguments: [
        new Argument('<key>', 'Such as port or log.level'),
        new Argument('[value]', 'Prompted for, or read from stdin, if omitted'),
      ],
      offers: { key: settingKeys },
      examples: ['config set log.level warn', 'config set s3.secret_key'],
      run: setConfig,
    },
    {
      name: 'path',
      description: 'Print the path of config.yaml',
      examples: ['config path'],
      run: printConfigPath,
    },
  ],
};

/** The key of a setting, as an argument. */
function parseKey(word: string): OptionKey {
  const key = knownKeys.find((one) => one === word);
  if (key) return key;
  throw wrongUsage(`There is no setting ${word}${didYouMean(word, optionKeys) || '.'}`, {
    setting: word,
    remedy: `${commandLine('config', 'show')} lists all settings.`,
  });
}

/** Writes one setting into config.yaml, whose comments and other settings stay as they are. */
async function setConfig(
  context: Context,
  { key: word, value: given }: { key: string; value?: string },
): Promise<void> {
  const { storeSetting } = await import('../../ops/home.js');
  const { home, ui } = context;
  const key = parseKey(word);
  const value = parse(key, await valueFor(context, key, given));
  await context.checkHome('settings');
  if (askedOfDatabase.includes(key)) await tryOnDatabase(context, key, value);
  await storeSetting(home, key, value);
  noticesOf(options[key], key).forEach((sentence) => ui.warn(sentence));
  const shown = options[key].secret ? '(secret)' : String(value);
  const running = await readLock(home.serveLock);
  const text = [`${key} is now ${shown} in ${home.configFile}.`, ...remarks(key, running?.pid)];
  const document = { key, value: options[key].secret ? null : value, file: home.configFile };
  ui.result({ document: { ...document, restart: running !== undefined }, text: text.join('\n') });
}

/** Settings that the database must understand. */
const askedOfDatabase: readonly OptionKey[] = ['timezone', 'database.url'];

/**
 * Opens the database with a new value. One that does not answer leaves the question open.
 * @throws OperatorError (78) if the value would keep the service from starting.
 */
async function tryOnDatabase(context: Context, key: OptionKey, value: unknown): Promise<void> {
  const { connectDatabase } = await import('../open.js');
  try {
    const { values } = await context.settings('settings');
    const { close } = await connectDatabase(context, { ...values, [key]: value });
    await close();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    if (error.exitCode === ExitCode.badConfiguration && error.setting === key) throw error;
    context.ui.warn(`Whether the database understands ${key} is not known: ${error.message}`);
  }
}

function remarks(key: OptionKey, pid: number | undefined): string[] {
  const variable = variableOf(key);
  return [
    ...(process.env[variable] ? [`The environment variable ${variable} overrides it.`] : []),
    ...(pid === undefined ? [] : [`It applies once the service (process ${pid}) is restarted.`]),
  ];
}

/** Other users of the machine can read arguments, so a secret is typed or piped in. */
async function valueFor(
  { ui, interrupted }: Context,
  key: OptionKey,
  given: string | undefined,
): Promise<string> {
  const { flagless, about }: Setting = options[key];
  if (given !== undefined && flagless) {
    throw wrongUsage(`${key} is a secret, which other users could read from the command line.`, {
      setting: key,
      remedy: `Omit the value and type it, or pipe it in: ${commandLine('config', 'set', key)} < FILE`,
    });
  }
  if (given !== undefined) return given;
  if (!ui.interactive) return pipedValue(key);
  const type = options[key].secret ? 'password' : 'input';
  return prompt<string>({ type, message: `${about}:` }, interrupted);
}

/** @throws OperatorError 2 if nothing is piped in. */
async function pipedValue(key: OptionKey): Promise<string> {
  const piped = process.stdin.isTTY ? '' : (await readAll(process.stdin)).trim();
  if (piped !== '') return piped;
  const setting: Setting = options[key];
  const call = commandLine('config', 'set', key);
  throw wrongUsage(
    `The value of ${key} (${metavarOf(setting)}) is missing: it is neither in the command nor on stdin.`,
    { setting: key, remedy: setting.flagless ? `${call} < FILE` : `${call} VALUE` },
  );
}

/** The value in the form that the file uses. */
function parse(key: OptionKey, given: string): unknown {
  const setting: Setting = options[key];
  const read = setting.schema.safeParse(given);
  // A duration stays as it was typed: 48h and 2d are the same.
  if (read.success) return metavarOf(setting) === 'duration' ? given.trim() : read.data;
  const shown = setting.secret ? 'its value' : JSON.stringify(given);
  const end = meantChoice(setting, given) || '.';
  throw wrongUsage(`${key}: ${shown} must be ${expectationOf(read.error)}${end}`, { setting: key });
}

const shown = ({ values, sources, written }: Settings) =>
  optionKeys.map((key) => {
    const value = shownOf(options[key], values[key], written[key]);
    const hidden = options[key].secret && sources[key] !== 'default';
    return { key, value: hidden ? '(secret)' : (value ?? null), source: sources[key] };
  });

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '');
}

const line = ({ key, value, source }: ReturnType<typeof shown>[number]): string =>
  `${key.padEnd(34)} ${(textOf(value) || '-').padEnd(28)} ${source}`;

async function showConfig(context: Context): Promise<void> {
  const entries = shown(await context.settings('settings'));
  const document = Object.fromEntries(
    entries.map(({ key, value, source }) => [key, { value, source }]),
  );
  context.ui.result({ document, text: entries.map(line).join('\n') });
}

/** Unlike `show`, this prints secrets, since the setting is requested by name. */
async function getConfig(context: Context, { key: word }: { key: string }): Promise<void> {
  const key = parseKey(word);
  const { values, sources, written } = await context.settings('settings');
  const value = shownOf(options[key], values[key], written[key]) ?? null;
  context.ui.result({ document: { key, value, source: sources[key] }, text: textOf(value) });
}

async function printConfigPath(context: Context): Promise<void> {
  const { configFile } = context.home;
  await context.checkHome('settings');
  context.ui.result({ document: { file: configFile }, text: configFile });
}

async function checkConfig(context: Context): Promise<void> {
  const { values } = await context.settings('settings');
  if (namesS3(values)) bucketConfigOf(values);
  providerSettings(values);
  const document = { ok: true, file: context.home.configFile };
  context.ui.result({ document, text: 'The configuration is valid.' });
}
