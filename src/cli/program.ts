import { Command, CommanderError, Option, type Argument } from 'commander';
import { closest, didYouMean } from '../base/text.js';
import { ServiceError } from '../base/errors/catalogue.js';
import { ExitCode, OperatorError, wrongUsage } from '../base/errors/operator.js';
import { version } from '../base/installed-files.js';
import { commandLine, programName } from '../base/os/command-line.js';
import type {
  Chapter,
  DescribedCommand,
  ListedCommand,
  Program,
  RunnableCommand,
} from './command.js';
import type { CommonFlags } from './context.js';
import { SilentExit, Ui } from './ui.js';

/** The words that are valid in place of a mistyped one, according to Commander's error. */
function wordsInPlace(command: Command, { code, message }: CommanderError): readonly string[] {
  if (code === 'commander.unknownCommand') {
    return [...command.commands.map((child) => child.name()), 'help'];
  }
  if (code === 'commander.unknownOption') {
    // Including those of all settings, which the help of a command does not list.
    return command.options.flatMap(({ long }) => long ?? []);
  }
  return /Allowed choices are (.*)\.$/.exec(message)?.[1]?.split(', ') ?? [];
}

/** The word that was most likely meant, by a message about wrong usage; undefined if none is close. */
function meantWord(command: Command, error: CommanderError): string | undefined {
  const typed = /'(.*?)'/s.exec(error.message)?.[1] ?? '';
  return closest(typed, wordsInPlace(command, error));
}

/** The command that an argument is most likely a mistyped name of. */
function meantCommand(command: Command, argument: unknown): string | undefined {
  if (typeof argument !== 'string' || argument.includes('/')) return undefined;
  return closest(
    argument,
    command.commands.map((child) => child.name()),
  );
}

/** The commands that a new user needs, in the order in which they are needed. */
const first = [
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
  const lines = first.map((words) => {
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

/** Gives a command what its module says: its arguments, options, examples, and subcommands. */
function fill(
  command: Command,
  entry: DescribedCommand,
  leaves: Map<Command, RunnableCommand>,
): void {
  for (const child of entry.commands ?? []) {
    fill(command.command(child.name).description(child.description), child, leaves);
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

/** Applies `work` to a command and to all of its subcommands. */
function throughout(command: Command, work: (command: Command) => void): void {
  work(command);
  for (const child of command.commands) throughout(child, work);
}

const humanReadable = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

function buildProgram(chapters: readonly Chapter[]): Program {
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

/** The arguments that were given, by their names, as Commander names options. */
const argumentsOf = ({ registeredArguments }: Command, given: readonly unknown[]) =>
  Object.fromEntries(
    registeredArguments.map((argument, at) => [camelCased(argument.name()), given[at]]),
  );

const camelCased = (name: string): string =>
  name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** What happens when a command has been parsed. */
const actionOf =
  (command: Command, { run }: RunnableCommand, everything: () => Promise<Program>) =>
  async (...given: unknown[]): Promise<void> => {
    refuseMistyped(command, given[0]);
    const { contextOf, runAsOwner } = await import('./context.js');
    const parsed = flagsOf(command);
    const context = await contextOf(parsed);
    const owner = await runAsOwner(context.home);
    if (owner !== undefined) {
      context.ui.progress(`Running as the owner of ${context.home.dir} (uid ${owner})`);
    }
    context.interrupted.throwIfAborted();
    const options = { ...parsed, ...argumentsOf(command, given) };
    await run(context, options as never, everything);
  };

/** All help topics, as they are typed. */
const topicsOf = (command: Command, above: readonly string[] = []): string[] =>
  command.commands.flatMap((child) => {
    const words = [...above, child.name()];
    return [words.join(' '), ...topicsOf(child, words)];
  });

/** `help COMMAND` is `COMMAND --help`. @throws OperatorError (2) for a topic that does not exist. */
async function withoutHelpWord(
  { program, load }: Program,
  [first, ...topic]: readonly string[],
): Promise<string[]> {
  if (first !== 'help') return first === undefined ? [] : [first, ...topic];
  const words = topic.filter((word) => !word.startsWith('-'));
  let command: Command | undefined = program;
  for (const word of words) {
    command = command?.commands.find((child) => child.name() === word);
    if (command) await load(command);
  }
  if (command) return [...words, '--help'];
  for (const each of program.commands) await load(each);
  const known = topicsOf(program);
  throw wrongUsage(
    `There is no command "${words.join(' ')}"${didYouMean(words.join(' '), known) || '.'}`,
    { remedy: commandLine('--help') },
  );
}

/** Without a command, help shows commands for beginners, whose groups have to be loaded for that. */
async function prepareBeginning({ program, load }: Program, words: readonly string[]) {
  if (program.commands.some((command) => words.includes(command.name()))) return;
  const groups = first.filter(([, child]) => child).map(([group]) => group);
  for (const command of program.commands) {
    if (groups.includes(command.name())) await load(command);
  }
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
      const { showSettings } = await import('./help-settings.js');
      showSettings(new Ui(json));
      return ExitCode.ok;
    }
    const built = buildProgram(chapters);
    const { program, leaves, load } = built;
    if (json) throughout(program, (one) => void one.configureOutput({ writeErr: () => undefined }));
    const prepare = async (_above: Command, child: Command): Promise<void> => {
      await load(child);
      const leaf = leaves.get(child);
      if (leaf) {
        await complete(child, leaf, helpOnly);
        child.action(actionOf(child, leaf, () => loadProgram(chapters)));
      }
      child.hook('preSubcommand', prepare);
    };
    program.hook('preSubcommand', prepare);
    const parsed = await withoutHelpWord(built, words);
    await prepareBeginning(built, parsed);
    await program.parseAsync(parsed, { from: 'user' });
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
