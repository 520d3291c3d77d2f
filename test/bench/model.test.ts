import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { coresAt, needsOf, ratesOf, type Costs, type Demand } from '../../bench/model/model.js';
import { run } from '../../src/base/os/run.js';

const costs: Costs = {
  steps: {
    upload: { script: 10, beside: 80, database: 5 },
    page: { script: 2, beside: 1, database: 4 },
    thumbnail: { script: 0.25, beside: 0.25, database: 0 },
    change: { script: 1, beside: 0, database: 2 },
  },
  rowBytes: 3000,
  walBytes: { upload: 20_000, change: 5000 },
  objectBytes: 3_000_000,
  objects: 3,
  answerBytes: { page: 50_000, thumbnail: 10_000 },
};

const demand: Demand = {
  users: 1000,
  uploadsADay: 288_000,
  readsASecond: 100,
  thumbnailsAPage: 20,
  changesAnUpload: 2,
  busyHours: 8,
  days: 100,
  activeShare: 0.1,
  coresANode: 8,
  copies: 3,
  diskTb: 10,
};

test('the model adds up what each step costs at the busiest time', () => {
  const rates = ratesOf(demand);
  assert.deepEqual(rates, { upload: 10, page: 100, thumbnail: 2000, change: 20 });
  const { script, beside, database } = coresAt(costs, rates);
  const rounded = [script, beside, database].map((cores) => Number(cores.toFixed(6)));
  assert.deepEqual(rounded, [0.82, 1.4, 0.49]);
  assert.deepEqual(needsOf(demand, costs), {
    uploadsASecond: 10,
    nodeCores: 4, // 2.22 / 0.7
    nodes: 1,
    httpProcesses: 2,
    databaseCores: 1,
    databaseMemoryGb: 1 + 2 * (16 + 3) * 0.012 + 8.64,
    databaseGb: 86.4,
    walGbADay: 8.64,
    connections: 38,
    images: 28_800_000,
    imagesAUser: 28_800,
    objects: 86_400_000,
    objectTb: 259.2,
    disks: 35, // 259.2 / 7.5
    networkMbit: 680, // 60 MB of uploads, 5 of pages and 20 of thumbnails
  });
});

test('there is a node, a core, and a disk for each copy, however little there is to do', () => {
  const idle = { ...demand, uploadsADay: 0, readsASecond: 0 };
  const { nodes, nodeCores, databaseCores, disks } = needsOf(idle, costs);
  assert.deepEqual([nodes, nodeCores, databaseCores, disks], [1, 1, 1, 3]);
  const busy = needsOf({ ...demand, uploadsADay: 2_880_000, readsASecond: 200 }, costs);
  assert.deepEqual([busy.nodeCores, busy.nodes], [17, 3]);
});

test('the script prints what is needed, and names what it cannot use', async () => {
  const file = fileURLToPath(new URL('../../bench/model.js', import.meta.url));
  const model = (...args: string[]) => run(process.execPath, [file, ...args], { env: {} });
  const needed = ['--users', '1000', '--uploads-a-day', '288000', '--reads-a-second', '100'];
  const json = await model(...needed, '--days', '100', '--json');
  assert.equal(json.code, 0, json.output);
  assert.equal((JSON.parse(json.stdout) as { images: number }).images, 28_800_000);
  const table = await model(...needed, '--days', '100');
  assert.match(table.stdout, /^images +28,800,000$/m);
  for (const [args, expected] of [
    [['--uploads-a-day', '1', '--reads-a-second', '1'], 'There is no --users.'],
    [[...needed, '--days', 'x'], '--days must be a number of at least 1, not "x".'],
    [[...needed, '--busy-hours', '25'], '--busy-hours must be a number from 1 to 24, not "25".'],
    [[...needed, '--thumbnails', ''], '--thumbnails must be a number from 0 to 60, not "".'],
  ] as const) {
    const refused = await model(...args);
    assert.deepEqual([refused.code, refused.output.split('\n')[0]], [2, expected]);
  }
});
