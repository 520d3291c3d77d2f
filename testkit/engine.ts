import { mkdir, symlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../src/config/home.js';

/**
 * Lends a new home the database programs unpacked by the test runner, if the machine has none of
 * its own: otherwise each home would download them again.
 */
export async function lendEngine(home: Home): Promise<void> {
  const engine = process.env.IMGSTORE_TEST_ENGINE;
  if (!engine || !existsSync(engine)) return;
  await mkdir(home.database, { recursive: true });
  await symlink(engine, join(home.database, 'engine'));
}
