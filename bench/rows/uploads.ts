import { mkdtemp, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { cpuTimeDuring, totalOf } from '../harness/cpu.js';
import { heicPicture, picture } from '../harness/pictures.js';
import type { Bench, Row, Sides } from '../harness/row.js';
import { BareUploads } from './bare-uploads.js';

const concurrency = 8;
const seconds = 4;

/** The same image as HEIC and as JPEG, `concurrency` at a time. */
const heicRow = (clientCount: number, title: string): Row => ({
  name: clientCount === 1 ? 'uploads/heic-alone' : 'uploads/heic',
  title,
  limit: 'the same as JPEG',
  unit: 'ms',
  goal: { atMost: clientCount === 1 ? 3 : 4 },
  open: async ({ load, small, scratch }) => {
    const { url, headers } = await (await small()).user(0);
    const heic = await heicPicture(scratch);
    const timesOf = (file: string) => async (): Promise<number> => {
      const call = { method: 'POST' as const, url, headers, file };
      const clients = Array.from({ length: clientCount }, () => [call]);
      const { perSecond } = await load.run({ clients, until: { seconds }, status: 200 });
      return (clientCount * 1000) / perSecond;
    };
    return { ours: timesOf(heic.heic), limit: timesOf(heic.jpeg) };
  },
});

/**
 * What a round of uploads says. CPU time is of all processes, without the load generator.
 */
interface Round {
  readonly perSecond: number;
  readonly cpuMs: number;
}

/** Photos of 12 megapixels and 2.5 MB, with all their renditions. */
async function uploads(
  { load, small, scratch }: Bench,
  figure: (round: Round) => number,
): Promise<Sides> {
  const service = await small();
  const { url, headers } = await service.user(0);
  const file = await picture(scratch);
  const call = { method: 'POST' as const, url, headers, file };
  const clients = Array.from({ length: concurrency }, () => [call]);
  // On the disk that the service writes to.
  const folder = await mkdtemp(join(service.home.dir, 'bare-uploads-'));
  const bare = new BareUploads(folder, await readFile(file), availableParallelism());
  return {
    ours: async () => {
      const { result, time } = await cpuTimeDuring(service, () =>
        load.run({ clients, until: { seconds }, status: 200 }),
      );
      return figure({ perSecond: result.perSecond, cpuMs: totalOf(time) / result.count });
    },
    limit: async () => figure(await bare.rate(seconds)),
    close: () => bare.close(),
  };
}

export const uploadRows = (): Row[] => [
  {
    name: 'uploads',
    title: 'Uploads of 12 MP, 2.5 MB',
    limit: 'the same work in bare threads',
    unit: '/s',
    goal: { atLeast: 0.87 },
    open: (bench) => uploads(bench, ({ perSecond }) => perSecond),
  },
  {
    name: 'cpu/uploads',
    title: 'CPU time of such an upload',
    limit: 'the same work in bare threads',
    unit: 'ms',
    goal: { atMost: 1.15 },
    open: (bench) => uploads(bench, ({ cpuMs }) => cpuMs),
  },
  heicRow(concurrency, 'HEIC of 12 MP, 8 at a time'),
  heicRow(1, 'HEIC of 12 MP, one at a time'),
];
