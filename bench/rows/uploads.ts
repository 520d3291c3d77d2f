import { mkdtemp, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { picture } from '../harness/pictures.js';
import type { Row } from '../harness/row.js';
import { BareUploads } from './bare-uploads.js';

const concurrency = 8;
const seconds = 6;

/** Photos of 12 megapixels and 2.5 MB, with all their renditions. */
export const uploadRows = (): Row[] => [
  {
    name: 'uploads',
    title: 'Uploads of 12 MP, 2.5 MB',
    limit: 'the same work in bare threads',
    unit: '/s',
    goal: { atLeast: 0.85 },
    open: async ({ load, small, scratch }) => {
      const service = await small();
      const { url, headers } = await service.user(0);
      const file = await picture(scratch);
      const call = { method: 'POST' as const, url, headers, file };
      const clients = Array.from({ length: concurrency }, () => [call]);
      // On the disk that the service writes to.
      const folder = await mkdtemp(join(service.home.dir, 'bare-uploads-'));
      const bare = new BareUploads(folder, await readFile(file), availableParallelism());
      return {
        ours: async () => (await load.run({ clients, until: { seconds }, status: 200 })).perSecond,
        limit: async () => (await bare.rate(seconds)).perSecond,
        close: () => bare.close(),
      };
    },
  },
];
