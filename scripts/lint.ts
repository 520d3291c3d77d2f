// npm run lint: checks types, rules, the directions of imports, and formatting. All checks run; the
// full output of those that fail is printed at the end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { packageFile } from '../src/base/installed-files.js';

/** Folders whose imports are checked against .dependency-cruiser.js. */
const importCheckedFolders = [
  'src',
  'workers',
  'contract',
  'testkit',
  'test',
  'bench',
  'console',
  'scripts',
];

/** Only for Prettier: ESLint's rules depend on the types of other files, so it cannot skip any. */
const cached = ['--cache', '--cache-strategy=content'];

/** Each check by its usual name: its program in node_modules, and its arguments. */
const checks: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  eslint: ['eslint/bin/eslint.js', '.'],
  tsc: ['typescript/bin/tsc', '--noEmit'],
  'tsc -p console': ['typescript/bin/tsc', '-p', 'console'],
  'tsc -p scripts': ['typescript/bin/tsc', '-p', 'scripts'],
  depcruise: ['dependency-cruiser/bin/dependency-cruise.mjs', ...importCheckedFolders],
  'prettier --check': ['prettier/bin/prettier.cjs', '--check', '--log-level=warn', ...cached, '.'],
};

/** The checks allocate a lot: a larger young generation shortens garbage collection. */
const options = ['--max-semi-space-size=64'];

/** @returns the output of a check if it fails, otherwise an empty string. */
async function failure([name, [program, ...args]]: [
  name: string,
  check: readonly [program: string, ...args: string[]],
]): Promise<string> {
  const words = [...options, `node_modules/${program}`, ...args];
  const child = spawn(process.execPath, words, {
    cwd: packageFile('.'),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return code === 0 ? '' : `${name} failed:\n${stdout}${stderr}`;
}

const failures = (await Promise.all(Object.entries(checks).map(failure))).filter(Boolean);
process.stderr.write(failures.join('\n'));
process.exitCode = Number(failures.length > 0);
