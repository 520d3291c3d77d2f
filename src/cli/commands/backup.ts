import { Argument, Option } from 'commander';
import type { CommandDetails, RunnableCommand } from '../command.js';
import type { BackupOptions } from './make-backup.js';

export const placeArgument = (): Argument =>
  new Argument('<dir>', 'A directory, or s3://BUCKET/PREFIX');

export const generationOption = (): Option =>
  new Option('--generation <id>', 'This backup (default: the latest)');

const making = (): Option[] => [
  new Option('--keep <n>', 'Use "backup prune"; with --wal, keep <n> stretches'),
  new Option('--with-secrets', 'Include secrets and settings, encrypted with a passphrase'),
  new Option('--platform <id>', 'Only this platform, in a separate <dir>'),
  new Option('--copy', 'Copy files even where hard links are possible'),
  scratch(),
];

const scratch = (): Option =>
  new Option('--scratch <url>', 'Empty database to copy for trial restores and --platform');

const wal = (): Option =>
  new Option(
    '--wal',
    'Archive all writes of a private database until interrupted, for "restore --at"',
  ).conflicts(['platform', 'scratch']);

const sample = (): Option =>
  new Option('--sample <percent>', 'Read only this part of the objects, such as 1%');

/** `verify backup`. */
export const proving: Omit<RunnableCommand, 'name' | 'description'> = {
  arguments: [placeArgument()],
  options: [generationOption(), sample(), scratch()],
  examples: ['verify backup /mnt/backup', 'verify backup /mnt/backup --sample 1%'],
  run: async (context, options) =>
    (await import('./verify-backup.js')).verifyOneBackup(context, options),
};

export const command: CommandDetails = {
  arguments: [new Argument('<dir>', 'A directory, s3://BUCKET/PREFIX, or - for tar on stdout')],
  options: [...making(), wal()],
  asks: true,
  examples: [
    'backup /mnt/backup',
    'backup s3://imgstore-backup/main --with-secrets',
    'backup /mnt/wal --wal --keep 2',
    'backup - > backup.tar',
  ],
  run: async (context, options: BackupOptions & { readonly wal?: boolean }) =>
    options.wal
      ? (await import('./backup-wal.js')).archiveWal(context, options)
      : (await import('./make-backup.js')).makeBackup(context, options),
  commands: [
    {
      name: 'list',
      description: 'List backups, and what is wrong with their records',
      arguments: [placeArgument()],
      examples: ['backup list /mnt/backup'],
      run: async (context, options) =>
        (await import('./backup-prune.js')).listBackups(context, options),
    },
    {
      name: 'prune',
      description: 'Remove old backups, never the last good one, and what only these needed',
      arguments: [placeArgument()],
      options: [
        new Option('--keep <n>', 'How many stay, the latest ones'),
        new Option('--dry-run', 'Only say what would be removed'),
      ],
      examples: ['backup prune /mnt/backup --keep 14 --dry-run'],
      run: async (context, options) =>
        (await import('./backup-prune.js')).pruneBackups(context, options),
    },
    { name: 'verify', description: '', ...proving, hidden: true, replacedBy: 'verify backup' },
    {
      name: 'drill',
      description: 'Make a backup, prove it, and record the result for "status"',
      arguments: [placeArgument()],
      options: [...making(), sample()],
      asks: true,
      examples: ['backup drill /mnt/backup'],
      run: async (context, options) =>
        (await import('./verify-backup.js')).drillBackup(context, options),
    },
  ],
};
