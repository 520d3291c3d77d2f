import { rm } from 'node:fs/promises';
import { onlyValue, rows } from '../src/database/sql.js';
import { checkProof } from '../testkit/custody.js';
import { eventually } from '../testkit/eventually.js';
import { Random } from '../testkit/random.js';
import { numberOf, readOptions } from '../testkit/script.js';
import { BenchService, type BenchUser } from './harness/bench-service.js';
import { figure, markdownTable } from './harness/report.js';
import { openDirectory, report } from './private-service.js';

const usage = `Usage: npm run bench -- --proofs [--leaves 1000000] [--proofs 500]

What the log of a platform costs: the leaves that the service takes in per second, their space, and proofs, as they
are answered over HTTP and checked. Exit code 1 if one is larger than 8 KB, takes 50 ms, or 10 ms to check (p99).

  --leaves N  in the log, ten for each image, and thirty for some (default: 1000000)
  --proofs N  that are measured (default: 500)`;

const given = readOptions(usage, {
  leaves: { type: 'string', default: '1000000' },
  proofs: { type: 'string', default: '500' },
});
const leaves = numberOf(['leaves', given.leaves], usage, 1_000);
const proofs = numberOf(['proofs', given.proofs], usage, 10);

const each = 10;
const [mostBytes, mostMakingMs, mostCheckingMs] = [8_192, 50, 10];

/** What the trigger would note of changes of the place; of one image in a hundred, twenty more. */
const entries = `
  INSERT INTO custody_entries (feed_position, platform_id, image_id, at, kinds, state, digest)
  SELECT feed_position(), i.platform_id, i.id, c.at, 'place', i.state, custody_digest(s.salt, i.id, c.at, 'place', i.state)
  FROM (SELECT *, custody_state(images) AS state FROM images WHERE user_id = $1 OFFSET 0) AS i
  JOIN custody_salts s ON s.user_id = i.user_id
  CROSS JOIN LATERAL (
    SELECT now() + n * interval '1 second' AS at
    FROM generate_series(1, CASE WHEN get_byte(i.hash, 0) < 3 THEN 29 ELSE $2::int END) AS n
  ) AS c
  ORDER BY c.at`;

/** Makes a log as the service makes it: of images that it finds, and of what is noted of them. */
async function fill(
  service: BenchService,
  user: BenchUser,
): Promise<{ size: number; seconds: number }> {
  const { db } = service;
  const began = performance.now();
  const settled = `SELECT NOT EXISTS (SELECT FROM custody_entries) AND NOT EXISTS (SELECT FROM custody_scan)`;
  const untilTaken = (): Promise<void> =>
    eventually('the log has everything', () => onlyValue<boolean>(db, settled), 3_600_000);
  await rows(
    db,
    `INSERT INTO custody_scan (after) VALUES ('00000000-0000-0000-0000-000000000000')`,
  );
  await untilTaken();
  const found = performance.now();
  report(`${user.images} images found; noting what happened to them`);
  await rows(db, entries, [user.id, each - 1]);
  const noted = performance.now();
  report('The log takes it in');
  await untilTaken();
  const size = await onlyValue<number>(
    db,
    'SELECT size::int FROM custody_logs WHERE platform_id = $1',
    [user.platformId],
  );
  const ms = performance.now() - noted + (found - began);
  return { size, seconds: ms / 1_000 };
}

const inTable = (service: BenchService, table: string): Promise<number> =>
  onlyValue(service.db, 'SELECT pg_total_relation_size($1::regclass)::float8', [table]);

/** The sorted times, or sizes, of all proofs. */
interface Measured {
  readonly bytes: number[];
  readonly making: number[];
  readonly checking: number[];
}

async function measure(service: BenchService, user: BenchUser): Promise<Measured> {
  const random = new Random(1);
  const ids = await rows<{ id: string; n: number }>(
    service.db,
    `SELECT image_id AS id, count(*)::int AS n FROM custody_history GROUP BY 1 ORDER BY 1`,
  );
  const [long, short] = [ids.filter(({ n }) => n > 20), ids.filter(({ n }) => n <= 20)];
  const measured: Measured = { bytes: [], making: [], checking: [] };
  for (let n = -20; n < proofs; n += 1) {
    const id = random.of(n % 5 === 0 ? long : short)?.id;
    const asked = performance.now();
    const answer = await fetch(`${user.url}/${id}/proof`, { headers: user.headers });
    const text = await answer.text();
    const made = performance.now();
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
    const begun = performance.now();
    checkProof(text);
    const checked = performance.now();
    if (n < 0) continue; // what is loaded once
    measured.bytes.push(Buffer.byteLength(text));
    measured.making.push(made - asked);
    measured.checking.push(checked - begun);
  }
  for (const numbers of Object.values(measured) as number[][]) numbers.sort((a, b) => a - b);
  return measured;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

const dir = await openDirectory('imgstore-bench-proofs-');
const service = await BenchService.open(dir);
try {
  const user = await service.user(Math.round(leaves / each));
  const { size, seconds } = await fill(service, user);
  await service.db.query('VACUUM ANALYZE custody_tiles, custody_history, custody_entries');
  const [tiles, history] = [
    await inTable(service, 'custody_tiles'),
    await inTable(service, 'custody_history'),
  ];
  report(`Measuring ${proofs} proofs`);
  const { bytes, making, checking } = await measure(service, user);
  const ms = (numbers: readonly number[]): string[] =>
    [0.5, 0.99, 1].map((share) => `${figure(at(numbers, share))} ms`);
  const kilobytes = [0.5, 0.99, 1].map((share) => `${figure(at(bytes, share) / 1_024)} KB`);
  console.log(
    markdownTable(
      [`A proof, in a log of ${size} leaves`, 'Median', 'p99', 'Most'],
      [
        ['size', ...kilobytes],
        ['to make, over HTTP', ...ms(making)],
        ['to check', ...ms(checking)],
      ],
    ),
  );
  console.log(
    `A leaf takes ${figure(tiles / size)} bytes in tiles and ${figure(history / size)} in the history of its image; the service takes in ${figure(size / seconds)} a second.`,
  );
  const reached =
    at(bytes, 1) <= mostBytes &&
    at(making, 0.99) <= mostMakingMs &&
    at(checking, 0.99) <= mostCheckingMs;
  if (!reached) process.exitCode = 1;
} finally {
  await service.stop();
  await rm(dir, { recursive: true, force: true });
}
