import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { Started } from '../testkit/scope.js';
import { misused, numberOf, readOptions } from '../testkit/script.js';
import { appliance } from '../testkit/appliance.js';
import { changedImages, kinds, measureRound, mediansOf, type Kind, type Side } from './cost.js';
import type { CpuTime } from './harness/cpu.js';
import { LoadGenerator } from './harness/load.js';
import { figure } from './harness/report.js';
import { openDirectory, report } from './private-service.js';

const usage = `Usage: npm run bench -- --versions --program PATH/bin/imgstore [--only NAME,…] [--rounds 7]

CPU time of each request beside that of another build, such as an earlier release, in alternating rounds:
other work on the machine disturbs it less than rates. Exit code 1 if this build spends more than its goal.

  --only NAME,…  of these: ${kinds.map(({ name }) => name).join(', ')}`;
const values = readOptions(usage, {
  program: { type: 'string' },
  only: { type: 'string' },
  rounds: { type: 'string', default: '7' },
});
const program = values.program ?? misused('There is no --program.', usage);
const rounds = numberOf(['rounds', values.rounds], usage, 1);
const only = values.only?.split(',');
const chosen = kinds.filter(({ name }) => only?.includes(name) ?? true);
if (chosen.length === 0) misused(`Nothing is named ${values.only}.`, usage);

const load = new LoadGenerator();

/** Starts a build, whose user has uploaded small pictures. */
async function open(started: Started, file: string, other?: string): Promise<Side> {
  report(`Starting ${other ?? 'this build'}`);
  const target = await appliance(started, { program: other });
  const { home, port, client, user } = target;
  const pid = await target.servicePid();
  const { images: path, token } = user;
  const [url, headers] = [`http://127.0.0.1:${port}${path}`, { Authorization: `User ${token}` }];
  const clients = Array.from({ length: 8 }, () => [
    { method: 'POST' as const, url, headers, file },
  ]);
  await load.run({ clients, until: { calls: changedImages / 8 }, status: 200 });
  const imageIds: string[] = [];
  while (imageIds.length < changedImages) {
    const query = { page_size: 120, last_index: imageIds.length };
    const { result } = await client.get<{ items: { id: string }[] }>(path, {
      as: ['User', token],
      query,
    });
    imageIds.push(...result.items.map((image) => image.id));
  }
  return { pid, home, url, headers, imageIds };
}

/** Each round measures both, the other one first in every second. @returns whether the goal is reached. */
async function compare(
  kind: Kind,
  [ours, before]: readonly [Side, Side],
  scratch: string,
): Promise<boolean> {
  const calls = [
    [ours, await kind.callOf(ours, scratch)],
    [before, await kind.callOf(before, scratch)],
  ] as const;
  const times = new Map<Side, CpuTime[]>([
    [ours, []],
    [before, []],
  ]);
  for (let round = 0; round <= rounds; round += 1) {
    for (const one of round % 2 ? calls : calls.toReversed()) {
      const spent = await measureRound(kind, one, round, load);
      if (round > 0) times.get(one[0])?.push(spent); // the first round warms up
    }
  }
  const [now, then] = [ours, before].map((side) => mediansOf(times.get(side) ?? []));
  if (!now || !then) throw new Error('nothing was measured');
  const ratio = then.all / now.all;
  const reached = ratio >= kind.goal;
  console.log(
    `${kind.title}: ${figure(now.all)} ms, before ${figure(then.all)} ms; before to now ${ratio.toFixed(2)}, ≥ ${kind.goal} ${reached ? '✓' : '✗'}`,
  );
  return reached;
}

const scratch = await openDirectory('imgstore-versions-');
const started = new Started();
try {
  const small = join(scratch, 'small.jpg');
  const create = { width: 320, height: 240, channels: 3, background: '#468' } as const;
  await sharp({ create }).jpeg().toFile(small);
  const sides = [await open(started, small), await open(started, small, program)] as const;
  for (const kind of chosen) {
    if (!(await compare(kind, sides, scratch))) process.exitCode = 1;
  }
} finally {
  load.close();
  await started.end();
  await rm(scratch, { recursive: true, force: true });
}
