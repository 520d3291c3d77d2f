import { Argument, Option } from 'commander';
import type { Entry } from '../entry.js';

/** Commands that verify stored files, and that handle files which nothing refers to. */
export const verification: readonly Entry[] = [
  {
    name: 'verify',
    description: 'Verify that files are present, intact, and needed',
    options: [
      new Option(
        '--deep',
        'Also read files and compare their bytes, from where the last run stopped',
      ),
      new Option(
        '--bytes <size>',
        'Amount to read with --deep, or all; default: verify.bytes_per_night',
      ),
      new Option(
        '--repair',
        'Move files that nothing refers to into quarantine, and rebuild damaged maps; delete nothing',
      ),
    ],
    settings: ['verify.bytes_per_night'],
    examples: ['verify', 'verify --deep --bytes 100GB', 'verify --repair'],
    load: async () => (await import('../commands/verify.js')).verifyAll,
  },
  {
    name: 'quarantine',
    description: 'Files that "verify --repair" has set aside',
    commands: [
      {
        name: 'list',
        description: 'List how much was moved on each day, or the files of one day',
        arguments: [new Argument('[date]', 'Such as 2026-11-22; lists up to 1,000 files')],
        examples: ['quarantine list', 'quarantine list 2026-11-22'],
        load: async () => (await import('../commands/quarantine.js')).listQuarantine,
      },
      {
        name: 'restore',
        description: 'Move the files of a day, or one file, back to where they were',
        arguments: [new Argument('<date-or-key>', 'A day of the list, or a key of one')],
        examples: ['quarantine restore 2026-11-22', 'quarantine restore KEY'],
        load: async () => (await import('../commands/quarantine.js')).restoreFromQuarantine,
      },
      {
        name: 'purge',
        description: 'Permanently delete old files from quarantine',
        options: [
          new Option('--older-than <duration>', 'Minimum time in quarantine').default('30d'),
        ],
        asks: true,
        examples: ['quarantine purge', 'quarantine purge --older-than 90d'],
        load: async () => (await import('../commands/quarantine.js')).purgeOldQuarantine,
      },
    ],
  },
];
