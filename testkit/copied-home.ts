import assert from 'node:assert/strict';
import type { Home } from '../src/config/home.js';
import { run } from '../src/os/run.js';
import { newHome } from './command.js';
import type { Scope } from './scope.js';

/** A copy of a home that nobody uses, private database included: faster than creating another. */
export async function copiedHome(scope: Scope, model: Home): Promise<Home> {
  const home = await newHome(scope);
  const { code, output } = await run('cp', ['-a', model.dir, home.dir]); // with its owners
  assert.equal(code, 0, output);
  return home;
}
