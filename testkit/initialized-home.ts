import type { Home } from '../src/base/config/home.js';
import { loadSettings } from '../src/base/config/load.js';
import { newHome } from './command.js';
import { testDatabase } from './database.js';
import { initializeHome } from './initialize-home.js';
import type { Scope } from './scope.js';

/**
 * A home with a database on the test server and the database's URL in its config.yaml: as after
 * `imgstore init --database-url`, but without starting a process.
 */
export async function initializedHome(scope: Scope): Promise<{ home: Home; url: string }> {
  const home = await newHome(scope);
  const { url } = await testDatabase(scope);
  const chosen = { 'database.url': url };
  const { values } = await loadSettings({ flags: chosen, env: {}, home });
  await initializeHome(home, values, { chosen });
  return { home, url };
}
