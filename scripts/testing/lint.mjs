// Lint and formatting checks, with the time that tests leave over. What they say is kept, since it
// would get lost between the tests.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Folders whose imports are held against .dependency-cruiser.js. */
const importing = ['src', 'workers', 'contract', 'testkit'];

/** Prettier skips files whose contents it has seen. ESLint's rules depend on the types of other files. */
const cached = ['--cache', '--cache-strategy=content'];

/** Each by the name that people know, its program in node_modules, and its arguments. */
const checks = {
  eslint: ['eslint/bin/eslint.js', '.'],
  depcruise: ['dependency-cruiser/bin/dependency-cruise.mjs', ...importing],
  'prettier --check': ['prettier/bin/prettier.cjs', '--check', '--log-level=warn', ...cached, '.'],
};

/** ESLint and Prettier allocate a lot: with room for it, less time goes to collecting garbage. */
const options = ['--max-semi-space-size=64'];

/** Half the share of a test: with less, five tests at once would leave lint for the end. */
const niceness = 3;

/** @returns what a failed check says, or nothing. */
async function failure(name, [program, ...args], signal) {
  const words = [...options, `node_modules/${program}`, ...args];
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid) setPriority(child.pid, niceness);
  const end = () => child.kill('SIGTERM'); // the terminal may have signaled it already
  signal.addEventListener('abort', end);
  const exited = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([
    exited,
    text(child.stdout),
    text(child.stderr),
  ]);
  signal.removeEventListener('abort', end);
  return code === 0 ? [] : [`lint: ${name} failed:\n${stdout}${stderr}`];
}

/** @param signal ends all. @returns what the failed checks say. */
export async function lint(signal) {
  const entries = Object.entries(checks);
  const failures = entries.map(([name, words]) => failure(name, words, signal));
  return (await Promise.all(failures)).flat();
}
