import { Help } from 'commander';
import {
  flaggedKeys,
  flagOf,
  optionKeys,
  options,
  variableOf,
  type OptionKey,
} from '../base/config/options.js';
import { defaultTextOf, metavarOf, type Setting } from '../base/config/setting.js';
import type { Ui } from './ui.js';

const indent = '    ';

const preface = `A setting can be given as a flag of any command, as an environment variable, or in
config.yaml in the home directory; the first of these takes precedence. A secret
may also be in a file named by the variable that ends in _FILE.`;

const usualWidth = 80;

/** `imgstore help settings`: the settings, which every command takes. */
export function showSettings(ui: Ui): void {
  const document = optionKeys.map((key) => ({
    key,
    about: options[key].about,
    flag: flaggedKeys.includes(key) ? flagOf(key) : null,
    variable: variableOf(key),
    values: metavarOf(options[key]),
    default: defaultTextOf(options[key]),
  }));
  const width = process.stdout.isTTY ? process.stdout.columns : usualWidth;
  ui.result({ document, text: settingsText(width) });
}

/** All settings with their flag, variable, and default, in lines of at most `width`. */
export function settingsText(width: number): string {
  const wrap = (text: string, by: string): string =>
    new Help()
      .boxWrap(text, width - by.length)
      .split('\n')
      .map((line) => `${by}${line}`.trimEnd())
      .join('\n');
  const entries = optionKeys.map((key) =>
    [key, wrap(options[key].about, indent), wrap(spellings(key), indent)].join('\n'),
  );
  return [wrap(preface.replaceAll('\n', ' '), ''), ...entries].join('\n\n');
}

function spellings(key: OptionKey): string {
  const setting: Setting = options[key];
  const flag = flaggedKeys.includes(key) ? [`${flagOf(key)} <${metavarOf(setting)}>`] : [];
  const file = setting.secret ? [`${variableOf(key)}_FILE`] : [];
  const names = [...flag, variableOf(key), ...file].join('  ');
  return `${names}\ndefault: ${defaultTextOf(setting)}`;
}
