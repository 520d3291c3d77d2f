import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Unit tests, which are next to the source. */
const unitTest = /^dist\/(src|workers|testkit)\//;

/** Hooks that node:test runs for all tests of the process, not only for those of the file. */
const processHooks = /^(before|beforeEach|afterEach)\(/m;

/** Scopes of whole files, which last as long as the process. */
const fileScope = /\(\s*\{ after \}/;

/** Folders of tests that start services or databases, and do not inspect their process or its memory. */
const serviceFolders = [
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
const serviceTest = new RegExp(`^dist/(src|testkit|test/(${serviceFolders.join('|')}))/`);
const startsService = / (testService|testDatabase|migratedSource)\(/;
const inspectsProcess = /held-memory|process\.env\.\w+ =|launchPostmaster/;

/** Tests of commands that move data: each file would load the program again to run it. */
const dataMovingTest = /^dist\/test\/(backup\/|export\/|import\/|s3\/move|upgrade\/)/;

/** Tests of processes that they start: their own process does little more than load the test kit. */
const processTest =
  /^dist\/test\/(cli|clients|docs|doctor|faults|imaging|nodes|reclaim|s3|store|telemetry|webhooks)\//;

/**
 * Which files share processes, and how many at most: one that hangs or crashes stops the others, too.
 */
const groups = [
  {
    name: 'units',
    together: 32,
    has: (file, text) => unitTest.test(file) && !fileScope.test(text),
  },
  {
    name: 'services',
    together: 16,
    has: (file, text) =>
      serviceTest.test(file) && startsService.test(text) && !inspectsProcess.test(text),
  },
  { name: 'moving', together: 3, has: (file) => dataMovingTest.test(file) },
  {
    name: 'watching',
    together: 14,
    has: (file, text) => processTest.test(file) && !inspectsProcess.test(text),
  },
];

/**
 * While a test runs, node:test neither begins the next nor runs the hooks after the last one. A file that
 * throws while it is read fails that test by its name; the tests of the others run.
 */
const head = `import { test } from 'node:test';
let ended;
test('all files of this process are read', () => new Promise((...settle) => (ended = settle)));
const unread = [];
for (const file of files()) {
  await import(file).catch((cause) => unread.push(new Error(file + ' cannot be read', { cause })));
}
const [done, fail] = ended;
if (unread.length > 0) fail(new AggregateError(unread, unread.map(String).join('\\n')));
else done();
`;

/** Writes a file that imports test files. @returns its path. */
function writeEntry(root, folder, name, files) {
  const path = join(folder, `${name}.test.js`);
  const list = files.map((file) => relative(folder, file));
  writeFileSync(
    join(root, path),
    `${head}function files() {\n  return ${JSON.stringify(list)};\n}\n`,
  );
  return path;
}

/**
 * Makes test files share processes, since loading the program takes longer than most of their tests.
 * Each file has its own database and service. A failed test still names its file.
 * @param files compiled test files. @returns files to run instead, in their order.
 */
export function shareProcesses(root, files) {
  const folder = join('dist', 'shared-processes');
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder));
  const members = new Map(); // files by the group that they belong to, or by themselves
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    const group = processHooks.test(text) ? undefined : groups.find(({ has }) => has(file, text));
    const key = group?.name ?? file;
    members.set(key, [...(members.get(key) ?? []), file]);
  }
  return [...members].flatMap(([key, all]) => {
    const group = groups.find(({ name }) => name === key);
    if (!group) return all;
    const processes = Math.ceil(all.length / group.together);
    return Array.from({ length: processes }, (_, first) => {
      const some = all.filter((_, n) => n % processes === first);
      return writeEntry(root, folder, `${key}-${first + 1}`, some);
    });
  });
}
