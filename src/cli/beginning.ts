import type { Command } from 'commander';

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
export function beginning(program: Command): string {
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
