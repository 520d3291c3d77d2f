import { stringify } from 'yaml';
import type { Config, OptionKey } from './options.js';
import { flaggedKeys, flagOf, optionKeys, options, variableOf } from './options.js';

const head = `# Settings of imgstore. Flags override environment variables, which override this file.\n# "imgstore config show" shows the effective values, "imgstore config check" checks for mistakes.\n`;

/** A config.yaml with the chosen values and every other setting commented out with its default. */
export function configTemplate(chosen: Partial<Pick<Config, OptionKey>>): string {
  const entries = optionKeys.map((key) => {
    const { about, fallback } = options[key];
    const value = chosen[key];
    // A default that depends on this machine should not be copied to another one.
    const example = value ?? (typeof fallback === 'function' ? undefined : fallback);
    const yaml = `${key}: ${example === undefined ? '' : stringify(example, { collectionStyle: 'flow' }).trim()}`;
    const names = [...(flaggedKeys.includes(key) ? [flagOf(key)] : []), variableOf(key)];
    return `# ${about} (${names.join(', ')})\n${value === undefined ? '# ' : ''}${yaml.trim()}\n`;
  });
  return [head, ...entries].join('\n');
}
