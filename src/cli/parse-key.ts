import { didYouMean } from '../base/text.js';
import { optionKeys, type OptionKey } from '../base/config/options.js';
import { wrongUsage } from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';

/** The key of a setting, as an argument. */
export function parseKey(word: string): OptionKey {
  const key = optionKeys.find((one) => one === word);
  if (key) return key;
  throw wrongUsage(`There is no setting ${word}${didYouMean(word, optionKeys) || '.'}`, {
    setting: word,
    remedy: `${commandLine('config', 'show')} lists all settings.`,
  });
}
