import { rm } from 'node:fs/promises';
import { minuteMs } from '../src/base/units.js';
import { appliance } from '../testkit/appliance.js';
import { Random } from '../testkit/random.js';
import { Started, type Scope } from '../testkit/scope.js';
import { misused, readOptions } from '../testkit/script.js';
import { World } from '../testkit/world.js';
import { makeFile } from './lines/files.js';
import { hourOf, ways } from './lines/hour.js';
import { openDirectory } from './private-service.js';

const usage = `Usage: npm run bench -- --breaking-line [--scale 60] [--minutes 60]

How many files arrive over a line of 0.5 Mbit/s that is cut once a minute on average, as forms that begin at
byte 0 after each cut, and with tus; each file is tried eight times without progress. Each size and way has a
line of its own, all with the same cuts, at the same time.

  --scale N    the line is N times as fast and N times as often cut, so that an hour takes 3600/N s (default: 60)
  --minutes N  of the line's own time (default: 60)`;

const values = readOptions(usage, {
  scale: { type: 'string', default: '60' },
  minutes: { type: 'string', default: '60' },
});
const [scale, minutes] = [Number(values.scale), Number(values.minutes)];
if (!(scale >= 1)) misused('--scale must be a number from 1 on.', usage);
if (!(minutes > 0)) misused('--minutes must be a number above 0.', usage);

/** As from a phone: compressed, as usual, and of a good camera. */
const megabytes = [2.5, 6, 25];

/** Sends a file again and again in both ways. */
async function measure(world: World, folder: string, url: string, size: number): Promise<void> {
  const file = await makeFile(folder, `${size}.jpg`, size);
  const both = Object.entries(ways).map(async ([name, send]) => {
    const numbers = new Random(2);
    const random = (): number => numbers.below(1e9) / 1e9;
    const { record: owner } = await world.user();
    const ms = minutes * minuteMs;
    return { name, ...(await hourOf({ send, url, owner, file, scale, ms, random })) };
  });
  for (const { name, arrived, givenUp, usedPercent, cuts } of await Promise.all(both)) {
    console.log(
      `${size} MB, ${name}: ${arrived} arrived, ${givenUp} given up, ${usedPercent} % of the line used; ${cuts} cuts`,
    );
  }
}

async function run(scope: Scope): Promise<void> {
  const { serving } = await appliance(scope, { privately: true });
  const world = new World(serving.url, serving.greeting.admin.access_token);
  const folder = await openDirectory('imgstore-line-');
  scope.after(() => rm(folder, { recursive: true }));
  await Promise.all(megabytes.map((size) => measure(world, folder, serving.url, size)));
}

const scope = new Started();
try {
  console.log(`${minutes} minutes of a line of 0.5 Mbit/s, ${scale} × as fast`);
  await run(scope);
} finally {
  await scope.end();
}
