// npm run build && node dist/bench/map-tiles.js [--table 10000,1000000,10000000] [--users 10000]
// [--home DIR]: measures the time and size of map tiles over HTTP by zoom: of the largest user and of one
// with 10,000 images in tables of --table images, and of a platform with --users users of 100 images.
// Also measures unchanged tiles, filtered tiles, and the images nearest to points near and far.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { row, rows } from '../src/database/sql.js';
import { BenchService, type BenchUser } from './harness/bench-service.js';
import { openDirectory, report } from './private-service.js';
import { seedUsers } from './seeding.js';

const { values } = parseArgs({
  options: {
    table: { type: 'string', default: '10000,100000' },
    users: { type: 'string', default: '0' },
    home: { type: 'string' },
  },
});

const zooms = [0, 2, 4, 6, 8, 10, 12, 13, 14, 16, 18, 22];
/** Number of tiles per zoom, including the busiest, and how often each is read. */
const [tilesPerZoom, rounds] = [20, 10];

interface Reads {
  readonly ms: readonly number[];
  /** Size of the largest response, as sent. */
  readonly bytes: number;
}

const quantile = (ms: readonly number[], share: number): string =>
  (
    [...ms].sort((a, b) => a - b)[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? 0
  ).toFixed(1);

async function read(
  urls: readonly string[],
  headers: Record<string, string>,
  repeats = rounds,
): Promise<Reads> {
  const ms: number[] = [];
  let bytes = 0;
  for (let round = 0; round <= repeats; round += 1) {
    for (const url of urls) {
      const start = performance.now();
      const answer = await fetch(url, { headers });
      await answer.arrayBuffer();
      if (answer.status >= 400) throw new Error(`${url} returned ${answer.status}`);
      // The first read is not counted: connections and plans are new.
      if (round > 0) ms.push(performance.now() - start);
      bytes = Math.max(bytes, Number(answer.headers.get('content-length')));
    }
  }
  return { ms, bytes };
}

const line = (what: string, { ms, bytes }: Reads): void =>
  console.log(
    `| ${what} | ${quantile(ms, 0.5)} | ${quantile(ms, 0.99)} | ${bytes.toLocaleString('en')} |`,
  );

/** Tiles of a zoom: the busiest, and those of random images. */
async function tilesAt(service: BenchService, userId: string, z: number): Promise<string[]> {
  const tile = `map_x(location) >> ${26 - z} AS x, map_y(location) >> ${26 - z} AS y`;
  const found = await rows<{ x: number; y: number }>(
    service.db,
    `(SELECT ${tile} FROM places WHERE user_id = $1 AND active_images > 0
      GROUP BY 1, 2 ORDER BY sum(active_images) DESC LIMIT 3)
     UNION
     (SELECT ${tile} FROM (SELECT location FROM places WHERE user_id = $1 AND active_images > 0
                           ORDER BY hashtextextended(location::text, 0) LIMIT ${tilesPerZoom}) AS p)`,
    [userId],
  );
  return found.map(({ x, y }) => `${z}/${x}/${y}.mvt`);
}

async function measureUser(service: BenchService, user: BenchUser, table: number): Promise<void> {
  const map = `${service.url}/api/v1/users/${user.id}/map`;
  const named = `${user.images.toLocaleString('en')} of ${table.toLocaleString('en')}`;
  for (const z of zooms) {
    const urls = (await tilesAt(service, user.id, z)).map((tile) => `${map}/${tile}`);
    line(`${named}, zoom ${z}`, await read(urls, user.headers));
  }
  const first = await fetch(`${map}/0/0/0.mvt`, { headers: user.headers });
  await first.arrayBuffer();
  const known = { ...user.headers, 'if-none-match': first.headers.get('etag') ?? '' };
  line(`${named}, unchanged`, await read([`${map}/0/0/0.mvt`], known, 100));
  for (const z of [0, 10, 14]) {
    const [busiest = ''] = await tilesAt(service, user.id, z);
    line(
      `${named}, has_det, zoom ${z}`,
      await read([`${map}/${busiest}?has_det=True`], user.headers),
    );
  }
  for (const [what, bbox, zoom] of [
    ['the world', '-180,-90,180,90', 3],
    ['a city', '126.7,37.4,127.2,37.7', 11],
  ] as const) {
    const url = `${map}/clusters?bbox=${bbox}&zoom=${zoom}`;
    line(`${named}, clusters of ${what}`, await read([url], user.headers));
  }
  for (const [what, latitude, longitude] of [
    ['here', 37.56, 126.97],
    ['on the other side of the earth', -37.5, -53],
  ] as const) {
    const url = `${user.url}?view_type=map&latitude=${latitude}&longitude=${longitude}`;
    line(`${named}, nearest 60 images, ${what}`, await read([url], user.headers));
  }
}

/** A platform with many users of 100 images each. */
async function platformOf(service: BenchService, count: number): Promise<string> {
  const { platformId } = await service.user(0);
  const name = 'photographer';
  const made = await row<{ users: number }>(
    service.db,
    'SELECT count(*)::integer AS users FROM users WHERE platform_id = $1 AND platform_user_id LIKE $2',
    [platformId, `${name}%`],
  );
  if (made?.users === count) return platformId;
  const users = await rows<{ userId: string }>(
    service.db,
    `INSERT INTO users (id, platform_id, platform_user_id, max_storage_bytes)
     SELECT gen_random_uuid(), $1, $2 || ' ' || n, 1e15 FROM generate_series(1, $3::integer) AS n
     RETURNING id AS "userId"`,
    [platformId, name, count],
  );
  await seedUsers(
    service.db,
    users.map(({ userId }) => ({ userId, images: 100 })),
    report,
  );
  return platformId;
}

async function measurePlatform(service: BenchService, count: number): Promise<void> {
  const id = await platformOf(service, count);
  const headers = { ...(await service.asPlatform(id)) };
  const map = `${service.url}/api/v1/platforms/${id}/map`;
  const one = await row<{ id: string }>(
    service.db,
    'SELECT id FROM users WHERE platform_id = $1 AND active_images > 0 LIMIT 1',
    [id],
  );
  const named = `platform of ${count.toLocaleString('en')} users`;
  for (const z of zooms) {
    const tiles = await tilesAt(service, one?.id ?? '', z);
    line(
      `${named}, zoom ${z}`,
      await read(
        tiles.map((tile) => `${map}/${tile}`),
        headers,
        3,
      ),
    );
  }
  const first = await fetch(`${map}/12/0/0.mvt`, { headers });
  await first.arrayBuffer();
  const known = { ...headers, 'if-none-match': first.headers.get('etag') ?? '' };
  line(`${named}, unchanged`, await read([`${map}/0/0/0.mvt`], known, 20));
}

const dir = values.home ?? (await openDirectory('imgstore-map-'));
try {
  console.log('| Images, zoom | p50 ms | p99 ms | bytes at most |\n|---|--:|--:|--:|');
  for (const table of values.table.split(',').map(Number).filter(Boolean)) {
    const service = await BenchService.open(join(dir, `table-${table}`));
    try {
      const { largest, small } = await service.table(table);
      const others = small.id === largest.id ? [] : [small];
      for (const user of [largest, ...others]) await measureUser(service, user, table);
    } finally {
      await service.stop();
    }
  }
  if (Number(values.users) > 0) {
    const service = await BenchService.open(join(dir, `platform-${values.users}`));
    try {
      await measurePlatform(service, Number(values.users));
    } finally {
      await service.stop();
    }
  }
} finally {
  if (values.home === undefined) await rm(dir, { recursive: true, force: true });
}
