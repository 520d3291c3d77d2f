import { CommanderError, type Command } from 'commander';
import { ServiceError } from '../base/errors/catalogue.js';
import { ExitCode, OperatorError, wrongUsage } from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';
import { closest, didYouMean } from '../base/text.js';
import type { Chapter, Program, RunnableCommand } from './command.js';
import type { CommonFlags } from './context.js';
import {
  buildProgram,
  complete,
  firstCommands,
  loadProgram,
  Misuse,
  throughout,
} from './program.js';
import { SilentExit, Ui } from './ui.js';

/** Runs the command that the words name. @returns the exit code. */
export async function runProgram(
  chapters: readonly Chapter[],
  words: readonly string[],
): Promise<number> {
  const json = words.includes('--json');
  const helpOnly = words.some((word) => word === '--help' || word === '-h');
  try {
    const built = buildProgram(chapters);
    const { program, leaves, load } = built;
    const asked = fromCommand(program, words);
    const isHelp = asked[0] === 'help';
    if (isHelp && asked[1] === 'settings') {
      const { showSettings } = await import('./help-settings.js');
      showSettings(new Ui(json));
      return ExitCode.ok;
    }
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
    const parsed = isHelp ? await withoutHelpWord(built, asked.slice(1)) : words;
    await prepareBeginning(built, parsed);
    await program.parseAsync(parsed, { from: 'user' });
    return ExitCode.ok;
  } catch (error) {
    return failed(error, json);
  }
}

/** The words from the name of the command on, which flags of every command may precede. */
function fromCommand(program: Command, words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  const option = program.options.find(({ long }) => long === first.split('=')[0]);
  if (!option || option.long === '--version') return words;
  return fromCommand(program, option.required && !first.includes('=') ? rest.slice(1) : rest);
}

/** `help COMMAND` is `COMMAND --help`. @throws OperatorError (2) for a topic that does not exist. */
async function withoutHelpWord(
  { program, load }: Program,
  topic: readonly string[],
): Promise<string[]> {
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

/** All help topics, as they are typed. */
const topicsOf = (command: Command, above: readonly string[] = []): string[] =>
  command.commands.flatMap((child) => {
    const words = [...above, child.name()];
    return [words.join(' '), ...topicsOf(child, words)];
  });

/** Without a command, help shows commands for beginners, whose groups have to be loaded for that. */
async function prepareBeginning({ program, load }: Program, words: readonly string[]) {
  if (program.commands.some((command) => words.includes(command.name()))) return;
  const groups = firstCommands.filter(([, child]) => child).map(([group]) => group);
  for (const command of program.commands) {
    if (groups.includes(command.name())) await load(command);
  }
}

/** What happens when a command has been parsed. */
const actionOf =
  (command: Command, { run, replacedBy }: RunnableCommand, everything: () => Promise<Program>) =>
  async (...given: unknown[]): Promise<void> => {
    refuseMistyped(command, given[0]);
    const { contextOf, runAsOwner } = await import('./context.js');
    const parsed = flagsOf(command);
    const context = await contextOf(parsed);
    const owner = await runAsOwner(context.home);
    if (owner !== undefined) {
      context.ui.progress(`Running as the owner of ${context.home.dir} (uid ${owner})`);
    }
    if (replacedBy !== undefined) {
      context.ui.warn(`This is now "${replacedBy}"; imgstore 0.5 does not know the old words`);
    }
    context.interrupted.throwIfAborted();
    const options = { ...parsed, ...argumentsOf(command, given) };
    await run(context, options as never, everything);
  };

/** The arguments that were given, by their names, as Commander names options. */
const argumentsOf = ({ registeredArguments }: Command, given: readonly unknown[]) =>
  Object.fromEntries(
    registeredArguments.map((argument, at) => [camelCased(argument.name()), given[at]]),
  );

const camelCased = (name: string): string =>
  name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Flags of a command and of its parents, in command-line order. */
function flagsOf(command: Command): CommonFlags {
  const above = command.parent ? flagsOf(command.parent) : {};
  return { ...above, ...command.opts<CommonFlags>() };
}

/** @throws OperatorError (2) for a directory that is more likely a mistyped command. */
function refuseMistyped(command: Command, given: unknown): void {
  const meant = meantCommand(command, given);
  if (meant === undefined) return;
  throw wrongUsage(`There is no command "${String(given)}"; did you mean ${meant}?`, {
    remedy: `For a directory of that name: ./${String(given)}`,
  });
}

/** The command that an argument is most likely a mistyped name of. */
function meantCommand(command: Command, argument: unknown): string | undefined {
  if (typeof argument !== 'string' || argument.includes('/')) return undefined;
  return closest(
    argument,
    command.commands.map((child) => child.name()),
  );
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
  const help = commandLine(...(error instanceof Misuse ? error.words : []), '--help');
  if (json) {
    const message = commandMissing
      ? 'A command is missing.'
      : error.message.replace(/^error: /, '');
    new Ui(json).fail(wrongUsage(message, { remedy: help }));
  } else if (!commandMissing) {
    new Ui(json).misuse(error.message, help);
  }
  return ExitCode.usage;
}

/** Explains failures of the database, which may happen in the middle of any command. */
async function explained(error: unknown): Promise<unknown> {
  if (error instanceof OperatorError || error instanceof ServiceError) return error;
  const { explainServer } = await import('../database/connection-error.js');
  return explainServer(error) ?? error;
}
