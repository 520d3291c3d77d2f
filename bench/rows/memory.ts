import { join } from 'node:path';
import sharp from 'sharp';
import { onlyValue } from '../../src/database/sql.js';
import { postmasterPid } from '../../testkit/command.js';
import { residentMb } from '../../testkit/memory.js';
import { withDescendants } from '../../testkit/processes.js';
import { BenchService } from '../harness/bench-service.js';
import type { Bench, Row } from '../harness/row.js';

const sampleMs = 50;

/** Proportional set size of all processes of a new service, its database included. */
export const memoryRows = (): Row[] => {
  const row = (name: string, title: string, atMost: number, use: Use): Row => ({
    name,
    title,
    unit: 'MB',
    goal: { atMost },
    open: async (bench) => ({ ours: () => peakOf(bench, use) }),
  });
  return [
    row('memory/start', 'Memory after the start', 150, async () => undefined),
    row('memory/uploads', 'Memory at most, 8 uploads of 49 MB', 400, uploadLarge),
  ];
};

type Use = (service: BenchService, bench: Bench) => Promise<unknown>;

/** The most that is in use at a time, in megabytes. */
async function peakOf(bench: Bench, use: Use): Promise<number> {
  const service = await BenchService.open(join(bench.scratch, 'memory'));
  const { home, pid } = service;
  let most = 0;
  const sample = async (): Promise<void> => {
    const server = await postmasterPid(home);
    const pids = await withDescendants(server === undefined ? [pid] : [pid, server]);
    most = Math.max(most, await residentMb(pids));
  };
  const timer = setInterval(() => void sample(), sampleMs);
  try {
    await use(service, bench);
    await sample();
    return most;
  } finally {
    clearInterval(timer);
    await service.stop();
  }
}

/** Uploads eight PNGs of noise concurrently. */
async function uploadLarge(service: BenchService, { load, scratch }: Bench): Promise<void> {
  const file = join(scratch, 'large.png');
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  await sharp({ create: { width: 4600, height: 3560, channels: 3, background: '#000', noise } })
    .png({ compressionLevel: 0 })
    .toFile(file);
  const { url, headers } = await service.user(0);
  const clients = Array.from({ length: 8 }, () => [
    { method: 'POST' as const, url, headers, file },
  ]);
  await load.run({ clients, until: { calls: 1 }, status: 200 });
}

/** Bytes of all tables and indexes, of which nearly all are of images. */
const sizeSql = `
  SELECT sum(pg_total_relation_size(oid))::float8 / (SELECT count(*) FROM images)
  FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

/** What an image takes in the database. */
export const databaseRow = (images: number): Row => ({
  name: 'database',
  title: `An image's rows and indexes, of ${images.toLocaleString('en')}`,
  unit: 'KB',
  goal: { atMost: 3 },
  open: async ({ large }) => {
    const service = await large();
    await service.user(images);
    const { db } = service;
    return { ours: async () => (await onlyValue<number>(db, sizeSql)) / 1024 };
  },
});
