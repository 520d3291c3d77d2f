import {
  readConfigText,
  hasSetting,
  replaceText,
  withSetting,
} from '../base/config/config-file.js';
import type { Home } from '../base/config/home.js';
import type { OptionKey } from '../base/config/options.js';
import { badConfiguration, failure } from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';
import { writeConfig } from './home-directories.js';

/**
 * Writes one setting into config.yaml, and keeps its comments and other settings; the file is
 * replaced atomically. @param value null removes the setting.
 */
export async function storeSetting(home: Home, key: OptionKey, value: unknown): Promise<void> {
  const before = await readConfigText(home);
  if (before === undefined) {
    await writeConfig(home, value === null ? {} : { [key]: value });
    return;
  }
  await replaceText(home.configFile, editedText(home, before, key, value)).catch(
    (cause: unknown) => {
      throw badConfiguration(`Cannot write ${home.configFile}: ${(cause as Error).message}`, {
        setting: 'config',
        remedy: 'Run the command as the owner of the file.',
        cause,
      });
    },
  );
}

/** @throws OperatorError 1 if `storeSetting` could not write the file. */
export async function requireEditable(home: Home, key: OptionKey, value: unknown): Promise<void> {
  const before = await readConfigText(home);
  if (before !== undefined) editedText(home, before, key, value);
}

function editedText({ configFile }: Home, before: string, key: OptionKey, value: unknown): string {
  const after = withSetting(before, key, value);
  if (hasSetting(after, key, value)) return after;
  throw failure(`${configFile} is written in a way that this command cannot change.`, {
    setting: key,
    remedy: `Change ${key} in ${configFile} with an editor, then run "${commandLine('config', 'check')}".`,
  });
}
