/**
 * The cost of counting: CPU time of the service per request, for this build with and without scrapes of
 * its metrics, and for other builds, in alternating rounds of one run.
 *
 *     node dist/bench/counting.js [ROOT...]   roots of other builds, each with its dist/
 */
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filePart, jpeg } from '../testkit/pictures.js';
import { freePort } from '../testkit/nginx.js';
import { Client } from '../testkit/client.js';
import type { ImageRecord } from '../src/library/images/schemas.js';
import { secondMs } from '../src/base/units.js';
import type * as Harness from './harness/bench-service.js';
import type { BenchService } from './harness/bench-service.js';
import { cpuTimeOf, since } from './harness/cpu.js';
import { LoadGenerator, median } from './harness/load.js';
import type { Call } from './harness/load.js';
import { openDirectory } from './private-service.js';

const turns = 9;
const clients = 4;
const here = resolve(fileURLToPath(import.meta.url), '../../..');

/** Requests of one client in a round: enough for about a second. */
const kinds = { thumbnail: 2_000, 'not modified': 3_000, page: 120 } as const;
type Kind = keyof typeof kinds;

interface Side {
  readonly name: string;
  readonly service: BenchService;
  readonly calls: Readonly<Record<Kind, { readonly call: Call; readonly status: number }>>;
  readonly end: () => Promise<void>;
}

async function open(root: string, name: string, flags: readonly string[]): Promise<Side> {
  const file = join(root, 'dist/bench/harness/bench-service.js');
  const { BenchService: Service } = (await import(file)) as typeof Harness;
  const dir = await openDirectory('imgstore-counting-');
  const service = await Service.open(dir, ['--log-level', 'warn', ...flags]);
  const { url, headers } = await service.user(1_000);
  const [, token = ''] = headers.Authorization.split(' ');
  const { result } = await new Client(service.url).post<ImageRecord>(new URL(url).pathname, {
    as: ['User', token],
    form: { image_data: filePart(await jpeg({ width: 1200, height: 900 })) },
  });
  const thumb = result.thumb_url;
  const answer = await fetch(thumb);
  await answer.arrayBuffer();
  const known = { 'If-None-Match': answer.headers.get('etag') ?? '' };
  const end = async (): Promise<void> => {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  };
  const calls = {
    thumbnail: { call: { url: thumb }, status: 200 },
    'not modified': { call: { url: thumb, headers: known }, status: 304 },
    page: { call: { url, headers }, status: 200 },
  };
  return { name, service, calls, end };
}

/** Microseconds of CPU time per request. */
async function cost(generator: LoadGenerator, side: Side, kind: Kind): Promise<number> {
  const { call, status } = side.calls[kind];
  const before = await cpuTimeOf(side.service);
  const all = Array.from({ length: clients }, () => [call]);
  await generator.run({ clients: all, until: { calls: kinds[kind] }, status });
  const spent = since(before, await cpuTimeOf(side.service));
  const ms = spent.service + spent['service threads'];
  return (ms * secondMs) / (clients * kinds[kind]);
}

const generator = new LoadGenerator();
const port = await freePort();
const sides: Side[] = [];
let scraping: NodeJS.Timeout | undefined;
try {
  for (const root of process.argv.slice(2).map((path) => resolve(path))) {
    sides.push(await open(root, root, []));
  }
  sides.push(await open(here, 'this build', []));
  sides.push(await open(here, 'scraped', ['--metrics-port', String(port)]));
  const scrape = (): void =>
    void fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text());
  scraping = setInterval(scrape, 15 * secondMs);
  for (const kind of Object.keys(kinds) as Kind[]) {
    const costs = sides.map((): number[] => []);
    for (let turn = -1; turn < turns; turn += 1) {
      for (const [n, side] of sides.entries()) {
        const one = await cost(generator, side, kind);
        if (turn >= 0) costs[n]?.push(one);
      }
    }
    const first = costs[0] ?? [];
    for (const [n, { name }] of sides.entries()) {
      const mine = costs[n] ?? [];
      const ratio = median(mine.map((value, turn) => value / (first[turn] ?? NaN)));
      console.log(`${kind} ${name}: ${median(mine).toFixed(1)} µs, ${ratio.toFixed(3)} ×`);
    }
  }
} finally {
  clearInterval(scraping);
  generator.close();
  for (const { end } of sides) await end();
}
