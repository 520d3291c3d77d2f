import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const words = (text) => text.split(/\s+/);

/**
 * Folders whose test files share processes, since loading the program takes longer than most of their
 * tests, and how many files do at most: one that hangs or crashes stops the others, too. Unit tests are
 * in src, workers, and testkit; the other folders are those of test/. Files of a folder that is not here
 * run alone.
 */
export const groups = {
  /** Tests of single modules. */
  units: { together: 32, folders: words('src workers testkit') },
  /** Tests that start services or databases in their own process. */
  services: {
    together: 16,
    folders: words(`api archives bench changes database deletion idempotency integrity jobs
      upload-sets`),
  },
  /** Tests of commands that move data: each process would load the program again to run them. */
  moving: { together: 3, folders: words('backup export import move upgrade') },
  /** Tests of processes that they start: their own does little more than load the test kit. */
  watching: {
    together: 14,
    folders:
      words(`cli clients docs doctor faults imaging lint nodes packages reclaim runner s3 store
      telemetry webhooks`),
  },
};

const itsMemory = 'it measures the memory of its process';
const long = 'it takes as long as all files of another process';

/** Files that need a process of their own, and why: lint refuses in all others what would disturb them. */
export const alone = {
  'test/api/edge.test.ts': 'Express reads NODE_ENV when it is loaded',
  'test/api/large-responses.test.ts': itsMemory,
  'test/api/list-download.test.ts': itsMemory,
  'test/contract/contract.test.ts': long,
  'test/database/cluster.test.ts': long,
  'test/database/slow.test.ts': long,
  'test/database/tls.test.ts': 'pg warns of a connection once in each process',
  'test/docs/commands.test.ts': 'it sets the name of the program in the environment',
  'test/fuzz/fuzz.test.ts': long,
  'test/imaging/sandbox.test.ts': 'it sets PATH',
  'test/s3/answers.test.ts': 'it sets NODE_TLS_REJECT_UNAUTHORIZED',
  'test/store/stalled-readers.test.ts': itsMemory,
};

/** The name of the group that a compiled test file belongs to, or undefined if it runs alone. */
function groupOf(file) {
  const [, source] = /^dist\/(.*)\.js$/.exec(file);
  if (`${source}.ts` in alone) return undefined;
  const [folder] = source.replace(/^test\//, '').split('/');
  return Object.keys(groups).find((name) => groups[name].folders.includes(folder));
}

/**
 * Which test files run in the same process. @param files compiled test files. @returns the name and the
 * files of each process, in the order of their first files.
 */
export function planProcesses(files) {
  const members = new Map(); // files by the group that they belong to, or by themselves
  for (const file of files) {
    const key = groupOf(file) ?? file;
    members.set(key, [...(members.get(key) ?? []), file]);
  }
  return [...members].flatMap(([name, all]) => {
    const count = Math.ceil(all.length / (groups[name]?.together ?? 1));
    return Array.from({ length: count }, (_, first) => ({
      name: `${name}-${first + 1}`,
      files: all.filter((_, n) => n % count === first),
    }));
  });
}

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

/**
 * Makes test files share processes. Each file has its own database and service. A failed test still names
 * its file.
 * @param files compiled test files. @returns files to run instead: some import those of a process.
 */
export function shareProcesses(root, files) {
  const folder = join('dist', 'shared-processes');
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder));
  return planProcesses(files).map(({ name, files }) => {
    if (files.length === 1) return files[0];
    const path = join(folder, `${name}.test.js`);
    const list = JSON.stringify(files.map((file) => relative(folder, file)));
    writeFileSync(join(root, path), `${head}function files() {\n  return ${list};\n}\n`);
    return path;
  });
}
