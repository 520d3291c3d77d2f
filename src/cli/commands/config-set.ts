import { text as readAll } from 'node:stream/consumers';
import { options, variableOf, type OptionKey } from '../../base/config/options.js';
import { expectationOf, meantChoice, metavarOf, type Setting } from '../../base/config/setting.js';
import { wrongUsage } from '../../base/errors/operator.js';
import { storeSetting } from '../../ops/home.js';
import { commandLine } from '../../base/os/command-line.js';
import { readLock } from '../../base/os/process-lock.js';
import { parseKey } from '../parse-key.js';
import { prompt } from '../prompt.js';
import type { Context } from '../context.js';

/** Writes one setting into config.yaml, whose comments and other settings stay as they are. */
export async function setConfig(
  context: Context,
  _options: object,
  [word = '', given]: string[],
): Promise<void> {
  const { home, ui } = context;
  const key = parseKey(word);
  const value = parse(key, await valueFor(context, key, given));
  await context.checkHome('settings');
  await storeSetting(home, key, value);
  const shown = options[key].secret ? '(secret)' : String(value);
  const running = await readLock(home.serveLock);
  const text = [`${key} is now ${shown} in ${home.configFile}.`, ...remarks(key, running?.pid)];
  const document = { key, value: options[key].secret ? null : value, file: home.configFile };
  ui.result({ document: { ...document, restart: running !== undefined }, text: text.join('\n') });
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
  if (!ui.interactive) return (await readAll(process.stdin)).trim();
  const type = options[key].secret ? 'password' : 'input';
  return prompt<string>({ type, message: `${about}:` }, interrupted);
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
