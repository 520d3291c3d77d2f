/**
 * Compares this build with another one, an earlier release for example, in alternating rounds: the rates of
 * uploads and of small changes, and the CPU time that all processes spend on each, which other work on
 * the machine disturbs less.
 *
 *     npm run bench -- --versions --program PATH/bin/imgstore [--only uploads,has_det] [--rounds 7]
 *
 * Exit code 1 if this build spends more CPU time than the goal of a row allows.
 */
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import sharp from 'sharp';
import { Started } from '../testkit/scope.js';
import { misused, readOptions } from '../testkit/script.js';
import { Target } from '../testkit/target.js';
import { cpuTimeOf, since, type CpuTime } from './harness/cpu.js';
import { LoadGenerator, median, type Call } from './harness/load.js';
import { heicPicture, picture } from './harness/pictures.js';
import { figure } from './harness/report.js';
import { openDirectory, report } from './private-service.js';

const usage = `Usage: npm run bench -- --versions --program PATH/bin/imgstore [--only NAME,…] [--rounds 7]`;
const values = readOptions(usage, {
  program: { type: 'string' },
  only: { type: 'string' },
  rounds: { type: 'string', default: '7' },
});
const program = values.program ?? misused('There is no --program.', usage);
const rounds = Number(values.rounds);

const load = new LoadGenerator();

/** Images of the user whose images are changed, each by one client. */
const changed = 240;

/** A running build. */
interface Side {
  readonly target: Target;
  /** URL of a user's images. */
  readonly url: string;
  readonly headers: { readonly Authorization: string };
  readonly imageIds: readonly string[];
}

interface Kind {
  readonly name: string;
  readonly clients: number;
  /** Sent by each client in a round. */
  readonly calls: number;
  /** Ratio of the CPU time before to that of this build. */
  readonly goal: number;
  /** Makes what is uploaded, once. */
  readonly file?: (scratch: string) => Promise<string>;
  readonly call: (side: Side, at: { file: string; client: number; n: number }) => Call;
}

const upload = ({ url, headers }: Side, file: string): Call => {
  return { method: 'POST', url, headers, file };
};

/** A change of one image; `turn` alternates, so that each is a change. */
const change = (name: string, method: 'PUT' | 'POST', form: (turn: number) => object): Kind => ({
  name,
  clients: 8,
  calls: changed / 8,
  goal: 0.95,
  call: ({ url, headers, imageIds }, { client, n }) => {
    const path = method === 'POST' ? '/memos' : '';
    return {
      method,
      url: `${url}/${imageIds[(client * changed) / 8 + Math.floor(n / 2)]}${path}`,
      headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(Object.entries(form(n % 2))).toString(),
    };
  },
});

const kinds: readonly Kind[] = [
  {
    name: 'uploads',
    clients: 8,
    calls: 6,
    goal: 0.97,
    file: picture,
    call: (side, { file }) => upload(side, file),
  },
  {
    name: 'heic',
    clients: 2,
    calls: 5,
    goal: 0.97,
    file: async (scratch) => (await heicPicture(scratch)).heic,
    call: (side, { file }) => upload(side, file),
  },
  change('has_det', 'PUT', (turn) => ({ has_det: turn ? 'False' : 'True' })),
  change('trash and restore', 'PUT', (turn) => ({ delete: turn ? 'False' : 'True' })),
  change('memo', 'POST', () => ({ message: 'seen', is_client: 'True' })),
];

async function open(started: Started, small: string, other?: string): Promise<Side> {
  report(`Starting ${other ?? 'this build'}`);
  const target = await Target.start(started, { program: other });
  const { user_id: id, access_token: token } = await target.user(await target.platform());
  const url = `http://127.0.0.1:${target.port}/api/v1/users/${id}/images`;
  const side = { target, url, headers: { Authorization: `User ${token}` }, imageIds: [] };
  const clients = Array.from({ length: 8 }, () => [upload(side, small)]);
  await load.run({ clients, until: { calls: changed / 8 }, status: 200 });
  const imageIds: string[] = [];
  while (imageIds.length < changed) {
    const { result } = await target.client.get<{ items: { id: string }[] }>(
      `/api/v1/users/${id}/images?page_size=120&last_index=${imageIds.length}`,
      { as: ['User', token] },
    );
    imageIds.push(...result.items.map((image) => image.id));
  }
  return { ...side, imageIds };
}

interface Measured {
  readonly perSecond: number;
  /** Milliseconds of one call, by part of the service. */
  readonly spent: CpuTime;
}

const total = (spent: CpuTime): number => Object.values(spent).reduce((sum, ms) => sum + ms, 0);

async function measure(kind: Kind, file: string, side: Side): Promise<Measured> {
  const clients = Array.from({ length: kind.clients }, (_, client) =>
    Array.from({ length: kind.calls }, (_call, n) => kind.call(side, { file, client, n })),
  );
  const before = await cpuTimeOf(side.target);
  const { perSecond } = await load.run({ clients, until: { calls: kind.calls }, status: 200 });
  const all = Object.entries(since(before, await cpuTimeOf(side.target)));
  const each = all.map(([part, ms]) => [part, ms / (kind.clients * kind.calls)]);
  return { perSecond, spent: Object.fromEntries(each) as CpuTime };
}

/** Each round measures both, the other one first in every second. @returns whether the goal is reached. */
async function compare(kind: Kind, file: string, sides: readonly [Side, Side]): Promise<boolean> {
  const all: (readonly [ours: Measured, before: Measured])[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const [ours, before] = sides;
    const first = round % 2 ? await measure(kind, file, before) : undefined;
    const own = await measure(kind, file, ours);
    const both = [own, first ?? (await measure(kind, file, before))] as const;
    if (round >= 0) all.push(both); // the first round warms up
  }
  const of = (get: (measured: Measured) => number) => {
    const ours = median(all.map(([one]) => get(one)));
    const before = median(all.map(([, other]) => get(other)));
    return { ours: figure(ours), before: figure(before), ratio: ours / before };
  };
  const rate = of(({ perSecond }) => perSecond);
  const cpu = of(({ spent }) => total(spent));
  const parts = (Object.keys(all[0]?.[0].spent ?? {}) as (keyof CpuTime)[]).map((part) => {
    const { ours, before } = of(({ spent }) => spent[part]);
    return `${part} ${ours} (${before})`;
  });
  const reached = 1 / cpu.ratio >= kind.goal;
  const cells = [
    kind.name,
    `${rate.ours} /s`,
    `${rate.before} /s`,
    rate.ratio.toFixed(2),
    `${cpu.ours} ms`,
    `${cpu.before} ms`,
    `**${(1 / cpu.ratio).toFixed(2)}**`,
    `≥ ${kind.goal} ${reached ? '✓' : '✗'}`,
    parts.join(', '),
  ];
  console.log(`| ${cells.join(' | ')} |`);
  return reached;
}

const scratch = await openDirectory('imgstore-versions-');
const started = new Started();
try {
  const small = join(scratch, 'small.jpg');
  const create = { width: 320, height: 240, channels: 3, background: '#468' } as const;
  await sharp({ create }).jpeg().toFile(small);
  const sides = [await open(started, small), await open(started, small, program)] as const;
  console.log(
    '| What | Now | Before | Ratio | CPU time of one, now | Before | Before to now | Goal | By part (before) |',
  );
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|---|');
  const only = values.only?.split(',');
  for (const kind of kinds) {
    if (only && !only.some((name) => kind.name.startsWith(name))) continue;
    const file = (await kind.file?.(scratch)) ?? '';
    if (!(await compare(kind, file, sides))) process.exitCode = 1;
  }
} finally {
  load.close();
  await started.end();
  await rm(scratch, { recursive: true, force: true });
}
