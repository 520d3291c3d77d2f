/**
 * Which files and functions of the service run for one warm request of each kind: how much a reader has to
 * know to follow it. By V8's precise coverage of the compiled sources, one file each. Takes a minute.
 *
 *     npm run bench -- --paths [--list]
 */
import { once } from 'node:events';
import { openAsBlob, watch } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { secondMs } from '../src/base/units.js';
import type { ImageRecord } from '../src/library/images/schemas.js';
import { readOptions } from '../testkit/script.js';
import { BenchService } from './harness/bench-service.js';
import { picture } from './harness/pictures.js';
import { openDirectory, report } from './private-service.js';

const usage = `Usage: npm run bench -- --paths [--list]

  --list   each file, and how many of its functions ran`;
const { list } = readOptions(usage, { list: { type: 'boolean', default: false } });

/** Makes the service write what has run since the last time. */
const writesCoverage =
  'data:text/javascript,import{takeCoverage}from"node:v8";process.on("SIGUSR2",()=>takeCoverage())';

const sources = pathToFileURL(fileURLToPath(new URL('../src/', import.meta.url))).href;

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** Functions that ran, by file; loading a file is none. */
type Ran = Map<string, Set<string>>;

function ranOf({ result }: Coverage): Ran {
  const ran: Ran = new Map();
  for (const { url, functions } of result) {
    if (!url.startsWith(sources)) continue;
    const names = functions
      .filter(
        ({ functionName, ranges: [whole] }) => functionName !== '' || whole?.startOffset !== 0,
      )
      .filter(({ ranges: [whole] }) => whole && whole.count > 0)
      .map(({ functionName, ranges: [whole] }) => `${functionName}@${whole?.startOffset}`);
    if (names.length > 0) ran.set(url.slice(sources.length), new Set(names));
  }
  return ran;
}

/** What has run in the process since the last call. */
async function take(pid: number, folder: string): Promise<Ran> {
  const known = new Set(await readdir(folder));
  const changes = watch(folder);
  process.kill(pid, 'SIGUSR2');
  for (;;) {
    const names = (await readdir(folder)).filter((name) => name.includes(`-${pid}-`));
    const fresh = names.find((name) => !known.has(name));
    const text = fresh === undefined ? '' : await readFile(join(folder, fresh), 'utf8');
    if (text.endsWith('}')) {
      changes.close();
      return ranOf(JSON.parse(text) as Coverage);
    }
    await Promise.race([once(changes, 'change'), delay(secondMs)]);
  }
}

/** One request of each kind, as often as wanted; three folders can be trashed. */
async function requests(service: BenchService, dir: string) {
  const { id, url, headers } = await service.user(0);
  const image = await openAsBlob(await picture(dir));
  const send = async (): Promise<ImageRecord> => {
    const body = new FormData();
    body.set('image_data', image, 'picture.jpg');
    const response = await fetch(url, { method: 'POST', headers, body });
    return ((await response.json()) as { result: ImageRecord }).result;
  };
  const { thumb_url: signed } = await send();
  const folders = `${service.url}/api/v1/users/${id}/folders`;
  const json = { ...headers, 'content-type': 'application/json' };
  const newFolder = async (title: string): Promise<string> => {
    const body = JSON.stringify({ title });
    const response = await fetch(folders, { method: 'POST', headers: json, body });
    return ((await response.json()) as { result: { id: string } }).result.id;
  };
  const trash = [await newFolder('1'), await newFolder('2'), await newFolder('3')];
  return {
    upload: send,
    page: async () => (await fetch(url, { headers })).text(),
    'folder trash': async () => {
      const body = JSON.stringify({ delete: 'True' });
      await fetch(`${folders}/${trash.pop()}`, { method: 'PUT', headers: json, body });
    },
    'signed file': async () => (await fetch(signed)).arrayBuffer(),
  };
}

const dir = await openDirectory('imgstore-paths-');
const folder = join(dir, 'coverage');
await mkdir(folder);
process.env.NODE_V8_COVERAGE = folder;
const service = await BenchService.open(join(dir, 'home'), [], ['--import', writesCoverage]);
delete process.env.NODE_V8_COVERAGE;
try {
  report('Measuring');
  for (const [name, request] of Object.entries(await requests(service, dir))) {
    await request();
    await request(); // warm
    await take(service.pid, folder);
    await request();
    const ran = await take(service.pid, folder);
    const functions = [...ran.values()].reduce((sum, names) => sum + names.size, 0);
    console.log(`${name}: ${ran.size} files, ${functions} functions`);
    if (list) for (const [file, { size }] of [...ran].sort()) console.log(`  ${file} ${size}`);
  }
} finally {
  await service.stop();
  await rm(dir, { recursive: true, force: true });
}
