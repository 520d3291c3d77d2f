import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { numberOf, readOptions } from '../testkit/script.js';
import { BenchService } from './harness/bench-service.js';
import { LoadGenerator } from './harness/load.js';
import { figure } from './harness/report.js';
import { callsOf, databaseBytes, measureCosts, mixture, saturation } from './model/measure.js';
import { costs, needsOf, type Demand, type Needs } from './model/model.js';
import { openDirectory } from './private-service.js';

const usage = `Usage: npm run bench -- --model --users N --uploads-a-day N --reads-a-second N [options]
       npm run bench -- --model --measure

What an installation needs, from what each step costs on the machine of docs/performance.md.

  --users N               users
  --uploads-a-day N       pictures of 12 megapixels and 2.5 MB
  --reads-a-second N      pages of 60 images, at the busiest time
  --thumbnails N          thumbnails that a page asks for (default: 20)
  --changes N             small changes of each image (default: 1)
  --busy-hours N          hours in which the uploads of a day arrive (default: 8)
  --days N                days of uploads that are kept (default: 365)
  --active N              percent of the users whose rows should be in memory (default: 5)
  --cores N               cores of a node (default: 8)
  --copies N              copies of each object (default: 3)
  --disk-tb N             terabytes of a disk (default: 16)
  --json                  prints JSON
  --measure               measures the costs on this machine, and three points beside what the model
                          makes of them; five minutes`;

const values = readOptions(usage, {
  users: { type: 'string' },
  'uploads-a-day': { type: 'string' },
  'reads-a-second': { type: 'string' },
  thumbnails: { type: 'string', default: '20' },
  changes: { type: 'string', default: '1' },
  'busy-hours': { type: 'string', default: '8' },
  days: { type: 'string', default: '365' },
  active: { type: 'string', default: '5' },
  cores: { type: 'string', default: '8' },
  copies: { type: 'string', default: '3' },
  'disk-tb': { type: 'string', default: '16' },
  json: { type: 'boolean', default: false },
  measure: { type: 'boolean', default: false },
});
type Named = Exclude<keyof typeof values, 'json' | 'measure' | 'help'>;

const number = (name: Named, least: number, most?: number): number =>
  numberOf([name, values[name]], usage, least, most);

const demandOf = (): Demand => ({
  users: number('users', 1),
  uploadsADay: number('uploads-a-day', 0),
  readsASecond: number('reads-a-second', 0),
  thumbnailsAPage: number('thumbnails', 0, 60),
  changesAnUpload: number('changes', 0),
  busyHours: number('busy-hours', 1, 24),
  days: number('days', 1),
  activeShare: number('active', 0, 100) / 100,
  coresANode: number('cores', 1),
  copies: number('copies', 1),
  diskTb: number('disk-tb', 0.1),
});

const titles: readonly (readonly [title: string, of: (needs: Needs) => string])[] = [
  ['uploads per second, at the busiest time', (n) => figure(n.uploadsASecond)],
  ['cores of all nodes', (n) => String(n.nodeCores)],
  ['nodes, with one that may fail', (n) => `${n.nodes} + 1`],
  ['HTTP processes on all nodes', (n) => String(n.httpProcesses)],
  ['cores of the database', (n) => String(n.databaseCores)],
  ['memory of the database', (n) => `${figure(n.databaseMemoryGb)} GB`],
  ['disk of the database, on each of its servers', (n) => `${figure(n.databaseGb)} GB`],
  ['write-ahead log a day', (n) => `${figure(n.walGbADay)} GB`],
  ['connections to the database', (n) => String(n.connections)],
  ['images', (n) => n.images.toLocaleString('en')],
  ['images of a user', (n) => n.imagesAUser.toLocaleString('en')],
  ['objects', (n) => n.objects.toLocaleString('en')],
  ['bytes of objects, with all copies', (n) => `${figure(n.objectTb)} TB`],
  ['disks of objects', (n) => String(n.disks)],
  ['network of all nodes', (n) => `${figure(n.networkMbit)} Mbit/s`],
];

function print(needs: Needs): void {
  if (values.json) return console.log(JSON.stringify(needs, undefined, 2));
  const width = Math.max(...titles.map(([title]) => title.length)) + 2;
  for (const [title, of] of titles) console.log(`${title.padEnd(width)}${of(needs)}`);
}

const measuredImages = 30_000;

async function measure(dir: string): Promise<void> {
  const load = new LoadGenerator();
  const service = await BenchService.open(join(dir, 'home'));
  try {
    const user = await service.user(measuredImages);
    const calls = await callsOf(service, user, dir);
    const bytes = await databaseBytes(service);
    const found = await measureCosts(service, {
      load,
      calls,
      images: measuredImages,
      scratch: dir,
    });
    console.log(JSON.stringify(found, undefined, 2));
    const points = [
      await saturation({ load, calls, costs: found }),
      await mixture(service, { calls, costs: found }),
      {
        what: `Rows of ${measuredImages.toLocaleString('en')} images`,
        unit: 'MB',
        predicted: (measuredImages * costs.rowBytes) / 1e6,
        measured: bytes / 1e6,
      },
    ];
    console.log('\n| Point | Predicted | Measured | Ratio |\n|---|--:|--:|--:|');
    for (const { what, unit, predicted, measured } of points) {
      const cells = [predicted, measured].map((one) => `${figure(one)} ${unit}`);
      console.log(`| ${what} | ${cells.join(' | ')} | ${(measured / predicted).toFixed(2)} |`);
    }
  } finally {
    load.close();
    await service.stop();
  }
}

if (values.measure) {
  const dir = await openDirectory('imgstore-model-');
  try {
    await measure(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
} else {
  print(needsOf(demandOf(), costs));
}
