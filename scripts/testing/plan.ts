// Which test files run, in which tier, and which share a process.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const words = (text: string): string[] => text.split(/\s+/);

/**
 * The second tier, `npm run test:all`: what takes long and seldom breaks alone, such as browsers, kills,
 * full disks, several nodes, S3, moves, upgrades, fuzzing and packages. Everything else is the first,
 * `npm test`. Beginnings of paths, below test/ unless they name src/.
 */
export const secondTier =
  words(`backup/elsewhere backup/histories backup/hosted backup/older backup/wal bench/
  cli/wizard clients/field-app clients/methods console/browser custody/evidence custody/others database/cluster database/slow
  database/tls docs/docker doctor/s3
  faults/crowd faults/database faults/disk faults/full-picture-killed faults/greedy faults/incoming faults/large
  faults/other-container faults/request-links faults/resumable-killed faults/serve-disk
  faults/service-killed faults/torn faults/uncaught fuzz/ idempotency/killed integrity/s3 imaging/busy imaging/fairness imaging/faults
  imaging/heic-decoders imaging/incomplete imaging/memory move/ nodes/ packages/ s3/ store/s3
  store/stalled src/database/postgres/dumps upgrade/ webhooks/slow`);

interface Group {
  /** Unit tests are in src, workers, testkit, console-tests (of console/); the others in test/. */
  readonly folders: readonly string[];
  /** How many files a process has at most: one that hangs or crashes stops the others, too. */
  readonly together: number;
}

/**
 * Folders whose test files share processes, since loading the program takes longer than most of their
 * tests. Files of a folder that is not here run alone.
 */
export const groups: Readonly<Record<string, Group>> = {
  /** Tests of single modules. */
  units: { together: 32, folders: words('src workers testkit console-tests') },
  /** Tests that start services or databases in their own process. */
  services: {
    together: 26,
    folders: words(`api archives bench changes custody database deletion idempotency integrity jobs
      ledgers upload-sets`),
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

const itsPage = 'the address of its page belongs to the process';
const itsMemory = 'it measures the memory of its process';
const long = 'it takes as long as all files of another process';

/** Files that need a process of their own, and why: lint refuses in all others what would disturb them. */
export const alone: Readonly<Record<string, string>> = {
  'console/core/sending.test.ts': itsPage,
  'console/pages/library/upload/uploads.test.ts': itsPage,
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
  'test/ledgers/memory.test.ts': itsMemory,
  'test/s3/answers.test.ts': 'it sets NODE_TLS_REJECT_UNAUTHORIZED',
  'test/store/stalled-readers.test.ts': itsMemory,
};

/** What takes longest, in this order: it begins first, so that none of it is left for the end. */
const slowest =
  words(`fuzz backup console contract upgrade nodes/http database/slow database/cluster
  faults/slow faults/service faults/crowd nodes doctor webhooks integrity packages cli api
  faults src/library/images database imaging s3 docs`);

/** A part of the tests, for one of several machines. */
export interface Shard {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

const whole: Shard = { number: 1, of: 1 };

/** @param text such as "2/3". @throws Error for any other. */
export function shardOf(text: string): Shard {
  const [number = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).slice(1).map(Number);
  if (number >= 1 && number <= of) return { number, of };
  throw new Error(`--shard must be a part of all, such as 2/3, not "${text}".`);
}

const beginsWith = (file: string, starts: readonly string[]): number =>
  starts.findIndex((start) => file.replace('dist/test/', 'dist/').startsWith(`dist/${start}`));

/** Whether a compiled test file is in the second tier. */
export const isSecondTier = (file: string): boolean => beginsWith(file, secondTier) >= 0;

/**
 * The test files among compiled ones, slowest first; those of scripts are run by "npm run test:system".
 * @param both whether those of the second tier, too.
 */
export function testFilesOf(compiled: readonly string[], both: boolean): string[] {
  const rank = (file: string): number => {
    const found = beginsWith(file, slowest);
    return found < 0 ? slowest.length : found;
  };
  return compiled
    .filter(
      (file) => file.endsWith('.test.js') && !/^dist\/(shared-processes|scripts)\//.test(file),
    )
    .filter((file) => both || !isSecondTier(file))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** The name of the group that a compiled test file belongs to, or undefined if it runs alone. */
function groupOf(file: string): string | undefined {
  const [, compiled = ''] = /^dist\/(.*)\.js$/.exec(file) ?? [];
  const source = compiled.replace(/^console-tests\//, 'console/');
  if (`${source}.ts` in alone) return undefined;
  const [folder = ''] = compiled.replace(/^test\//, '').split('/');
  return Object.keys(groups).find((name) => groups[name]?.folders.includes(folder));
}

export interface PlannedProcess {
  readonly name: string;
  readonly files: readonly string[];
}

/**
 * Which test files run in the same process. @param files compiled test files. @returns the processes of
 * the shard in the order of their first files.
 */
export function planProcesses(files: readonly string[], shard: Shard = whole): PlannedProcess[] {
  const members = new Map<string, string[]>(); // files by the group that they belong to, or by themselves
  for (const file of files) {
    const key = groupOf(file) ?? file;
    members.set(key, [...(members.get(key) ?? []), file]);
  }
  const all = [...members].flatMap(([name, all]) => {
    const count = Math.ceil(all.length / (groups[name]?.together ?? 1));
    return Array.from({ length: count }, (_, first) => ({
      name: `${name}-${first + 1}`,
      files: all.filter((_, n) => n % count === first),
    }));
  });
  return all.filter((_, n) => n % shard.of === shard.number - 1);
}

/** The test that every shared process begins with. */
export const allRead = 'all files of this process are read';

/**
 * While a test runs, node:test neither begins the next nor runs the hooks after the last one. A file that
 * throws while it is read fails that test by its name; the tests of the others run.
 */
const head = `import { test } from 'node:test';
let ended;
test('${allRead}', () => new Promise((...settle) => (ended = settle)));
const unread = [];
for (const file of files()) {
  await import(file).catch((cause) => unread.push(new Error(file + ' cannot be read', { cause })));
}
const [done, fail] = ended;
if (unread.length > 0) fail(new AggregateError(unread, unread.map(String).join('\\n')));
else done();
`;

/**
 * Makes test files share processes. A failed test still names its file.
 * @param files compiled test files. @returns files to run instead: some import those of a process.
 */
export function shareProcesses(root: string, files: readonly string[], shard?: Shard): string[] {
  const folder = join('dist', 'shared-processes');
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder));
  return planProcesses(files, shard).map(({ name, files: [first = '', ...rest] }) => {
    if (rest.length === 0) return first;
    const path = join(folder, `${name}.test.js`);
    const list = JSON.stringify([first, ...rest].map((file) => relative(folder, file)));
    writeFileSync(join(root, path), `${head}function files() {\n  return ${list};\n}\n`);
    return path;
  });
}
