/**
 * A breakdown of the CPU time of an upload, a page, and a file over all processes: that of the service by
 * JavaScript code, that of imaging by step. Takes about two minutes.
 *
 *     npm run bench -- --profile [--seconds 10] [--images 100000] [--out DIR]
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BenchService } from './harness/bench-service.js';
import { sharesOf, type CpuProfile } from './harness/cpu-profile.js';
import { cpuTimeOf, since, type CpuTime } from './harness/cpu.js';
import { imagingSteps } from './harness/imaging-steps.js';
import { LoadGenerator, type Call } from './harness/load.js';
import { picture, upload } from './harness/pictures.js';
import { record } from './harness/recorded.js';
import type { Times } from './harness/times-chart.js';
import { openDirectory, report } from './private-service.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    images: { type: 'string', default: '100000' },
    out: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const concurrency = 8;

interface Kind {
  readonly name: string;
  readonly title: string;
  readonly call: (service: BenchService, scratch: string) => Promise<Call>;
}

const kinds: readonly Kind[] = [
  {
    name: 'upload',
    title: 'Upload, 12 MP',
    call: async (service, scratch) => {
      const { url, headers } = await service.user(0);
      return { method: 'POST', url, headers, file: await picture(scratch) };
    },
  },
  {
    name: 'page',
    title: 'Page of 60',
    call: async (service) => {
      const { url, headers } = await service.user(Number(values.images));
      return { url, headers };
    },
  },
  {
    name: 'thumbnail',
    title: 'Thumbnail',
    call: async (service, scratch) => ({
      url: (await upload(await service.user(0), scratch)).thumb_url,
    }),
  },
  {
    name: 'original',
    title: 'Original, 2.5 MB',
    call: async (service, scratch) => ({
      url: (await upload(await service.user(0), scratch)).org_path_url,
    }),
  },
];

const nowMicros = (): number => Number(process.hrtime.bigint() / 1000n);

/** Each kind runs in a separate service, since a profile is written when the service exits. */
async function measure(kind: Kind, dir: string, load: LoadGenerator): Promise<Times> {
  const profiles = join(dir, `profiles-${kind.name}`);
  await mkdir(profiles);
  const service = await BenchService.open(
    join(dir, 'home'),
    [],
    ['--cpu-prof', '--cpu-prof-interval=1000', `--cpu-prof-dir=${profiles}`],
  );
  const clients = Array.from({ length: concurrency }, () => [] as Call[]);
  let window: readonly [number, number] = [0, 0];
  let spent: CpuTime = await cpuTimeOf(service);
  let count = 0;
  try {
    const call = await kind.call(service, dir);
    for (const client of clients) client.push(call);
    await load.run({ clients, until: { seconds: seconds / 3 }, status: 200 });
    const [start, before] = [nowMicros(), await cpuTimeOf(service)];
    const { perSecond } = await load.run({ clients, until: { seconds }, status: 200 });
    window = [start, nowMicros()];
    count = (perSecond * (window[1] - window[0])) / 1e6;
    spent = since(before, await cpuTimeOf(service));
  } finally {
    await service.stop();
  }
  const [file = ''] = await readdir(profiles);
  const profile = JSON.parse(await readFile(join(profiles, file), 'utf8')) as CpuProfile;
  const parts: Record<string, number> = {};
  const add = (part: string, ms: number): void => {
    if (ms > 0) parts[part] = (parts[part] ?? 0) + ms / count;
  };
  for (const [step, share] of await imagingSteps(await picture(dir))) {
    add(step, spent.imaging * share);
  }
  for (const [part, share] of sharesOf(profile, ...window)) add(part, spent.service * share);
  add('threads: hash, disk, compiler', spent['service threads']);
  add('PostgreSQL', spent.PostgreSQL);
  return { name: kind.name, title: kind.title, spent: small(parts) };
}

/** Combines parts below a fiftieth into one. */
function small(parts: Readonly<Record<string, number>>): Record<string, number> {
  const total = Object.values(parts).reduce((sum, ms) => sum + ms, 0);
  const kept = Object.entries(parts).filter(([, ms]) => ms >= total / 50);
  const rest = total - kept.reduce((sum, [, ms]) => sum + ms, 0);
  return { ...Object.fromEntries(kept), ...(rest > 0 && { 'everything else': rest }) };
}

const dir = await openDirectory('imgstore-profile-');
const load = new LoadGenerator();
try {
  for (const kind of kinds) {
    report(`Measuring ${kind.name}`);
    const times = await measure(kind, dir, load);
    console.log(`${times.title}, milliseconds of CPU time:`);
    for (const [part, ms] of Object.entries(times.spent)) {
      console.log(`  ${part.padEnd(28)}${ms.toFixed(2).padStart(8)}`);
    }
    if (values.out !== undefined) await record(values.out, { times: [times] });
  }
} finally {
  load.close();
  await rm(dir, { recursive: true, force: true });
}
