import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Unit tests, which are next to the source. */
const unit = /^dist\/(src|workers|testkit)\//;

/** What node:test runs around the tests of the whole process, not of the file that says so. */
const aroundAll = /^(before|beforeEach|afterEach)\(/m;

/** Scopes of whole files, which last as long as the process. */
const lasting = /\(\s*\{ after \}/;

/**
 * Files that start services or databases, and look neither at their process nor at its memory.
 */
const places = [
  'api',
  'archives',
  'changes',
  'database',
  'deletion',
  'idempotency',
  'integrity',
  'jobs',
  'upload-sets',
];
const place = new RegExp(`^dist/(src|testkit|test/(${places.join('|')}))/`);
const starts = / (testService|testDatabase|migratedSource)\(/;
const ofProcess = /held-memory|process\.env\.\w+ =|launchPostmaster/;

/** Files about commands that move data: each of them would load the program once more, to run it. */
const moving = /^dist\/test\/(backup\/|export\/|import\/|s3\/move|upgrade\/)/;

/** Files about processes that they start: what remains for their own is to load the test kit. */
const watching =
  /^dist\/test\/(cli|clients|docs|doctor|faults|imaging|nodes|reclaim|s3|store|telemetry|webhooks)\//;

/** Far longer than the others. */
const long = /^dist\/test\/nodes\/demonstration/;

/**
 * Which files share processes, and at most how many: one that hangs or crashes takes the others along.
 */
const kinds = [
  { name: 'units', together: 32, has: (file, text) => unit.test(file) && !lasting.test(text) },
  {
    name: 'services',
    together: 5,
    has: (file, text) => place.test(file) && starts.test(text) && !ofProcess.test(text),
  },
  { name: 'moving', together: 3, has: (file) => moving.test(file) },
  {
    name: 'watching',
    together: 4,
    has: (file, text) => watching.test(file) && !long.test(file) && !ofProcess.test(text),
  },
];

/** As long as a test runs, node:test neither begins the next nor ends what lasts until the last. */
const head = `import { test } from 'node:test';
let read;
test('all files of this process are read', () => new Promise((resolve) => (read = resolve)));
`;

/** Writes a file that runs others. @returns its path. */
function fileOf(root, folder, name, files) {
  const path = join(folder, `${name}.test.js`);
  const imports = files.map((file) => `await import('${relative(folder, file)}');\n`);
  writeFileSync(join(root, path), `${head}${imports.join('')}read();\n`);
  return path;
}

/**
 * Has test files share processes: loading the program takes longer than most of their tests. Each file
 * has its own database and service. A failed test names its file all the same.
 * @param files compiled test files. @returns files to run instead, in their order.
 */
export function gathered(root, files) {
  const folder = join('dist', 'gathered');
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder));
  const run = new Map(); // what to run, by what it is gathered from
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    const kind = aroundAll.test(text) ? undefined : kinds.find(({ has }) => has(file, text));
    const key = kind?.name ?? file;
    run.set(key, [...(run.get(key) ?? []), file]);
  }
  return [...run].flatMap(([key, members]) => {
    const kind = kinds.find(({ name }) => name === key);
    if (!kind) return members;
    const processes = Math.ceil(members.length / kind.together);
    return Array.from({ length: processes }, (_, first) => {
      const some = members.filter((_, n) => n % processes === first);
      return fileOf(root, folder, `${key}-${first + 1}`, some);
    });
  });
}
