import { type Config, type OptionKey, options } from '../base/config/options.js';
import type { Settings } from '../base/config/load.js';
import { expectationOf, type Setting } from '../base/config/setting.js';
import { OperatorError } from '../base/errors/operator.js';
import type { Context } from './context.js';
import { prompt, type Choice } from './ask.js';

/** Values given by flag or answer. */
export type Chosen = Partial<Pick<Config, OptionKey>>;

/** Asks a person questions, given the settings that are already known. */
export class Asking {
  constructor(
    readonly context: Context,
    readonly settings: Settings,
  ) {}

  /** Whether neither a flag, the environment, nor the file sets a setting. */
  isOpen(key: OptionKey): boolean {
    return this.settings.sources[key] === 'default';
  }

  /** The settings with these answers. */
  with(chosen: Chosen): Config {
    return { ...this.settings.values, ...chosen };
  }

  /** Asks for one of several answers; the first one is the default. */
  choose<T>(message: string, choices: readonly Choice<T>[]): Promise<T> {
    return prompt<T>({ type: 'select', message, choices }, this.context.interrupted);
  }

  async text(
    message: string,
    initial: string,
    validate: (text: string) => true | string | Promise<true | string>,
  ): Promise<string> {
    const question = { type: 'input', message, default: initial, validate } as const;
    return (await prompt<string>(question, this.context.interrupted)).trim();
  }

  /** Asks for text that is not shown; blank keeps the present value. */
  async secret(message: string, validate: (text: string) => true | string): Promise<string> {
    const question = { type: 'password', message, validate } as const;
    return (await prompt<string>(question, this.context.interrupted)).trim();
  }

  /** Asks, and tries the answer; explains what is wrong with it and asks again until it works. */
  async untilItWorks<T>(
    ask: (earlier: T | undefined) => Promise<T>,
    attempt: (answer: T) => Promise<void>,
  ): Promise<T> {
    for (let earlier: T | undefined; ;) {
      const answer = await ask(earlier);
      try {
        await attempt(answer);
        return answer;
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        this.context.ui.problem(error);
        earlier = answer;
      }
    }
  }
}

/** What is wrong with the text of a setting, before it is tried. */
export const check =
  (key: OptionKey) =>
  (text: string): true | string => {
    const { schema }: Setting = options[key];
    const read = schema.safeParse(text);
    return read.success || `This must be ${expectationOf(read.error)}.`;
  };

/** The value of a text that `check` has accepted. */
export const parsed = (key: OptionKey, text: string): Chosen => {
  const { schema }: Setting = options[key];
  return { [key]: schema.parse(text) };
};
