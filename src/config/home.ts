import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The files and folders of one imgstore home. Nothing else in the code spells these names. */
export class Home {
  readonly dir: string;

  /** The operator's configuration; written once by init, then theirs. */
  readonly configFile: string;

  /** @param configFile where the configuration lies, when not in the home itself. */
  constructor(dir: string, configFile?: string) {
    this.dir = resolve(dir);
    this.configFile = configFile ? resolve(configFile) : join(this.dir, 'config.yaml');
  }

  /** Folder (0700) of files (0600) that must never be shown. */
  get secrets(): string {
    return join(this.dir, 'secrets');
  }

  /** Folder of lock files and of what a running service says about itself. */
  get run(): string {
    return join(this.dir, 'run');
  }

  /** Held by the one service that serves this home; tells its address. */
  get serveLock(): string {
    return join(this.run, 'serve.lock');
  }

  /** Folder of the private PostgreSQL cluster, its log and, without root, its programs. */
  get database(): string {
    return join(this.dir, 'database');
  }

  /** Folder of the local object store. */
  get store(): string {
    return join(this.dir, 'store');
  }

  /** Uploads on their way in; on the local store's file system, so that a rename stores them. */
  get incoming(): string {
    return join(this.dir, 'incoming');
  }
}

/** Where a home lies when nobody says: system-wide for root, else the XDG data directory. */
export function defaultHome(env: NodeJS.ProcessEnv = process.env): string {
  if (process.getuid?.() === 0) return '/var/lib/imgstore';
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'imgstore');
}
