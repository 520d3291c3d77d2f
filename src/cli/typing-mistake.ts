import type { Command, CommanderError } from 'commander';
import { closest } from '../base/text.js';

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
export function meantWord(command: Command, error: CommanderError): string | undefined {
  const typed = /'(.*?)'/s.exec(error.message)?.[1] ?? '';
  return closest(typed, wordsInPlace(command, error));
}

/** The command that an argument is most likely a mistyped name of. */
export function meantCommand(command: Command, argument: unknown): string | undefined {
  if (typeof argument !== 'string' || argument.includes('/')) return undefined;
  return closest(
    argument,
    command.commands.map((child) => child.name()),
  );
}
