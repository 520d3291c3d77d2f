// An empty project in a temporary directory, and programs run in it.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../../src/base/os/run.js';
import type { Scope } from '../../testkit/scope.js';

/** @returns the directory of a project with these files, removed with the scope. */
export async function project(
  scope: Scope,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'imgstore-clients-'));
  scope.after(() => rm(dir, { recursive: true, force: true }));
  const own = { name: 'a-project', private: true, type: 'module' };
  for (const [name, text] of Object.entries({ 'package.json': JSON.stringify(own), ...files })) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), text);
  }
  return dir;
}

/** Runs a program in a directory. @returns its stdout; fails unless it exits with 0. */
export async function runIn(
  dir: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  // `run` has no working directory, since services need none.
  const script = 'cd "$0" && exec "$@"';
  const { code, stdout, output } = await run('sh', ['-c', script, dir, program, ...args], { env });
  assert.equal(code, 0, `${program} ${args.join(' ')}\n${output}`);
  return stdout;
}

const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

const install = (dir: string, ...packages: readonly string[]): Promise<string> =>
  runIn(dir, 'npm', ['install', ...quiet, ...packages]);

/** Tools of developers that check the document and the clients: 300 packages, too many for `npm test`. */
const tools = [
  '@redocly/cli@2.77.0',
  '@hey-api/openapi-ts@0.95.0',
  'esbuild@0.25.12',
  'orval@7.13.2',
];

/** @returns the directory of a project with the tools. */
export async function installTools(scope: Scope): Promise<string> {
  const dir = await project(scope);
  await install(dir, ...tools);
  return dir;
}

const checks = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck'];
const target = ['--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'];
const resolution = ['--module', 'esnext', '--moduleResolution', 'bundler'];

/** Checks the types of a program with strict options. */
export function compile(dir: string, file: string): Promise<string> {
  const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
  return runIn(dir, process.execPath, [tsc, ...checks, ...target, ...resolution, file]);
}

/** Bundles a file and its imports into one program for Node.js. @returns its name. */
export async function bundle(toolsDir: string, dir: string, file: string): Promise<string> {
  const esbuild = join(toolsDir, 'node_modules/.bin/esbuild');
  const how = ['--bundle', '--platform=node', '--format=esm', '--outfile=program.mjs'];
  await runIn(dir, esbuild, [file, ...how]);
  return 'program.mjs';
}
