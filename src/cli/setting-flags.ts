import { Option, type Command } from 'commander';
import { flaggedKeys, flagOf, options, type OptionKey } from '../base/config/options.js';
import { metavarOf } from '../base/config/setting.js';
import { commandLine } from '../base/os/command-line.js';

/** The option of a setting, with the description of the setting. */
const optionOf = (key: OptionKey): Option =>
  new Option(`${flagOf(key)} <${metavarOf(options[key])}>`, options[key].about);

/** Gives a command the flags of all settings. @param shown the ones that its help lists. */
export function addSettingFlags(command: Command, shown: readonly OptionKey[]): void {
  const heading = `Settings (all of them: ${commandLine('help', 'settings')}):`;
  for (const key of shown) command.addOption(optionOf(key).helpGroup(heading));
  for (const key of flaggedKeys) {
    if (!shown.includes(key)) command.addOption(optionOf(key).hideHelp());
  }
}

/** The values of these flags, by key. */
export function givenSettings(
  parsed: Readonly<Record<string, unknown>>,
): Partial<Record<OptionKey, string>> {
  return Object.fromEntries(
    flaggedKeys.flatMap((key) => {
      const value = parsed[optionOf(key).attributeName()];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** These values as command-line arguments. */
export const flagWords = (given: Partial<Record<OptionKey, string>>): string[] =>
  flaggedKeys.flatMap((key) => (given[key] === undefined ? [] : [`${flagOf(key)}=${given[key]}`]));
