import type { Argument, Command, Option } from 'commander';
import type { OptionKey } from '../base/config/options.js';
import type { Context } from './context.js';

/**
 * What a command does; `options` are its own, and its arguments, by name. What it needs of the other
 * rooms is imported when it runs, since its file is also loaded for its help.
 * @param everything loads all commands, for the one that describes them to a shell.
 */
type Action = (
  context: Context,
  options: never,
  everything: () => Promise<Program>,
) => Promise<void>;

/** What the file of a command exports as `command`; a group of commands has no `run`. */
export interface CommandDetails {
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
  readonly run?: Action;
  /** What replaces it, for an older spelling, which one minor version still understands. */
  readonly replacedBy?: string;
  /** Subcommands that its first word may name instead of an argument. */
  readonly commands?: readonly DescribedCommand[];
}

/** The argument of a command on one thing. */
export interface ById {
  readonly id: string;
}

interface Named {
  readonly name: string;
  /** The text beside the command in lists of commands. */
  readonly description: string;
  readonly hidden?: boolean;
}

/** A command with its name and details. */
export interface DescribedCommand extends Named, CommandDetails {}

/** A command that does something. */
export type RunnableCommand = DescribedCommand & Required<Pick<DescribedCommand, 'run'>>;

/** A command of the top level, whose details are loaded when it is used. */
export interface ListedCommand extends Named {
  /** Its arguments, as lists of commands show them. */
  readonly usage?: string;
  readonly load: () => Promise<{ readonly command: CommandDetails }>;
}

/** Commands under a heading of `--help`. */
export interface Chapter {
  readonly heading: string;
  readonly commands: readonly ListedCommand[];
}

/** Commander's commands, of which those at the top are known, and others once they are loaded. */
export interface Program {
  readonly program: Command;
  /** What each loaded command does. */
  readonly leaves: ReadonlyMap<Command, RunnableCommand>;
  /** Loads a command of the top level, with its subcommands, unless it is loaded already. */
  readonly load: (command: Command) => Promise<void>;
}
