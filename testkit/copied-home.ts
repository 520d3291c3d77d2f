import assert from 'node:assert/strict';
import { Home } from '../src/base/config/home.js';
import { run } from '../src/base/os/run.js';
import { provisionDatabase } from '../src/database/postgres/provision.js';
import { newHome, newPrivateHome } from './command.js';
import { linkEngine } from './engine.js';
import type { Scope } from './scope.js';

/** A home with only a new private cluster, copied from one that the test runner created. */
export async function homeWithCluster(scope: Scope): Promise<Home> {
  const model = process.env.IMGSTORE_TEST_CLUSTER;
  if (model) {
    const home = await copiedHome(scope, new Home(model));
    await linkEngine(home);
    return home;
  }
  const home = await newPrivateHome(scope);
  await (await provisionDatabase({ home, report: () => undefined })).close();
  return home;
}

/** A copy of a home that is not in use, with its private database: faster than creating another. */
export async function copiedHome(scope: Scope, model: Home, name?: string): Promise<Home> {
  const home = await newHome(scope, name);
  const { code, output } = await run('cp', ['-a', model.dir, home.dir]); // keeps file owners
  assert.equal(code, 0, output);
  return home;
}
