import { text as readAll } from 'node:stream/consumers';
import { readConfigText } from '../../config/config-file.js';
import { hasSetting, replaceText, withSetting } from '../../config/edit-file.js';
import { options, variableOf } from '../../config/options.js';
import type { OptionKey } from '../../config/options.js';
import { expectationOf, metavarOf, type Setting } from '../../config/setting.js';
import { badConfiguration, failure, wrongUsage } from '../../errors/operator.js';
import { writeConfig } from '../../operations/home-directories.js';
import { commandLine } from '../../os/command-line.js';
import { readLock } from '../../os/process-lock.js';
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
  const before = await readConfigText(home);
  if (before === undefined) await writeConfig(home, { [key]: value });
  else {
    const after = withSetting(before, key, value);
    if (!hasSetting(after, key, value)) throw cannotEdit(home.configFile, key);
    await replaceText(home.configFile, after).catch((cause: unknown) => {
      throw badConfiguration(`Cannot write ${home.configFile}: ${(cause as Error).message}`, {
        setting: 'config',
        remedy: 'Run the command as the owner of the file.',
        cause,
      });
    });
  }
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

/** Arguments can be read by other users of the machine, so a secret is typed or piped in. */
async function valueFor(
  { ui, interrupted }: Context,
  key: OptionKey,
  given: string | undefined,
): Promise<string> {
  const { flagless, about }: Setting = options[key];
  if (given !== undefined && flagless) {
    throw wrongUsage(`${key} is a secret, which other users could read from the command line.`, {
      setting: key,
      remedy: `Leave the value out and type it, or pipe it in: ${commandLine('config', 'set', key)} < FILE`,
    });
  }
  if (given !== undefined) return given;
  if (!ui.interactive) return (await readAll(process.stdin)).trim();
  const type = options[key].secret ? 'password' : 'input';
  return prompt<string>({ type, message: `${about}:` }, interrupted);
}

/** The value in the form in which the file has it. */
function parse(key: OptionKey, given: string): unknown {
  const setting: Setting = options[key];
  const read = setting.schema.safeParse(given);
  // A duration as it was typed: 48h and 2d are the same.
  if (read.success) return metavarOf(setting) === 'duration' ? given.trim() : read.data;
  const shown = setting.secret ? 'its value' : JSON.stringify(given);
  throw wrongUsage(`${key}: ${shown} must be ${expectationOf(read.error)}.`, { setting: key });
}

const cannotEdit = (file: string, key: OptionKey) =>
  failure(`${file} is written in a way that this command cannot change.`, {
    setting: key,
    remedy: `Change ${key} in ${file} with an editor, then run "${commandLine('config', 'check')}".`,
  });
