import type { Argument, Option } from 'commander';
import type { OptionKey } from '../base/config/options.js';
import type { Action } from './context.js';

interface Named {
  readonly name: string;
  /** The text beside the command in lists of commands. */
  readonly description: string;
}

/** A command, and how to load what it does. */
export interface Leaf extends Named {
  readonly hidden?: boolean;
  readonly arguments?: readonly Argument[];
  /** In addition to those of every command. */
  readonly options?: readonly Option[];
  /** Settings that its help lists; every command takes the flags of all. */
  readonly settings?: readonly OptionKey[];
  /** Whether it may prompt, so that its help lists `--yes`; every command takes it. */
  readonly asks?: boolean;
  /**
   * Words that a shell offers for an argument, by its name, or for an option, by its flag. They are
   * loaded only to be written into the shell's script: pressing Tab starts no process.
   */
  readonly offers?: Readonly<Record<string, () => Promise<readonly string[]>>>;
  /** Words to type after the name of the program. */
  readonly examples?: readonly string[];
  readonly load: () => Promise<Action>;
  /** Subcommands that its first word may name instead of an argument. */
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
