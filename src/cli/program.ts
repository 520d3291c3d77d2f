import { Command, CommanderError, Option, type Argument } from 'commander';
import { closest } from '../base/text.js';
import { version } from '../base/installed-files.js';
import { programName } from '../base/os/command-line.js';
import type {
  Chapter,
  DescribedCommand,
  ListedCommand,
  Program,
  RunnableCommand,
} from './command.js';

/** Commander's commands; those at the top are loaded when they are used. */
export function buildProgram(chapters: readonly Chapter[]): Program {
  const leaves = new Map<Command, RunnableCommand>();
  const listed = new Map<Command, ListedCommand>();
  const loaded = new Set<Command>();
  /** A command in lists of commands, without the `[options]` that every one has. */
  const subcommandTerm = (command: Command): string => {
    const usage = listed.get(command)?.usage;
    return [
      command.name(),
      ...(usage ? [usage] : command.registeredArguments.map(humanReadable)),
    ].join(' ');
  };
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
  for (const { heading, commands } of chapters) {
    for (const entry of commands) {
      const { name, description, hidden = false } = entry;
      const command = program.command(name, { hidden }).description(description);
      listed.set(command.helpGroup(heading), entry);
    }
  }
  const help = new Command('help').argument('[command]');
  help.description('Show help; "help settings" lists all settings');
  program.addHelpCommand(help.helpGroup(chapters.at(-1)?.heading ?? ''));
  const usual = program.helpInformation.bind(program);
  program.helpInformation = (asked) => (asked?.error ? beginning(program) : usual(asked));
  program.exitOverride((error) => refuse(program, error));
  const load = async (command: Command): Promise<void> => {
    const entry = listed.get(command);
    if (!entry || loaded.has(command)) return;
    loaded.add(command);
    const { command: details } = await entry.load();
    fill(command, { ...entry, ...details }, leaves);
    throughout(command, (one) => void one.exitOverride((error) => refuse(one, error)));
  };
  return { program, leaves, load };
}

/** The program with all of its commands, for documentation and completion. */
export async function loadProgram(chapters: readonly Chapter[]): Promise<Program> {
  const built = buildProgram(chapters);
  for (const command of built.program.commands) await built.load(command);
  return built;
}

/** Gives a command what its module says: its arguments, options, examples, and subcommands. */
function fill(
  command: Command,
  entry: DescribedCommand,
  leaves: Map<Command, RunnableCommand>,
): void {
  for (const child of entry.commands ?? []) {
    const { name, description, hidden = false } = child;
    fill(command.command(name, { hidden }).description(description), child, leaves);
  }
  if (entry.commands) command.enablePositionalOptions();
  const { run, examples } = entry;
  if (!run) {
    addCommonFlags(command, everyCommand);
    command.helpCommand('help [command]', 'Show help for one of these');
    return;
  }
  command.helpCommand(false); // the word would be an argument, such as a directory
  for (const argument of entry.arguments ?? []) command.addArgument(argument);
  for (const option of entry.options ?? []) command.addOption(option);
  if (examples) command.addHelpText('after', () => examplesOf(examples));
  leaves.set(command, { ...entry, run });
}

/**
 * Completes a command that is about to be parsed. The flags of all settings need zod; help alone
 * adds them only if it lists any.
 */
export async function complete(
  command: Command,
  { settings, asks }: RunnableCommand,
  helpOnly: boolean,
): Promise<void> {
  if (settings || !helpOnly) {
    const { addSettingFlags } = await import('./context.js');
    addSettingFlags(command, settings ?? []);
  }
  addCommonFlags(command, everyCommand, asks);
}

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

/** For help only: to learn the program's name, the folders of PATH are searched. */
const examplesOf = (examples: readonly string[]): string =>
  `\nExamples:${examples.map((words) => `\n  ${programName()} ${words}`).join('')}`;

const humanReadable = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

/** Applies `work` to a command and to all of its subcommands. */
export function throughout(command: Command, work: (command: Command) => void): void {
  work(command);
  for (const child of command.commands) throughout(child, work);
}

/** The commands that a new user needs, in the order in which they are needed. */
export const firstCommands = [
  ['up'],
  ['status'],
  ['doctor'],
  ['platform', 'create'],
  ['user', 'create'],
  ['import'],
  ['backup'],
  ['help'],
];

/** What the program prints when it is run without a command. */
function beginning(program: Command): string {
  const name = program.name();
  const help = program.createHelp();
  const lines = firstCommands.map((words) => {
    const command = words.reduce(
      (above, word) => help.visibleCommands(above).find((one) => one.name() === word) ?? above,
      program,
    );
    return { words: words.join(' '), about: command.description() };
  });
  const width = Math.max(...lines.map(({ words }) => words.length));
  const listed = lines.map(({ words, about }) => `  ${words.padEnd(width)}  ${about}`);
  return `Usage: ${name} [options] [command]

To begin:
${listed.join('\n')}

All commands: ${name} --help
`;
}

/** Wrong usage of a command. */
export class Misuse extends CommanderError {
  /** @param words the name of the command, as it is typed after that of the program. */
  constructor(
    { exitCode, code }: CommanderError,
    message: string,
    readonly words: readonly string[],
  ) {
    super(exitCode, code, message);
  }
}

/** Throws instead of exiting, so that all errors are handled in one place. */
function refuse(command: Command, error: CommanderError): never {
  if (error.exitCode === 0) throw error;
  const meant = meantWord(command, error);
  const hint = meant === undefined ? hintAt(command, error) : `Did you mean ${meant}?`;
  const message = hint === undefined ? error.message : `${error.message}\n(${hint})`;
  throw new Misuse(error, message, wordsOf(command));
}

const wordsOf = (command: Command): string[] =>
  command.parent ? [...wordsOf(command.parent), command.name()] : [];

const hintAt = ({ commands }: Command, { code }: CommanderError): string | undefined =>
  code === 'commander.unknownOption' && commands.length > 0
    ? "A command's own options and settings come after its name."
    : undefined;

/** The word that was most likely meant, by a message about wrong usage; undefined if none is close. */
function meantWord(command: Command, error: CommanderError): string | undefined {
  const quoted = /'(.*?)'/s.exec(error.message)?.[1];
  const typed = error.code === 'commander.excessArguments' ? command.args[0] : quoted;
  return closest(typed ?? '', wordsInPlace(command, error));
}

/** The words that are valid in place of a mistyped one, according to Commander's error. */
function wordsInPlace(command: Command, { code, message }: CommanderError): readonly string[] {
  if (code === 'commander.unknownCommand' || code === 'commander.excessArguments') {
    return [...command.commands.map((child) => child.name()), 'help'];
  }
  if (code === 'commander.unknownOption') {
    // Including those of all settings, which the help of a command does not list.
    return command.options.flatMap(({ long }) => long ?? []);
  }
  return /Allowed choices are (.*)\.$/.exec(message)?.[1]?.split(', ') ?? [];
}
