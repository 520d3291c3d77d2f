import { type Config, type OptionKey, options } from '../base/config/options.js';
import type { Settings } from '../base/config/load.js';
import { expectationOf, type Setting } from '../base/config/setting.js';
import { OperatorError } from '../base/errors/operator.js';
import type { Context } from './context.js';
import { Back, prompt, promptOrBack, type Choice, type Question } from './ask.js';

/** Values given by flag or answer. */
export type Chosen = Partial<Pick<Config, OptionKey>>;

/** What has been answered or done in an interview. */
interface Step {
  readonly value: unknown;
  /** Whether it was a question. */
  readonly asked: boolean;
}

/**
 * The way through an interview, on which one can go back: the interview begins again, and takes the
 * answers before that question from here.
 */
export class Trail {
  readonly #steps: Step[] = [];
  #at = 0;
  /** The former answer to the question that is asked again. */
  #former: unknown;

  async walk<T>(interview: () => Promise<T>): Promise<T> {
    for (;;) {
      this.#at = 0;
      try {
        return await interview();
      } catch (error) {
        if (!(error instanceof Back)) throw error;
        this.#goBack();
      }
    }
  }

  #goBack(): void {
    const last = this.#steps.findLastIndex(({ asked }) => asked);
    this.#former = this.#steps[last]?.value;
    this.#steps.length = Math.max(last, 0);
  }

  /** Whether there is a question before the one that is asked next. */
  get canGoBack(): boolean {
    return this.#steps.some(({ asked }) => asked);
  }

  /** A question. @param ask gets the former answer, after one has gone back. */
  answer<T>(ask: (former: T | undefined) => Promise<T>): Promise<T> {
    return this.#step(true, () => {
      const former = this.#former as T | undefined;
      this.#former = undefined;
      return ask(former);
    });
  }

  /** Work that is not repeated on the way to a later question. */
  once<T>(work: () => Promise<T>): Promise<T> {
    return this.#step(false, work);
  }

  async #step<T>(asked: boolean, take: () => Promise<T>): Promise<T> {
    const known = this.#steps[this.#at];
    const value = known ? (known.value as T) : await take();
    if (!known) this.#steps.push({ value, asked });
    this.#at += 1;
    return value;
  }

  /** @returns what forgets all steps from here on. */
  mark(): () => void {
    const at = this.#at;
    return () => {
      this.#steps.length = at;
      this.#at = at;
    };
  }
}

/** Asks a person questions, given the settings that are already known. */
export class Asking {
  constructor(
    readonly context: Context,
    readonly settings: Settings,
    private readonly trail: Trail,
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
    return this.#ask<T>((former) => ({ type: 'select', message, choices, default: former }));
  }

  async text(
    message: string,
    initial: string,
    validate: (text: string) => true | string | Promise<true | string>,
  ): Promise<string> {
    const text = await this.#ask<string>((former) => {
      return { type: 'input', message, default: former ?? initial, validate };
    });
    return text.trim();
  }

  /** Asks for text that is not shown; blank keeps the present value. */
  async secret(message: string, validate: (text: string) => true | string): Promise<string> {
    return (await this.#ask<string>(() => ({ type: 'password', message, validate }))).trim();
  }

  #ask<T>(questionOf: (former: T | undefined) => Question): Promise<T> {
    const { interrupted, ui } = this.context;
    return this.trail.answer<T>((former) => {
      if (!this.trail.canGoBack) return prompt<T>(questionOf(former), interrupted);
      ui.hint('Esc returns to the question before.');
      return promptOrBack<T>(questionOf(former), interrupted);
    });
  }

  /** Asks, and tries the answer; explains what is wrong with it and asks again until it works. */
  async untilItWorks<T>(
    ask: (earlier: T | undefined) => Promise<T>,
    attempt: (answer: T) => Promise<void>,
  ): Promise<T> {
    const forget = this.trail.mark();
    for (let earlier: T | undefined; ;) {
      const answer = await ask(earlier);
      try {
        await this.trail.once(() => attempt(answer));
        return answer;
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        this.context.ui.problem(error);
        earlier = answer;
        forget();
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
