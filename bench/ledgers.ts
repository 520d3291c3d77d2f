import { createHash } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rows } from '../src/database/sql.js';
import { postmasterPid } from '../testkit/command.js';
import { seedImages } from '../testkit/image-rows.js';
import { residentMb } from '../testkit/memory.js';
import { withDescendants } from '../testkit/processes.js';
import { misused, numberOf, readOptions } from '../testkit/script.js';
import { BenchService, type BenchUser } from './harness/bench-service.js';
import { picture, upload } from './harness/pictures.js';
import { figure, markdownTable } from './harness/report.js';
import { openDirectory, report } from './private-service.js';

const usage = `Usage: npm run bench -- --ledgers [--only large|beside] [--pictures 2000] [--seconds 40]

What ledgers cost: one of many pictures of 12 megapixels in each format, made twice, and 40 at a time beside another
user's uploads. Exit code 1 if two are not the same bytes, or if they slow that user more than 40 uploads do.

  --only PART   large: one ledger of many pictures in each format; beside: 40 at a time
  --pictures N  in a ledger, up to 2000 (default: 2000)
  --seconds N   that the others work beside the user (default: 40)`;

const given = readOptions(usage, {
  only: { type: 'string' },
  pictures: { type: 'string', default: '2000' },
  seconds: { type: 'string', default: '40' },
});
const pictures = numberOf(['pictures', given.pictures], usage, 1, 2_000);
const seconds = numberOf(['seconds', given.seconds], usage, 1);

const { only = 'both' } = given;
if (!['large', 'beside', 'both'].includes(only)) misused(`There is no part ${only}.`, usage);

/** At a time, by one user. */
const many = 40;
/** More than chance makes of the same load. */
const tolerance = 1.1;
const sampleMs = 100;

const memo =
  '균열 폭 0.3 mm, 길이 약 1.2 m. 북측 벽체 하부에서 시작됨. Crack along the joint, to be watched.';

/** Images whose files are all the same one on disk. */
async function fill(
  service: BenchService,
  user: BenchUser,
  file: string,
  count: number,
): Promise<string[]> {
  const made = Array.from({ length: count }, (_, n) => ({
    place: [37.5 + n / 10_000, 127] as const,
    address_road: `서울특별시 중구 세종대로 ${n}`,
    taken_at: new Date(Date.UTC(2026, 0, 5, 0, n)).toISOString(),
  }));
  const ids = await seedImages(service, user, made);
  const content = await readFile(file);
  const hash = createHash('sha256').update(content).digest();
  const like = 'SET hash = $2, bytes = $3, width = 4000, height = 3000 WHERE user_id = $1';
  for (const table of ['images', 'image_versions'])
    await rows(service.db, `UPDATE ${table} ${like}`, [user.id, hash, content.length]);
  await rows(
    service.db,
    `INSERT INTO memos (id, user_id, image_id, message, is_client)
     SELECT gen_random_uuid(), user_id, id, $2, false FROM images WHERE user_id = $1`,
    [user.id, memo],
  );
  const own = join(service.home.store, user.platformId, user.id);
  for (const [n, id] of ids.entries()) {
    const folder = join(own, id, id);
    await mkdir(folder, { recursive: true });
    const first = join(own, ids[0] ?? '', ids[0] ?? '', 'original.jpg');
    if (n === 0) await writeFile(first, content);
    else await link(first, join(folder, 'original.jpg'));
  }
  return ids;
}

/** The service has too much to do, and says so. */
class Busy extends Error {}

async function assertTaken({ status, body }: Response): Promise<void> {
  if (status === 200) return;
  await body?.cancel();
  throw status === 503 ? new Busy() : new Error(`${status} for a ledger`);
}

/** @returns the address of a ledger. */
async function addressOf(
  { url, headers }: BenchUser,
  form: Readonly<Record<string, string>>,
): Promise<string> {
  const body = new URLSearchParams(form);
  const asked = await fetch(`${url}/ledger`, { method: 'POST', headers, body });
  await assertTaken(asked);
  const { result } = (await asked.json()) as { result: { url: string } };
  return result.url;
}

/** Has a ledger made. @returns its stream. */
async function ledgerAt(address: string): Promise<ReadableStream<Uint8Array>> {
  const answer = await fetch(address);
  await assertTaken(answer);
  return answer.body ?? ReadableStream.from([]);
}

interface Made {
  readonly seconds: number;
  readonly megabytes: number;
  readonly hash: string;
  readonly peakMb: number;
  readonly idleMb: number;
}

async function make(
  service: BenchService,
  user: BenchUser,
  form: Readonly<Record<string, string>>,
): Promise<Made> {
  const memory = async (): Promise<number> => {
    const server = await postmasterPid(service.home);
    return residentMb(await withDescendants([service.pid, ...(server ? [server] : [])]));
  };
  const idleMb = await memory();
  let peakMb = idleMb;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      peakMb = Math.max(peakMb, await memory());
      await delay(sampleMs);
    }
  })();
  const began = performance.now();
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of await ledgerAt(await addressOf(user, form))) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  const ms = performance.now() - began;
  over.abort();
  await watching;
  report(
    `${Math.round(ms / 1_000)} s, ${Math.round(bytes / 1e6)} MB, ${Math.round(peakMb)} MB of memory`,
  );
  return { seconds: ms / 1_000, megabytes: bytes / 1e6, hash: hash.digest('hex'), peakMb, idleMb };
}

/** The times of another user's uploads, in milliseconds, sorted. */
async function uploadsOf(user: BenchUser, scratch: string, ms: number): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + ms; performance.now() < end;) {
    const began = performance.now();
    await upload(user, scratch);
    times.push(performance.now() - began);
    await delay(200);
  }
  return times.sort((a, b) => a - b);
}

/** The same while this is done over and over, many at a time. */
async function beside(
  user: BenchUser,
  scratch: string,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<number[]> {
  const over = new AbortController();
  const lane = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await work(over.signal).catch((error: unknown) => {
        if (over.signal.aborted) return undefined;
        if (error instanceof Busy) return delay(1_000);
        throw error;
      });
    }
  };
  const working = Promise.all(Array.from({ length: many }, lane));
  const measured = delay(2_000).then(() => uploadsOf(user, scratch, seconds * 1_000));
  const times = await Promise.race([measured, working.then(() => measured)]);
  over.abort();
  await working;
  return times;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

async function large(service: BenchService, user: BenchUser): Promise<void> {
  const table: string[][] = [];
  for (const format of ['pdf', 'xlsx']) {
    report(`Making a ledger of ${pictures} pictures, twice (${format})`);
    const form = { format, layout: '2', fields: 'number,taken_at,address,place,memos' };
    const [first, second] = [await make(service, user, form), await make(service, user, form)];
    if (first.hash !== second.hash) process.exitCode = 1;
    table.push([
      format,
      `${figure(first.seconds)}, ${figure(second.seconds)} s`,
      `${figure(first.megabytes)} MB`,
      `${figure(first.idleMb)} MB`,
      `${figure(Math.max(first.peakMb, second.peakMb))} MB`,
      first.hash === second.hash ? 'the same' : 'not the same',
    ]);
  }
  const head = [`${pictures} pictures`, 'Time', 'Size', 'Memory before', 'At most', 'Twice'];
  console.log(markdownTable(head, table));
}

async function atOnce(service: BenchService, user: BenchUser, scratch: string): Promise<void> {
  const [other, sender] = [await service.user(2), await service.user(1)];
  report('Another user uploads, alone and beside others');
  const alone = await uploadsOf(other, scratch, (seconds * 1_000) / 4);
  const filed = await picture(scratch);
  const uploads = await beside(other, scratch, async (signal) => {
    const body = new FormData();
    body.set('image_data', new Blob([await readFile(filed)]));
    const { url, headers } = sender;
    await (await fetch(url, { method: 'POST', headers, body, signal })).text();
  });
  // A user has fewer addresses than that.
  const address = await addressOf(user, { layout: '2', format: 'pdf' });
  const ledgers = await beside(other, scratch, async (signal) => {
    const reader = (await ledgerAt(address)).getReader();
    signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined));
    while (!signal.aborted && !(await reader.read()).done);
  });
  const line = (name: string, times: readonly number[]): string[] => [
    name,
    `${times.length}`,
    `${figure(at(times, 0.5))} ms`,
    `${figure(at(times, 0.9))} ms`,
  ];
  const table = [
    line('alone', alone),
    line(`${many} uploads`, uploads),
    line(`${many} ledgers`, ledgers),
  ];
  console.log(markdownTable(["Another user's upload, beside", 'Uploads', 'Median', 'p90'], table));
  if (at(ledgers, 0.5) > tolerance * at(uploads, 0.5)) process.exitCode = 1;
}

const dir = await openDirectory('imgstore-bench-ledgers-');
const scratch = await openDirectory('imgstore-bench-scratch-');
const service = await BenchService.open(dir);
try {
  const user = await service.user(0);
  await fill(service, user, await picture(scratch), pictures);
  if (only !== 'beside') await large(service, user);
  if (only !== 'large') await atOnce(service, user, scratch);
} finally {
  await service.stop();
  await rm(dir, { recursive: true, force: true });
  await rm(scratch, { recursive: true, force: true });
}
