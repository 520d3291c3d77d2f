import { Command, CommanderError, Option, type Argument } from 'commander';
import { didYouMean } from '../base/text.js';
import { version } from '../base/installed-files.js';
import { ServiceError } from '../base/errors/catalogue.js';
import { ExitCode, OperatorError, wrongUsage } from '../base/errors/operator.js';
import { commandLine, programName } from '../base/os/command-line.js';
import { beginning } from './beginning.js';
import type { CommonFlags } from './context.js';
import type { Chapter, Entry, Leaf } from './entry.js';
import { SilentExit } from './silent-exit.js';
import { meantCommand, meantWord } from './typing-mistake.js';
import { Ui } from './ui.js';

/** Flags of every command, which may also precede its name. */
function addCommonFlags(command: Command, heading: string, asks = false): void {
  const options = [
    new Option('--home <dir>', 'Home directory (IMGSTORE_HOME)'),
    new Option('--config <file>', 'Configuration file (IMGSTORE_CONFIG)'),
    new Option('--json', 'Print one JSON document on stdout, errors included'),
    new Option('--yes', 'Accept defaults and do not ask').hideHelp(!asks),
  ];
  for (const option of options) command.addOption(option.helpGroup(heading));
  command.addHelpOption(new Option('-h, --help', 'Show this help').helpGroup(heading));
}

const everyCommand = 'Every command:';

type Leaves = Map<Command, Leaf>;

/** For help only: to learn the program's name, the folders of PATH are searched. */
const examplesOf = ({ examples = [] }: Leaf): string =>
  `\nExamples:${examples.map((words) => `\n  ${programName()} ${words}`).join('')}`;

function add(parent: Command, entry: Entry, leaves: Leaves): Command {
  const hidden = 'hidden' in entry && entry.hidden === true;
  const command = parent.command(entry.name, { hidden }).description(entry.description);
  for (const child of entry.commands ?? []) add(command, child, leaves);
  if (entry.commands) command.enablePositionalOptions();
  if (!entry.load) {
    addCommonFlags(command, everyCommand);
    return command.helpCommand('help [command]', 'Show help for one of these');
  }
  for (const argument of entry.arguments ?? []) command.addArgument(argument);
  for (const option of entry.options ?? []) command.addOption(option);
  if (entry.examples) command.addHelpText('after', () => examplesOf(entry));
  leaves.set(command, entry);
  return command;
}

/** Applies `work` to a command and to all of its subcommands. */
function throughout(command: Command, work: (command: Command) => void): void {
  work(command);
  for (const child of command.commands) throughout(child, work);
}

/** A command in lists of commands, without the `[options]` that every one has. */
const subcommandTerm = (command: Command): string =>
  [command.name(), ...command.registeredArguments.map(humanReadable)].join(' ');

const humanReadable = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

/** Commander's commands, and what each of them does. */
export function buildProgram(chapters: readonly Chapter[]): { program: Command; leaves: Leaves } {
  const program = new Command(programName())
    .description('Self-hosted image storage: an HTTP API on PostgreSQL/PostGIS and an object store')
    .configureHelp({ minWidthToWrap: 20, subcommandTerm })
    .configureOutput({ outputError: () => undefined }) // failed() prints it
    .showSuggestionAfterError(false) // refuse() knows more words
    .enablePositionalOptions()
    .version(version(), '-V')
    .version(version(), '-v, --version', 'Print the version');
  program.options[0]?.hideHelp(); // an older spelling
  addCommonFlags(program, 'Options:');
  const leaves: Leaves = new Map();
  for (const { heading, entries } of chapters) {
    for (const entry of entries) add(program, entry, leaves).helpGroup(heading);
  }
  const help = new Command('help').argument('[command]');
  help.description('Show help; "help settings" lists all settings');
  program.addHelpCommand(help.helpGroup(chapters.at(-1)?.heading ?? ''));
  const usual = program.helpInformation.bind(program);
  program.helpInformation = (asked) => (asked?.error ? beginning(program) : usual(asked));
  throughout(program, (command) => void command.exitOverride((error) => refuse(command, error)));
  return { program, leaves };
}

/** Throws instead of exiting, so that all errors are handled in one place. */
function refuse(command: Command, error: CommanderError): never {
  const meant = error.exitCode === 0 ? undefined : meantWord(command, error);
  const hint = meant === undefined ? hintAt(command, error) : `Did you mean ${meant}?`;
  if (hint === undefined) throw error;
  throw new CommanderError(error.exitCode, error.code, `${error.message}\n(${hint})`);
}

const hintAt = ({ commands }: Command, { code }: CommanderError): string | undefined =>
  code === 'commander.unknownOption' && commands.length > 0
    ? "A command's own options and settings come after its name."
    : undefined;

/** @throws OperatorError (2) for a directory that is more likely a mistyped command. */
function refuseMistyped(command: Command, given: unknown): void {
  const meant = meantCommand(command, given);
  if (meant === undefined) return;
  throw wrongUsage(`There is no command "${String(given)}"; did you mean ${meant}?`, {
    remedy: `For a directory of that name: ./${String(given)}`,
  });
}

/** Flags of a command and of its parents, in command-line order. */
function flagsOf(command: Command): CommonFlags {
  const above = command.parent ? flagsOf(command.parent) : {};
  return { ...above, ...command.opts<CommonFlags>() };
}

/**
 * Completes a command that is about to be parsed. The flags of all settings need zod; help alone
 * adds them only if it lists any.
 */
export async function complete(command: Command, leaf: Leaf, helpOnly: boolean): Promise<void> {
  command.action(async (...given: unknown[]) => {
    refuseMistyped(command, given[0]);
    const { contextOf } = await import('./context.js');
    const { runAsOwner } = await import('./run-as-owner.js');
    const parsed = flagsOf(command);
    const context = contextOf(parsed);
    const owner = await runAsOwner(context.home);
    if (owner !== undefined) {
      context.ui.progress(`Running as the owner of ${context.home.dir} (uid ${owner})`);
    }
    const action = await leaf.load();
    context.interrupted.throwIfAborted();
    await action(context, parsed as never, given.slice(0, -2) as string[]);
  });
  if (leaf.settings || !helpOnly) {
    const { addSettingFlags } = await import('./setting-flags.js');
    addSettingFlags(command, leaf.settings ?? []);
  }
  addCommonFlags(command, everyCommand, leaf.asks);
}

/** All help topics, as they are typed. */
const topicsOf = (command: Command, above: readonly string[] = []): string[] =>
  command.commands.flatMap((child) => {
    const words = [...above, child.name()];
    return [words.join(' '), ...topicsOf(child, words)];
  });

/** `help COMMAND` is `COMMAND --help`. @throws OperatorError (2) for a topic that does not exist. */
function withoutHelpWord(program: Command, [first, ...topic]: readonly string[]): string[] {
  if (first !== 'help') return first === undefined ? [] : [first, ...topic];
  const words = topic.filter((word) => !word.startsWith('-'));
  const childOf = (command: Command | undefined, word: string): Command | undefined =>
    command?.commands.find((child) => child.name() === word);
  if (words.reduce<Command | undefined>(childOf, program)) return [...words, '--help'];
  const known = topicsOf(program);
  throw wrongUsage(
    `There is no command "${words.join(' ')}"${didYouMean(words.join(' '), known) || '.'}`,
    { remedy: commandLine('--help') },
  );
}

/** Runs the command that the words name. @returns the exit code. */
export async function runProgram(
  chapters: readonly Chapter[],
  words: readonly string[],
): Promise<number> {
  const json = words.includes('--json');
  const helpOnly = words.some((word) => word === '--help' || word === '-h');
  try {
    if (words[0] === 'help' && words[1] === 'settings') {
      const { showSettings } = await import('./commands/help-settings.js');
      showSettings(new Ui(json));
      return ExitCode.ok;
    }
    const { program, leaves } = buildProgram(chapters);
    throughout(program, (command) => {
      if (json) command.configureOutput({ writeErr: () => undefined });
      command.hook('preSubcommand', async (_above, child) => {
        const leaf = leaves.get(child);
        if (leaf) await complete(child, leaf, helpOnly);
      });
    });
    await program.parseAsync(withoutHelpWord(program, words), { from: 'user' });
    return ExitCode.ok;
  } catch (error) {
    return failed(error, json);
  }
}

/** Reports an error. @returns its exit code. @throws if a file is missing: bin/imgstore explains it. */
async function failed(error: unknown, json: boolean): Promise<number> {
  if (error instanceof SilentExit) return error.exitCode;
  if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
    throw error;
  }
  if (!(error instanceof CommanderError)) return new Ui(json).fail(await explained(error));
  if (error.exitCode === 0) return ExitCode.ok;
  const commandMissing = error.code === 'commander.help'; // it has printed the help
  if (json) {
    const message = commandMissing
      ? 'A command is missing.'
      : error.message.replace(/^error: /, '');
    new Ui(json).fail(wrongUsage(message, { remedy: commandLine('--help') }));
  } else if (!commandMissing) {
    new Ui(json).misuse(error.message);
  }
  return ExitCode.usage;
}

/** Explains failures of the database, which may happen in the middle of any command. */
async function explained(error: unknown): Promise<unknown> {
  if (error instanceof OperatorError || error instanceof ServiceError) return error;
  const { explainServer } = await import('../database/connection-error.js');
  return explainServer(error) ?? error;
}
