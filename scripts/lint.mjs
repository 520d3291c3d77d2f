// npm run lint: types, rules, the directions of imports, and formatting. All are checked, and what fails
// is said at the end, whole.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders whose imports are held against .dependency-cruiser.js. */
const importing = ['src', 'workers', 'contract', 'testkit'];

/** Prettier skips files whose contents it has seen. ESLint's rules depend on the types of other files. */
const cached = ['--cache', '--cache-strategy=content'];

/** Each by the name that people know, its program in node_modules, and its arguments. */
const checks = {
  eslint: ['eslint/bin/eslint.js', '.'],
  tsc: ['typescript/bin/tsc', '--noEmit'],
  'tsc -p console': ['typescript/bin/tsc', '-p', 'console'],
  depcruise: ['dependency-cruiser/bin/dependency-cruise.mjs', ...importing],
  'prettier --check': ['prettier/bin/prettier.cjs', '--check', '--log-level=warn', ...cached, '.'],
};

/** They allocate a lot: with room for it, less time goes to collecting garbage. */
const options = ['--max-semi-space-size=64'];

/** @returns what a failed check says, or nothing. */
async function failure([name, [program, ...args]]) {
  const words = [...options, `node_modules/${program}`, ...args];
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return code === 0 ? '' : `${name} failed:\n${stdout}${stderr}`;
}

const failures = (await Promise.all(Object.entries(checks).map(failure))).filter(Boolean);
process.stderr.write(failures.join('\n'));
process.exitCode = Number(failures.length > 0);
