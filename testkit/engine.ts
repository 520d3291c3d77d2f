import { mkdir, symlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../src/base/config/home.js';

/**
 * Links the database programs that the test runner unpacked into a new home, unless the machine has
 * its own: otherwise each home would download them again.
 */
export async function linkEngine(home: Home): Promise<void> {
  const engine = process.env.IMGSTORE_TEST_ENGINE;
  if (!engine || !existsSync(engine)) return;
  await mkdir(home.database, { recursive: true });
  await symlink(engine, join(home.database, 'engine'));
}
