/**
 * Requests with an Idempotency-Key, first and repeated, compared with the same requests without, and the
 * check of 5,000 hashes: median milliseconds in alternating rounds of one run.
 *
 *     node dist/bench/retries.js [--images 1000000] [--rounds 200]
 */
import { createHash, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { serviceDataSource } from '../src/ops/service-database.js';
import { openDatabase } from '../src/database/postgres/provision.js';
import { rows } from '../src/database/sql.js';
import { startService } from '../src/server/service.js';
import { Client } from '../testkit/client.js';
import type { Call } from '../testkit/client.js';
import { done } from '../testkit/expect.js';
import { filePart, jpeg } from '../testkit/pictures.js';
import { openDirectory, provision, report } from './private-service.js';
import { seedUsers } from './seeding.js';

const { values } = parseArgs({
  options: {
    images: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '200' },
  },
});
const images = Number(values.images);
const rounds = Number(values.rounds);

const dir = await openDirectory('imgstore-retries-');
const { home, config } = await provision(dir);
const database = await openDatabase({ home, url: config['database.url'], report });
const db = await serviceDataSource(database.url, config).initialize();
const service = await startService(home, config, () => undefined);
/** In milliseconds. */
const times = new Map<string, number[]>();
try {
  const { id } = await service.tenants.platforms.create('bench');
  const { user_id: userId, access_token: token } = await service.tenants.users.create(id, 'user');
  report(`seeding ${images} images`);
  await seedUsers(db, [{ userId, images }], report);
  // The seeded images would exceed any usual quota.
  await rows(db, 'UPDATE users SET max_storage_bytes = 9e15');
  const client = new Client(service.url);
  const base = `/api/v1/users/${userId}`;
  const post = async (what: string, path: string, call: Call): Promise<void> => {
    const began = performance.now();
    done(await client.post(`${base}${path}`, { as: ['User', token], ...call }));
    times.set(what, [...(times.get(what) ?? []), performance.now() - began]);
  };
  const keyed = (key: string) => ({ 'Idempotency-Key': key });
  const bytes = await jpeg({ width: 2000, height: 1500 });
  const form = {
    image_hash: createHash('sha256').update(bytes).digest('hex'),
    image_data: filePart(bytes),
  };
  const uploaded = randomUUID();
  const key = randomUUID();
  const title = (): Call => ({ form: { title: randomUUID() } });
  const known = title();
  await post('upload', '/images', { form, headers: keyed(uploaded) });
  await post('folder', '/folders', { ...known, headers: keyed(key) });
  // As many known hashes as unknown ones, from all over the index.
  const sample = await rows<{ hash: string }>(
    db,
    `SELECT encode(hash, 'hex') AS hash FROM image_versions WHERE user_id = $1
     ORDER BY md5(id::text) LIMIT 2500`,
    [userId],
  );
  const hashes = sample.flatMap(({ hash }) => [
    hash,
    createHash('sha256').update(hash).digest('hex'),
  ]);
  for (let round = 0; round < rounds; round += 1) {
    await post('create a folder without a key', '/folders', title());
    await post('create a folder with a key', '/folders', {
      ...title(),
      headers: keyed(randomUUID()),
    });
    await post('repeat it', '/folders', { ...known, headers: keyed(key) });
    await post('repeat an upload', '/images', { form, headers: keyed(uploaded) });
    if (round % 10 === 0) await post('check 5,000 hashes', '/images/check', { json: { hashes } });
  }
  for (const [what, all] of times) {
    const median = all.sort((x, y) => x - y)[Math.floor(all.length / 2)] ?? NaN;
    console.log(`${what}: ${median.toFixed(1)} ms (${all.length} times)`);
  }
} finally {
  await service.stop();
  await db.destroy();
  await database.close();
  await rm(dir, { recursive: true, force: true });
}
