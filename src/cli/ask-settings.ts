import type { Settings } from '../config/load.js';
import type { Config, OptionKey } from '../config/options.js';
import { optionKeys, options } from '../config/options.js';
import { expectationOf, type Setting } from '../config/setting.js';
import type { Context } from './context.js';
import { prompt } from './prompt.js';

export interface AnsweredSettings extends Settings {
  /** Values given by flag or answer. */
  readonly chosen: Partial<Pick<Config, OptionKey>>;
}

/**
 * Asks for the settings marked `asked` that flags, environment, and file leave open. Only on a
 * terminal and without `--yes`; an existing config.yaml counts as answered.
 */
export async function askForOptions(
  context: Context,
  settings: Settings,
): Promise<AnsweredSettings> {
  const values: Partial<Record<OptionKey, unknown>> = { ...settings.values };
  const chosen: Partial<Record<OptionKey, unknown>> = {};
  for (const key of optionKeys) {
    if (settings.sources[key] === 'flag') chosen[key] = values[key];
  }
  const file = Object.values(settings.sources).includes('file');
  if (context.ui.interactive && !context.yes && !file) {
    for (const key of optionKeys) {
      const setting: Setting = options[key];
      if (!isApplicable(setting, values) || settings.sources[key] !== 'default') continue;
      const current = settings.values[key] as string | number | undefined;
      const answer = await ask(setting, current, context.interrupted);
      if (answer !== undefined) chosen[key] = values[key] = answer;
    }
  }
  return { ...settings, values: values as Config, chosen: chosen as Partial<Config> };
}

/** Whether to ask for a setting, given what is known so far. */
function isApplicable({ asked }: Setting, known: Readonly<Record<string, unknown>>): boolean {
  if (typeof asked !== 'string') return asked === true;
  const value = known[asked];
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** @returns undefined when the default was accepted. */
async function ask(
  setting: Setting,
  current: string | number | undefined,
  interrupted: AbortSignal,
): Promise<unknown> {
  const answer = await prompt<string>(
    {
      type: setting.flagless ? 'password' : 'input',
      message: `${setting.about}:`,
      default: current === undefined ? '' : String(current),
      validate: (text) => check(setting, text),
    },
    interrupted,
  );
  const taken = answer.trim();
  return taken === '' || taken === String(current) ? undefined : setting.schema.parse(taken);
}

function check(setting: Setting, text: string): true | string {
  if (text.trim() === '') return true;
  const read = setting.schema.safeParse(text);
  return read.success || `This must be ${expectationOf(read.error)}.`;
}
