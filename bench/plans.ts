import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { World } from '../testkit/world.js';
import type { Member } from '../testkit/world.js';
import { serviceDataSource } from '../src/service-database.js';
import type { Home } from '../src/config/home.js';
import type { Config } from '../src/config/options.js';
import { clusterFiles } from '../src/postgres/cluster-files.js';
import { openDatabase } from '../src/postgres/provision.js';
import { startService } from '../src/service.js';
import { explainAll, PlanLog, scansImages } from './query-plans.js';
import { provision, report } from './private-service.js';
import { reads } from './reads.js';
import type { Read } from './reads.js';
import { seedUser } from './seeding.js';

// npm run plans [-- IMAGES [alone]]: prints the plans of all reads that grow with a user's images,
// as the service runs them on a private server of its own. Exit code 1 if one scans all images. The
// user has a neighbor of the same size, or is alone: then all images are the user's, and a read
// that has to look at all of those may as well scan.

const images = Number(process.argv[2] ?? 100_000);
const alone = process.argv[3] === 'alone';

async function send(user: Member, [what, of, path, query]: Read, folder: string): Promise<void> {
  const address = path.replace('{folder}', folder).replace('{user}', user.id);
  const { tenant } = user;
  const { status, error } =
    of === 'user'
      ? await user.get(address, query)
      : address.startsWith('/stats')
        ? await tenant.statistics(address.slice('/stats'.length), query)
        : await tenant.call('GET', address, { query });
  if (status !== 200) throw new Error(`${what}: ${status} ${JSON.stringify(error)}`);
}

/** @returns how many reads scan all images. */
async function explain(home: Home, config: Config): Promise<number> {
  const service = await startService(home, config, report);
  const database = await openDatabase({ home, url: undefined, report });
  const db = await serviceDataSource(database.url, config).initialize();
  try {
    const token = (await service.tenants.tokens.issue({})).access_token;
    const world = new World(service.url, token);
    const user = await world.user();
    const users = alone ? [user] : [user, await world.user()];
    report(`Creating ${images} images for ${alone ? 'the only user' : 'each of two users'}`);
    for (const { id } of users) await seedUser(db, { userId: id, images });
    // Index-only scans need an up-to-date visibility map.
    await db.query('VACUUM images');
    const folder = (await user.contents('root')).items[0]?.data.id ?? 'root';
    const log = new PlanLog(clusterFiles(home).log);
    await log.since();
    let scans = 0;
    for (const read of reads) {
      await send(user, read, folder);
      const plans = await log.since();
      const scanning = plans.filter(scansImages).length;
      if (scanning > 0) scans += 1;
      console.log(`\n## ${read[0]}${scanning > 0 ? ': SEQUENTIAL SCAN OVER IMAGES' : ''}\n`);
      console.log(plans.join('\n'));
    }
    console.log(`\n${reads.length} reads, ${scans} with a sequential scan over images`);
    return scans;
  } finally {
    await db.destroy();
    await database.close();
    await service.stop();
  }
}

const dir = await mkdtemp(join(tmpdir(), 'imgstore-plans-'));
try {
  const { home, config } = await provision(dir);
  await explainAll(clusterFiles(home).data);
  process.exitCode = (await explain(home, config)) === 0 ? 0 : 1;
} finally {
  await rm(dir, { recursive: true, force: true });
}
