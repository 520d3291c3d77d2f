import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The files and directories of one imgstore home. No other code spells out these names. */
export class Home {
  readonly dir: string;

  /** The operator's configuration; written once by init, then maintained by the operator. */
  readonly configFile: string;

  /** Whether the operator named the file, and so expects it to exist. */
  readonly configNamed: boolean;

  /** @param configFile path of the configuration, if it is not in the home itself. */
  constructor(dir: string, configFile?: string) {
    this.dir = resolve(dir);
    this.configNamed = Boolean(configFile);
    this.configFile = configFile ? resolve(configFile) : join(this.dir, 'config.yaml');
  }

  /** Directory (0700) of secret files (0600). */
  get secrets(): string {
    return join(this.dir, 'secrets');
  }

  /** Directory (0700) of the first tokens (0600). */
  get tokens(): string {
    return join(this.dir, 'tokens');
  }

  /** Directory of lock files and of other state of a running service. */
  get run(): string {
    return join(this.dir, 'run');
  }

  /** Held by the one service that serves this home; contains its URL. */
  get serveLock(): string {
    return join(this.run, 'serve.lock');
  }

  /** Shared by the processes that have scratch folders in the home. */
  get scratchLock(): string {
    return join(this.run, 'scratch.lock');
  }

  /** The log level of a running service, if it is not the configured one. */
  get logLevel(): string {
    return join(this.run, 'log.level');
  }

  /** Directory of the progress of imports of exports. */
  get imports(): string {
    return join(this.dir, 'imports');
  }

  /** When a backup was last made and last proved. */
  get backupRecords(): string {
    return join(this.dir, 'backups.json');
  }

  /** Where the WAL of the database is archived, and up to when. */
  get walRecord(): string {
    return join(this.dir, 'wal.json');
  }

  /** Directory of the newest checkpoints of the logs that this node has published. */
  get checkpoints(): string {
    return join(this.dir, 'checkpoints');
  }

  /** Directory of files that backups have yet to store elsewhere. */
  get backups(): string {
    return join(this.dir, 'backups');
  }

  /** The progress of an unfinished restore. */
  get restoring(): string {
    return join(this.dir, 'restoring.json');
  }

  /** Directory (0700) of database dumps made before irreversible changes. */
  get dumps(): string {
    return join(this.dir, 'dumps');
  }

  /** Directory of the private PostgreSQL cluster, its log, and, without root, its programs. */
  get database(): string {
    return join(this.dir, 'database');
  }

  /** Directory of the local object store. */
  get store(): string {
    return join(this.dir, 'store');
  }

  /**
   * Uploads in progress; on the same file system as the local store, so that a rename stores them.
   */
  get incoming(): string {
    return join(this.dir, 'incoming');
  }
}

/** The user's own folder; undefined for a user without an account and without HOME, as in containers. */
export function userFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * The default home: system-wide for root, otherwise in the XDG data directory; undefined for a user
 * without a folder.
 */
export function defaultHome(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (process.getuid?.() === 0) return '/var/lib/imgstore';
  const folder = userFolder();
  const data = env.XDG_DATA_HOME || (folder && join(folder, '.local', 'share'));
  return data && join(data, 'imgstore');
}
