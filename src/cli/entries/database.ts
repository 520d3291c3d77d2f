import { Argument, Option } from 'commander';
import type { Entry } from '../entry.js';

/** What replaces the database with another one. */
export const database: Entry = {
  name: 'database',
  description: 'Upgrade, move, or restore the database',
  commands: [
    {
      name: 'upgrade',
      description: 'Copy the private database into the newest PostgreSQL installed, and use that',
      options: [new Option('--remove-old', 'Delete the databases that upgrades have replaced')],
      asks: true,
      examples: ['database upgrade', 'database upgrade --remove-old'],
      load: async () => (await import('../commands/database-upgrade.js')).upgradeDatabase,
    },
    {
      name: 'move',
      description: 'Copy the database to another server, and use that once it is proved',
      options: [
        new Option('--to <url>', 'An empty database, or private for one in the home'),
        new Option('--remove-old', 'Delete the private database that a move has left'),
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
      description: 'Go back to a dump that was made before migrations',
      arguments: [new Argument('<dump>', 'A file in the folder dumps of the home')],
      options: [new Option('--to <url>', 'An empty database, where it is not a private one')],
      asks: true,
      examples: ['database restore dumps/20261122T204500Z-of-0.2.0.dump'],
      load: async () => (await import('../commands/database-restore.js')).restoreDatabaseDump,
    },
  ],
};
