// The tools of platform developers that the document and the clients are tried with. They come with
// 300 packages, too many for those who only want to run the tests.
import { existsSync } from 'node:fs';
import { install, project, runIn } from './project.mjs';

const tools = [
  '@redocly/cli@2.77.0',
  '@hey-api/openapi-ts@0.95.0',
  'esbuild@0.25.12',
  'orval@7.13.2',
  'playwright-core@1.65.1',
];

/** @returns the directory of a project that has them. */
export async function installTools(scope) {
  const dir = await project(scope);
  await install(dir, ...tools);
  return dir;
}

/** @returns the path of Chromium, installed by apt if it is missing. */
export async function ensureChromium() {
  const path = '/usr/bin/chromium';
  if (existsSync(path)) return path;
  if (process.getuid() !== 0) throw new Error('Chromium is missing: run apt-get install chromium');
  await runIn('/', 'apt-get', ['update', '-q']);
  await runIn('/', 'apt-get', ['install', '-qy', '--no-install-recommends', 'chromium']);
  return path;
}
