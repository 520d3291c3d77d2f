import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { newHome, type RunOptions } from '../../testkit/command.js';
import { hosted } from '../../testkit/hosted-command.js';
import type { Home } from '../../src/base/config/home.js';
import type { Scope } from '../../testkit/scope.js';

/** The output of `config show --json`. */
export type Shown = Record<string, { value: unknown; source: string }>;

/** A home with a config.yaml. */
export async function homeWith(scope: Scope, yaml: string): Promise<Home> {
  const home = await newHome(scope);
  await mkdir(home.dir);
  await writeFile(home.configFile, yaml);
  return home;
}

/** The effective settings of a home. */
export const show = async (
  home: Home,
  flags: string[] = [],
  options: RunOptions = {},
): Promise<Shown> => {
  const ran = await hosted(['config', 'show', '--home', home.dir, '--json', ...flags], options);
  assert.equal(ran.code, 0, ran.stdout);
  return ran.json<Shown>();
};
