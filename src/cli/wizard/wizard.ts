import { existsSync } from 'node:fs';
import type { Settings } from '../../base/config/load.js';
import { optionKeys } from '../../base/config/options.js';
import { OperatorError } from '../../base/errors/operator.js';
import type { Context } from '../context.js';
import { parseName } from '../parse-name.js';
import { askDatabase } from './ask-database.js';
import { askFiles } from './ask-files.js';
import { askHome } from './ask-home.js';
import { askReach } from './ask-reach.js';
import { Asking, type Chosen } from './asking.js';

export interface AnsweredSettings extends Settings {
  /** Values given by flag or answer. */
  readonly chosen: Chosen;
}

/** Whether there is a person to ask and anything to ask: a home with a config.yaml is set up. */
const asks = ({ ui, yes, home }: Context): boolean =>
  ui.interactive && !yes && !existsSync(home.configFile);

/** Asks where everything goes, unless a flag or variable names it. */
export const chooseHome = async (context: Context): Promise<Context> =>
  asks(context) && !context.homeGiven ? askHome(context) : context;

/** Asks for what flags, environment, and file leave open; each answer is tried at once. */
export async function chooseSettings(context: Context): Promise<AnsweredSettings> {
  const settings = await context.settings('nothing');
  const { values, sources } = settings;
  const flags = Object.fromEntries(
    optionKeys.filter((key) => sources[key] === 'flag').map((key) => [key, values[key]]),
  ) as Chosen;
  if (!asks(context)) return { ...settings, chosen: flags };
  const asking = new Asking(context, settings);
  const answers = {
    ...(await askReach(asking)),
    ...(await askFiles(asking)),
    ...(await askDatabase(asking)),
  };
  return { ...settings, values: asking.with(answers), chosen: { ...flags, ...answers } };
}

/** @returns undefined if none is wanted yet. */
export async function chooseFirstPlatform(context: Context): Promise<string | undefined> {
  if (!asks(context)) return undefined;
  const asking = new Asking(context, await context.settings('nothing'));
  const message = 'Name of the first platform, your client application (Enter: none yet):';
  const name = await asking.text(message, '', (text) => {
    if (text.trim() === '') return true;
    try {
      parseName('The name', text);
      return true;
    } catch (error) {
      if (error instanceof OperatorError) return error.message;
      throw error;
    }
  });
  return name || undefined;
}
