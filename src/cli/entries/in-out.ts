import { Argument, InvalidArgumentError, Option } from 'commander';
import type { Entry } from '../entry.js';

/** Maximum files at a time; the service makes further uploads of a user wait anyway. */
const maxParallel = 16;

function parallel(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= maxParallel) return count;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${maxParallel}.`);
}

/** Commands that import and export pictures. */
export const inOut: readonly Entry[] = [
  {
    name: 'import',
    description: 'Import a tree of pictures, or an export',
    arguments: [new Argument('<dir>', 'The tree: directories become folders')],
    options: [
      new Option('--user <id>', 'User who gets the images').makeOptionMandatory(),
      new Option('--folder <id>', 'Folder that the tree goes into (default: the top level)'),
      new Option('--exclude <pattern>', 'Leave out what matches, as in a .gitignore; repeatable')
        .default([], 'nothing')
        .argParser((pattern: string, others: string[]) => [...others, pattern]),
      new Option('--dry-run', 'Only report what would be imported'),
      new Option('--parallel <n>', 'Files read and uploaded at a time')
        .default(4)
        .argParser(parallel),
      new Option('--report <file>', 'Write the outcome of each file, as lines of JSON'),
    ],
    examples: [
      'import ~/Pictures --user USER_ID --dry-run',
      'import ~/Pictures --user USER_ID --report import.ndjson',
      "import ~/Takeout --user USER_ID --exclude '*.gif' --exclude Trash/",
    ],
    load: async () => (await import('../commands/import.js')).importTree,
  },
  {
    name: 'export',
    description: 'Export everything of a user or platform',
    arguments: [new Argument('<dir>', 'An empty or new directory, or "-" for a tar on stdout')],
    options: [
      new Option('--user <id>', 'Everything of this user'),
      new Option('--platform <id>', "Everything of this platform's users"),
    ],
    examples: [
      'export /mnt/usb/export --user USER_ID',
      'export - --platform PLATFORM_ID > platform.tar',
    ],
    load: async () => (await import('../commands/export.js')).exportUsers,
  },
];
