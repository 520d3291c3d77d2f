import { BenchService } from '../harness/bench-service.js';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Bench, Row } from '../harness/row.js';
import { watchMemory } from '../harness/memory.js';

/** Proportional set size of all processes of a new service, its database included. */
export const memoryRows = (): Row[] => {
  const row = (name: string, title: string, budget: number, use: Use): Row => ({
    name,
    title,
    unit: 'MB',
    goal: { atMost: 1 },
    limit: 'budget',
    open: async (bench) => ({
      ours: () => measure(bench, use),
      limit: async () => budget,
    }),
  });
  return [
    row('memory/start', 'Memory after the start', 150, async () => undefined),
    row('memory/uploads', 'Memory at most, 8 uploads of 49 MB', 400, uploadLarge),
  ];
};

type Use = (service: BenchService, bench: Bench) => Promise<unknown>;

async function measure(bench: Bench, use: Use): Promise<number> {
  const service = await BenchService.open(join(bench.scratch, 'memory'));
  const memory = watchMemory(service);
  try {
    await use(service, bench);
    return await memory.peak();
  } finally {
    await service.stop();
  }
}

/** Uploads eight PNGs of noise concurrently. */
async function uploadLarge(service: BenchService, { load, scratch }: Bench): Promise<void> {
  const file = join(scratch, 'large.png');
  await sharp({
    create: {
      width: 4600,
      height: 3560,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png({ compressionLevel: 0 })
    .toFile(file);
  const { url, headers } = await service.user(0);
  const call = { method: 'POST' as const, url, headers, file };
  const clients = Array.from({ length: 8 }, () => [call]);
  await load.run({ clients, until: { calls: 1 }, status: 200 });
}
