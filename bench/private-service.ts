import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Home } from '../src/base/config/home.js';
import { loadSettings } from '../src/base/config/load.js';
import type { Config } from '../src/base/config/options.js';
import { initializeHome } from '../testkit/initialize-home.js';
import { removeWhenInterrupted, stopWhenInterrupted } from './interruption.js';

export const report = (line: string): void => console.error(`${line} …`);

/** Creates a directory for homes: as root, the database server's own user needs access. */
export async function openDirectory(prefix: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), prefix));
  removeWhenInterrupted(dir);
  await chmod(dir, 0o755);
  return dir;
}

/**
 * Creates or opens a home in this folder, with a private server and generous statement limits.
 */
export async function provision(dir: string): Promise<{ home: Home; config: Config }> {
  await chmod(dir, 0o755); // as root, the server's own user needs access
  const home = new Home(dir);
  stopWhenInterrupted(home);
  const flags = {
    port: '0',
    workers: '1',
    'log.level': 'error',
    'database.statement_timeout': '7200',
  };
  const { values: config } = await loadSettings({ flags, env: {}, home });
  await initializeHome(home, config, { report });
  return { home, config };
}
