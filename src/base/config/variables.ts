import { didYouMean } from './closest.js';
import type { OptionKey } from './options.js';
import { optionKeys, options, variableOf } from './options.js';
import type { Setting } from './setting.js';

/** The variable with the path of a file that contains a secret; undefined for other settings. */
export function fileVariableOf(key: OptionKey): string | undefined {
  const { secret }: Setting = options[key];
  return secret ? `${variableOf(key)}_FILE` : undefined;
}

/** Every variable that imgstore reads. */
const known: readonly string[] = [
  'IMGSTORE_HOME',
  'IMGSTORE_CONFIG',
  'IMGSTORE_MASTER_KEY_FILE',
  'IMGSTORE_PROGRAM',
  ...optionKeys.flatMap((key) => [variableOf(key), fileVariableOf(key) ?? []].flat()),
];

/** Those that the tests and scripts of the repository read. */
const ofDevelopment = /^IMGSTORE_(TEST|RENEW|PACKAGE)_/;

/** One sentence for each variable that looks like a setting of imgstore but is none. */
export const unknownVariables = (env: NodeJS.ProcessEnv): string[] =>
  Object.keys(env)
    .filter((name) => /^IMGSTORE_/i.test(name))
    .filter((name) => !known.includes(name) && !ofDevelopment.test(name))
    .sort()
    .map((name) => `The environment variable ${name} is not used${didYouMean(name, known)}`)
    .map((sentence) => (sentence.endsWith('?') ? sentence : `${sentence}.`));
