/**
 * Requests per second of signed URLs at concurrency 8: thumbnails, originals, and 304, each compared
 * with bare node:http on the same files, and behind nginx with nginx alone; turn by turn in the same
 * run. Servers and load have a process each.
 *
 *   node dist/bench/files.js [seconds per turn] [turns]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Load } from './files/load.js';
import { sizes } from './files/objects.js';
import type { Kind, Served, Server } from './files/objects.js';

const concurrency = 8;

interface Row {
  readonly name: string;
  readonly kind: Kind;
  readonly conditional: boolean;
  readonly measured: Server;
  readonly limit: Server;
  readonly goal: number;
}

const rows: readonly Row[] = [
  {
    name: 'thumbnail',
    kind: 'thumb',
    conditional: false,
    measured: 'ours',
    limit: 'bare',
    goal: 0.6,
  },
  { name: '304', kind: 'thumb', conditional: true, measured: 'ours', limit: 'bare', goal: 0.5 },
  {
    name: 'original',
    kind: 'original',
    conditional: false,
    measured: 'ours',
    limit: 'bare',
    goal: 1,
  },
  {
    name: 'original behind nginx',
    kind: 'original',
    conditional: false,
    measured: 'accel',
    limit: 'sendfile',
    goal: 0.8,
  },
];

const program = (name: string): string =>
  fileURLToPath(new URL(`files/${name}.js`, import.meta.url));

/** The path's object has its key as its ETag. */
const requestOf = (path: string, conditional: boolean): string => {
  const [address = ''] = path.split('?', 1);
  const condition = conditional ? `If-None-Match: "${address.slice('/files/'.length)}"\r\n` : '';
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\n${condition}\r\n`;
};

/** Requests per second, and microseconds of the servers' CPU time per request. */
interface Measurement {
  readonly rate: number;
  readonly cpu: number;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const seconds = Number(process.argv[2] ?? 2);
const turns = Number(process.argv[3] ?? 5);
// The log is written, and read by nobody.
const servers = fork(program('servers'), { stdio: ['ignore', 'inherit', 'ignore', 'ipc'] });
const loader = fork(program('load'));
const [{ bases, paths }] = (await once(servers, 'message')) as [Served];

async function cpuTime(): Promise<number> {
  servers.send('cpu');
  const [{ user, system }] = (await once(servers, 'message')) as [NodeJS.CpuUsage];
  return user + system;
}

async function measure(base: string, { kind, conditional }: Row): Promise<Measurement> {
  const before = await cpuTime();
  loader.send({
    base,
    requests: paths[kind].map((path) => requestOf(path, conditional)),
    status: conditional ? 304 : 200,
    bytes: conditional ? 0 : sizes[kind],
    concurrency,
    seconds,
  } satisfies Load);
  const [rate] = (await once(loader, 'message')) as [number];
  return { rate, cpu: ((await cpuTime()) - before) / (rate * seconds) };
}

for (const row of rows) {
  const [measured, limit]: [Measurement[], Measurement[]] = [[], []];
  await measure(bases[row.limit], row);
  await measure(bases[row.measured], row);
  for (let turn = 0; turn < turns; turn += 1) {
    limit.push(await measure(bases[row.limit], row));
    measured.push(await measure(bases[row.measured], row));
  }
  for (const [server, all] of [
    [row.measured, measured],
    [row.limit, limit],
  ] as const) {
    const [rate, cpu] = [median(all.map((one) => one.rate)), median(all.map((one) => one.cpu))];
    console.log(
      `${row.name}, ${server}: ${rate.toFixed(0)}/s, ${cpu.toFixed(0)} µs of Node's CPU time each`,
    );
  }
  const ratios = measured.map(({ rate }, turn) => rate / (limit[turn]?.rate ?? NaN));
  console.log(`${row.name}: ratio ${median(ratios).toFixed(2)} (goal ${row.goal})`);
}
servers.send('end');
loader.disconnect();
