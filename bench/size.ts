// npm run bench -- --size: how much there is to read. Prints the lines of each room, what the database has of
// functions, triggers, and indexes, and how many of our files run for an upload, a page of a list, and the
// trash of a folder. What decodes pictures runs apart, without our environment, and is not counted there.
import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { schema } from '../migrations/schema.js';
import { packageFile } from '../src/base/installed-files.js';
import { appliance, type Appliance } from '../testkit/appliance.js';
import { eventually } from '../testkit/eventually.js';
import { readPhoto } from '../testkit/photos.js';
import { withDescendants } from '../testkit/processes.js';
import { Started } from '../testkit/scope.js';
import { readOptions } from '../testkit/script.js';
import { temporaryDirectory } from '../testkit/temporary.js';
import { markdownTable } from './harness/report.js';

readOptions('Usage: npm run bench -- --size', {});

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);

async function sizeOf(folder: string): Promise<string[]> {
  const names = await readdir(packageFile(folder), { recursive: true });
  const paths = names.filter((name) => /\.(ts|tsx|sql)$/.test(name) && !/node_modules/.test(name));
  const counts = paths.map(async (path) => {
    const text = await readFile(packageFile(join(folder, path)), 'utf8');
    return { test: isTest(path), lines: text.split('\n').length - 1 };
  });
  const files = await Promise.all(counts);
  const lines = (test: boolean): string =>
    String(files.reduce((sum, file) => sum + (file.test === test ? file.lines : 0), 0));
  return [folder, String(files.filter(({ test }) => !test).length), lines(false), lines(true)];
}

async function roomsTable(): Promise<string> {
  const rooms = (await readdir(packageFile('src'))).map((name) => `src/${name}`);
  const others = [
    'workers',
    'migrations',
    'console',
    'test',
    'contract',
    'testkit',
    'bench',
    'scripts',
  ];
  const sizes = await Promise.all([...rooms, ...others].map(sizeOf));
  return markdownTable(['Room', 'Files', 'Lines', 'Lines of tests'], sizes);
}

function databaseTable(): string {
  const count = (kind: string, table?: string): string =>
    String(schema.filter((part) => part.kind === kind && (!table || part.table === table)).length);
  return markdownTable(
    ['Database', 'Number'],
    [
      ['functions', count('function')],
      ['triggers', count('trigger')],
      ['indexes on images', count('index', 'images')],
    ],
  );
}

/** What runs in this time without any request belongs to none. */
const idleMs = 5_000;

/** What has run in which process, by a signal to each. */
class Notes {
  constructor(
    private readonly service: Appliance,
    private readonly folder: string,
  ) {}

  /** The sources whose functions run while `act` does. */
  async sourcesOf(act: () => Promise<unknown>): Promise<string[]> {
    const pids = await this.#pids();
    await this.#turn(pids, 'noting');
    await act();
    await this.#turn(pids, 'noted');
    const sources = new Set<string>();
    for (const pid of pids) {
      const file = join(this.folder, `${pid}.noted`);
      for (const line of (await readFile(file, 'utf8')).split('\n').filter(Boolean)) {
        const [url = '', offset] = line.split(' ');
        const source = await sourceAt(fileURLToPath(url), Number(offset));
        if (source) sources.add(source);
      }
      await rm(file);
    }
    return [...sources];
  }

  /** The processes that note: those that have our environment. */
  async #pids(): Promise<number[]> {
    const found: number[] = [];
    for (const pid of await withDescendants([await this.service.servicePid()])) {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (environment.includes(this.folder) && line.includes('node')) found.push(pid);
    }
    return found;
  }

  async #turn(pids: readonly number[], state: string): Promise<void> {
    for (const pid of pids) process.kill(pid, 'SIGUSR2');
    await eventually(`all are ${state}`, async () => {
      const names = await readdir(this.folder);
      return pids.every((pid) => names.includes(`${pid}.${state}`));
    });
    if (state === 'noting') for (const pid of pids) await rm(join(this.folder, `${pid}.${state}`));
  }
}

interface Bundle {
  /** Where each line begins. */
  readonly lines: readonly number[];
  readonly map: SourceMap;
}
const bundles = new Map<string, Promise<Bundle>>();

async function readBundle(path: string): Promise<Bundle> {
  const text = await readFile(path, 'utf8');
  const payload = JSON.parse(await readFile(`${path}.map`, 'utf8')) as SourceMapPayload;
  const lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return { lines, map: new SourceMap(payload) };
}

/** Our file that a place in a bundle comes from; undefined for a library's. */
async function sourceAt(path: string, offset: number): Promise<string | undefined> {
  const found = bundles.get(path) ?? readBundle(path);
  bundles.set(path, found);
  const { lines, map } = await found;
  const line = lines.findLastIndex((start) => start <= offset);
  const entry = map.findEntry(line, offset - (lines[line] ?? 0));
  const source = 'originalSource' in entry ? entry.originalSource : '';
  return /\/((?:src|workers)\/.*)$/.exec(source.includes('node_modules') ? '' : source)?.[1];
}

async function runTable(scope: Started): Promise<string> {
  const folder = await temporaryDirectory('size', tmpdir());
  scope.after(() => rm(folder, { recursive: true }));
  await mkdir(folder, { recursive: true });
  const preload = pathToFileURL(packageFile('dist/bench/size/functions-run.js')).href;
  const service = await appliance(scope, {
    env: { NODE_OPTIONS: `--import ${preload}`, IMGSTORE_FUNCTIONS_RUN: folder },
  });
  const { user } = service;
  const photo = await readPhoto('landscape_6.jpg');
  let n = 0;
  const upload = () =>
    user.upload({ latitude: `${(n += 1)}`, longitude: '127' }, Buffer.from([...photo, n]));
  const folders = await Promise.all(['a', 'b'].map((title) => user.folder(title)));
  const acts: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['upload', upload],
    ['page of a list', () => user.list()],
    ['trash of a folder', () => user.trashFolder(folders.pop() ?? { id: '' })],
  ];
  const notes = new Notes(service, folder);
  const idle = await notes.sourcesOf(() => delay(idleMs));
  const rows: string[][] = [];
  for (const [name, act] of acts) {
    await act(); // what runs the first time only does not count
    const sources = (await notes.sourcesOf(act)).filter((source) => !idle.includes(source));
    const of = (room: string): string =>
      String(sources.filter((source) => source.startsWith(room)).length);
    rows.push([name, String(sources.length), of('src/library/'), of('src/http/')]);
  }
  return markdownTable(['Files that run', 'All', 'library', 'http'], rows);
}

const scope = new Started();
try {
  const tables = [await roomsTable(), databaseTable(), await runTable(scope)];
  process.stdout.write(`${tables.join('\n\n')}\n`);
} finally {
  await scope.end();
}
