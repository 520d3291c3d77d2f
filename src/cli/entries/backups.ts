import { Argument, Option } from 'commander';
import type { Entry } from '../entry.js';

const place = (): Argument => new Argument('<dir>', 'A directory, or s3://BUCKET/PREFIX');

const generation = (): Option =>
  new Option('--generation <id>', 'This backup (default: the latest)');

const making = (): Option[] => [
  new Option('--keep <n>', 'Remove all but the latest <n> backups in <dir>'),
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

/** Commands that protect an installation against loss. */
export const backups: readonly Entry[] = [
  {
    name: 'backup',
    description: 'Back up rows and files as of one instant, while serving',
    arguments: [new Argument('<dir>', 'A directory, s3://BUCKET/PREFIX, or - for tar on stdout')],
    options: [...making(), wal()],
    asks: true,
    examples: [
      'backup /mnt/backup --keep 14',
      'backup s3://imgstore-backup/main --with-secrets',
      'backup /mnt/wal --wal --keep 2',
      'backup - > backup.tar',
    ],
    load: async () => (await import('../commands/backup.js')).makeBackup,
    commands: [
      {
        name: 'verify',
        description: 'Prove a backup without the original: hashes, rows, a trial restore',
        arguments: [place()],
        options: [generation(), sample(), scratch()],
        examples: ['backup verify /mnt/backup', 'backup verify /mnt/backup --sample 1%'],
        load: async () => (await import('../commands/backup-verify.js')).verifyOneBackup,
      },
      {
        name: 'drill',
        description: 'Make a backup, prove it, and record the result for "status"',
        arguments: [place()],
        options: [...making(), sample()],
        asks: true,
        examples: ['backup drill /mnt/backup --keep 14'],
        load: async () => (await import('../commands/backup-drill.js')).drillBackup,
      },
    ],
  },
  {
    name: 'restore',
    description: 'Restore a backup where nothing is stored yet',
    arguments: [place()],
    options: [
      generation(),
      new Option(
        '--at <time>',
        'The instant to restore from a directory of "backup --wal" (default: the last)',
      ),
      new Option('--master-key-file <file>', 'Master key, for a backup without secrets'),
      new Option(
        '--new-master-key',
        'Replace a lost master key by a new one; ends all tokens and signed URLs',
      ).conflicts('masterKeyFile'),
      new Option(
        '--unauthenticated',
        'Trust a backup or WAL archive that the master key does not prove to be your own',
      ),
      new Option('--force', 'Move the contents of the home aside; leave those of the bucket'),
    ],
    settings: ['database.url', 's3.endpoint', 's3.bucket'],
    examples: [
      'restore /mnt/backup --home /var/lib/imgstore',
      'restore /mnt/wal --at 2026-11-22T14:00:00Z',
    ],
    load: async () => (await import('../commands/restore.js')).restoreBackup,
  },
];
