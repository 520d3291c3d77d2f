import type { Argument, Option } from 'commander';
import type { OptionKey } from '../config/options.js';
import type { Action } from './context.js';

interface Named {
  readonly name: string;
  /** Completes the line of the command in the lists of commands. */
  readonly description: string;
}

/** A command, and how to load what it does. */
export interface Leaf extends Named {
  readonly hidden?: boolean;
  readonly arguments?: readonly Argument[];
  /** Beside those that every command has. */
  readonly options?: readonly Option[];
  /** Settings that its help lists; every command takes the flags of all. */
  readonly settings?: readonly OptionKey[];
  /** Whether it may ask, so that its help lists `--yes`; every command takes it. */
  readonly asks?: boolean;
  /**
   * Words that a shell offers for an argument, by its name, or for an option, by its flag. Loaded for
   * that alone, and written into the shell's script: no process is started when Tab is pressed.
   */
  readonly offers?: Readonly<Record<string, () => Promise<readonly string[]>>>;
  /** Words to type after the name of the program. */
  readonly examples?: readonly string[];
  readonly load: () => Promise<Action>;
  /** Commands that its first word may name in place of an argument. */
  readonly commands?: readonly Leaf[];
}

/** Commands behind one word. */
interface Group extends Named {
  readonly commands: readonly Leaf[];
  readonly load?: never;
}

export type Entry = Leaf | Group;

/** Entries under a heading of `--help`. */
export interface Chapter {
  readonly heading: string;
  readonly entries: readonly Entry[];
}
