import { availableParallelism } from 'node:os';
import { onlyValue } from '../../src/database/sql.js';
import type { BenchService, BenchUser } from '../harness/bench-service.js';
import { cpuMs, cpuTimeOf, since, type CpuTime } from '../harness/cpu.js';
import { LoadGenerator, median, type Call } from '../harness/load.js';
import { picture, upload } from '../harness/pictures.js';
import { coresAt, type Costs, type Step, type StepCost } from './model.js';

const rounds = 5;
const clients = 8;

const total = (spent: StepCost): number => spent.script + spent.beside + spent.database;

const partsOf = (spent: CpuTime): StepCost => ({
  script: spent.service,
  beside: spent['service threads'] + spent.imaging,
  database: spent.PostgreSQL,
});

/** What each step sends, on a service with a user of many images. */
export interface Calls {
  readonly upload: Call;
  readonly page: Call;
  readonly thumbnail: Call;
  /** Two, of which each undoes the other. */
  readonly change: readonly [Call, Call];
}

export async function callsOf(
  service: BenchService,
  user: BenchUser,
  scratch: string,
): Promise<Calls> {
  const uploader = await service.user(0);
  const image = await upload(uploader, scratch);
  const change = (det: string): Call => ({
    method: 'PUT',
    url: `${uploader.url}/${image.id}`,
    headers: { ...uploader.headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `has_det=${det}`,
  });
  return {
    upload: {
      method: 'POST',
      url: uploader.url,
      headers: uploader.headers,
      file: await picture(scratch),
    },
    page: { url: user.url, headers: user.headers },
    thumbnail: { url: image.thumb_url },
    change: [change('True'), change('False')],
  };
}

const walPosition = (service: BenchService): Promise<number> =>
  onlyValue(service.db, `SELECT (pg_current_wal_lsn() - '0/0')::float8 AS bytes`);

const callsEach: Readonly<Record<Step, number>> = {
  upload: 8,
  page: 60,
  thumbnail: 400,
  change: 40,
};

/** Measures a step: the median of the rounds' CPU time, and the bytes of log of one call. */
async function measureStep(service: BenchService, load: LoadGenerator, calls: Calls, step: Step) {
  const calling = [calls[step]].flat();
  const spent: StepCost[] = [];
  const logged: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const each = callsEach[step];
    const [before, wal] = [await cpuTimeOf(service), await walPosition(service)];
    const all = Array.from({ length: step === 'change' ? 1 : clients }, () => calling);
    await load.run({ clients: all, until: { calls: each }, status: 200 });
    const count = each * all.length;
    const { script, beside, database } = partsOf(since(before, await cpuTimeOf(service)));
    if (round < 0) continue; // the first round warms up
    spent.push({ script: script / count, beside: beside / count, database: database / count });
    logged.push(((await walPosition(service)) - wal) / count);
  }
  const of = (part: keyof StepCost): number => median(spent.map((one) => one[part]));
  const cost = { script: of('script'), beside: of('beside'), database: of('database') };
  return { cost, walBytes: median(logged) };
}

const bytesOf = async (call: Call): Promise<number> => {
  const answer = await fetch(call.url, { headers: { ...call.headers } });
  return (await answer.arrayBuffer()).byteLength;
};

/** The costs of this machine. @param images of the user whose pages are read, all of them seeded. */
export async function measureCosts(
  service: BenchService,
  {
    load,
    calls,
    images,
    scratch,
  }: { load: LoadGenerator; calls: Calls; images: number; scratch: string },
): Promise<Costs> {
  const bytes = await databaseBytes(service);
  const [up, page, thumbnail, change] = [
    await measureStep(service, load, calls, 'upload'),
    await measureStep(service, load, calls, 'page'),
    await measureStep(service, load, calls, 'thumbnail'),
    await measureStep(service, load, calls, 'change'),
  ];
  const image = await upload(await service.user(0), scratch);
  const urls = [image.org_path_url, image.path_url, image.thumb_url];
  const sizes = await Promise.all(urls.map((url) => bytesOf({ url })));
  return {
    steps: { upload: up.cost, page: page.cost, thumbnail: thumbnail.cost, change: change.cost },
    rowBytes: bytes / images,
    walBytes: { upload: up.walBytes, change: change.walBytes },
    objectBytes: sizes.reduce((sum, one) => sum + one, 0),
    objects: sizes.length,
    answerBytes: { page: await bytesOf(calls.page), thumbnail: sizes[2] ?? 0 },
  };
}

/** Of all tables but the empty database's. */
export const databaseBytes = (service: BenchService): Promise<number> =>
  onlyValue(
    service.db,
    `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );

export interface Point {
  readonly what: string;
  readonly unit: string;
  readonly predicted: number;
  readonly measured: number;
}

const seconds = 20;

/** Uploads per second when they alone keep all cores busy, but for what the load generator takes. */
export async function saturation({
  load,
  calls,
  costs,
}: {
  load: LoadGenerator;
  calls: Calls;
  costs: Costs;
}): Promise<Point> {
  const busy = Array.from({ length: clients }, () => [calls.upload]);
  await load.run({ clients: busy, until: { seconds: seconds / 4 }, status: 200 });
  const [before, began] = [await cpuMs(`/proc/${load.pid}`), performance.now()];
  const { perSecond } = await load.run({ clients: busy, until: { seconds }, status: 200 });
  const others = ((await cpuMs(`/proc/${load.pid}`)) - before) / (performance.now() - began);
  const cores = availableParallelism() - others;
  const predicted = (cores * 1000) / total(costs.steps.upload);
  return {
    what: `Uploads, with ${cores.toFixed(2)} cores`,
    unit: '/s',
    predicted,
    measured: perSecond,
  };
}

/** Cores that uploads, pages, thumbnails, and changes keep busy together. */
export async function mixture(
  service: BenchService,
  { calls, costs }: { calls: Calls; costs: Costs },
): Promise<Point> {
  const loads = (Object.keys(callsEach) as Step[]).map((step) => ({
    step,
    load: new LoadGenerator(),
  }));
  try {
    const run = (length: number) =>
      Promise.all(
        loads.map(async ({ step, load }) => {
          const one = { clients: [[calls[step]].flat()], until: { seconds: length }, status: 200 };
          return [step, (await load.run(one)).perSecond] as const;
        }),
      );
    await run(seconds / 4);
    const [before, began] = [await cpuTimeOf(service), performance.now()];
    const rates = Object.fromEntries(await run(seconds)) as Record<Step, number>;
    const lasted = performance.now() - began;
    const measured = total(partsOf(since(before, await cpuTimeOf(service)))) / lasted;
    const rate = Object.entries(rates).map(([step, each]) => `${each.toFixed(1)} ${step}`);
    const predicted = total(coresAt(costs, rates));
    return { what: `Per second: ${rate.join(', ')}`, unit: 'cores', predicted, measured };
  } finally {
    for (const { load } of loads) load.close();
  }
}
