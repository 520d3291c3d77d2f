import { Argument, Option } from 'commander';
import type { Entry } from '../entry.js';

/** Commands that replace the database with another one. */
export const database: Entry = {
  name: 'database',
  description: 'Upgrade, move, or restore the database',
  commands: [
    {
      name: 'upgrade',
      description: 'Copy the private database to the newest installed PostgreSQL, and switch to it',
      options: [new Option('--remove-old', 'Delete the databases that upgrades have replaced')],
      asks: true,
      examples: ['database upgrade', 'database upgrade --remove-old'],
      load: async () => (await import('../commands/database-upgrade.js')).upgradeDatabase,
    },
    {
      name: 'move',
      description: 'Copy the database to another server, verify the copy, and switch to it',
      options: [
        new Option('--to <url>', 'An empty database, or private for one in the home'),
        new Option('--remove-old', 'Delete the private database that a move left behind'),
      ],
      asks: true,
      examples: [
        'database move --to postgresql://USER:PASSWORD@HOST/DATABASE',
        'database move --to private',
      ],
      load: async () => (await import('../commands/database-move.js')).moveDatabase,
    },
    {
      name: 'restore',
      description: 'Restore a dump that was made before migrations',
      arguments: [new Argument('<dump>', 'A file in the directory dumps of the home')],
      options: [
        new Option('--to <url>', 'An empty database, required if the database is external'),
      ],
      asks: true,
      examples: ['database restore dumps/20261122T204500Z-of-0.2.0.dump'],
      load: async () => (await import('../commands/database-restore.js')).restoreDatabaseDump,
    },
  ],
};
