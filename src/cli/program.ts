import { Command, CommanderError, type Argument, type Option } from 'commander';
import { defaultHome } from '../config/home.js';
import { version } from '../config/version.js';
import { ServiceError } from '../errors/catalogue.js';
import { ExitCode, OperatorError, wrongUsage } from '../errors/operator.js';
import type { Action } from './context.js';
import { SilentExit } from './silent-exit.js';
import { Ui } from './ui.js';

interface Named {
  readonly name: string;
  readonly description: string;
}

/** A command, and how to load what it does. */
interface Leaf extends Named {
  readonly hidden?: boolean;
  readonly arguments?: readonly Argument[];
  /** Beside those that every command has. */
  readonly options?: readonly Option[];
  readonly load: () => Promise<Action>;
}

/** Commands behind one word. */
interface Group extends Named {
  readonly commands: readonly Leaf[];
}

export type Entry = Leaf | Group;

type Loaders = Map<Command, Leaf['load']>;

function add(parent: Command, entry: Entry, loaders: Loaders): void {
  const hidden = 'hidden' in entry && entry.hidden === true;
  const command = parent.command(entry.name, { hidden }).description(entry.description);
  if ('commands' in entry) {
    for (const child of entry.commands) add(command, child, loaders);
    return;
  }
  for (const argument of entry.arguments ?? []) command.addArgument(argument);
  for (const option of entry.options ?? []) command.addOption(option);
  command
    .option('--home <dir>', `home directory (IMGSTORE_HOME; default: ${defaultHome()})`)
    .option(
      '--config <file>',
      'configuration file (IMGSTORE_CONFIG; default: config.yaml in the home directory)',
    )
    .option('--json', 'print one JSON document on stdout, errors included')
    .option('--yes', 'accept defaults and do not ask');
  loaders.set(command, entry.load);
}

/** Make Commander throw instead of exiting, so that all errors are handled in one place. */
function throwAll(command: Command, quiet: boolean): void {
  command.exitOverride();
  if (quiet) command.configureOutput({ writeErr: () => undefined });
  for (const child of command.commands) throwAll(child, quiet);
}

/** The command that the words name, `help` before them or not. */
function commandOf(program: Command, words: readonly string[]): Command {
  const childOf = (command: Command, word: string): Command =>
    command.commands.find((child) => child.name() === word) ?? command;
  return words.reduce(childOf, program);
}

/** Runs the command that `argv` names. @returns the exit code. */
export async function runProgram(entries: readonly Entry[], argv: string[]): Promise<number> {
  const json = argv.includes('--json');
  const program = new Command('imgstore')
    .description('Self-hosted image storage: an HTTP API on PostgreSQL/PostGIS and an object store')
    .version(version())
    .showHelpAfterError('(add --help for usage)');
  const loaders: Loaders = new Map();
  for (const entry of entries) add(program, entry, loaders);
  throwAll(program, json);
  try {
    const command = commandOf(program, argv.slice(2));
    const load = loaders.get(command);
    if (load) {
      // All settings are flags of it, which needs zod.
      const { setAction } = await import('./context.js');
      setAction(command, load);
    }
    await program.parseAsync(argv);
    return ExitCode.ok;
  } catch (error) {
    return failed(error, json);
  }
}

/** Tells an error. @returns its exit code. */
async function failed(error: unknown, json: boolean): Promise<number> {
  if (error instanceof SilentExit) return error.exitCode;
  if (!(error instanceof CommanderError)) return new Ui(json).fail(await explained(error));
  if (error.exitCode === 0) return ExitCode.ok;
  if (json) {
    const message = error.message.replace(/^error: /, '');
    new Ui(json).fail(wrongUsage(message, { remedy: 'imgstore --help' }));
  }
  return ExitCode.usage;
}

/** The database may fail in the middle of any command. */
async function explained(error: unknown): Promise<unknown> {
  if (error instanceof OperatorError || error instanceof ServiceError) return error;
  const { explainServer } = await import('../database/operator-errors.js');
  return explainServer(error) ?? error;
}
