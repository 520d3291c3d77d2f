import type { Command, CommanderError } from 'commander';
import { closest } from '../config/closest.js';

/** The words that may stand where a mistyped one does, by what Commander says of it. */
function wordsInPlace(command: Command, { code, message }: CommanderError): readonly string[] {
  if (code === 'commander.unknownCommand') {
    return [...command.commands.map((child) => child.name()), 'help'];
  }
  if (code === 'commander.unknownOption') {
    // Those of all settings, too, which the help of a command does not list.
    return command.options.flatMap(({ long }) => long ?? []);
  }
  return /Allowed choices are (.*)\.$/.exec(message)?.[1]?.split(', ') ?? [];
}

/** The word in a message about wrong usage that was most likely meant; undefined if none is near. */
export function meantWord(command: Command, error: CommanderError): string | undefined {
  const typed = /'(.*?)'/s.exec(error.message)?.[1] ?? '';
  return closest(typed, wordsInPlace(command, error));
}

/** The command that somebody most likely meant who gave its name, mistyped, as an argument. */
export function meantCommand(command: Command, argument: unknown): string | undefined {
  if (typeof argument !== 'string' || argument.includes('/')) return undefined;
  return closest(
    argument,
    command.commands.map((child) => child.name()),
  );
}
