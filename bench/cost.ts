/**
 * What imgstore costs: CPU time and write-ahead log (WAL) of an upload, a page, a thumbnail, and each small
 * change; bytes on the disk of an image in a large table; and the disk that a year takes.
 *
 *     npm run bench -- --cost [--images 1000000] [--calls 240] [--home DIR]
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asSuperuser, role, superuser } from '../src/database/postgres/connect.js';
import { column, onlyValue, rows } from '../src/database/sql.js';
import { numberOf, readOptions } from '../testkit/script.js';
import { BenchService, type BenchUser } from './harness/bench-service.js';
import { cpuTimeOf, since } from './harness/cpu.js';
import { LoadGenerator, type Call } from './harness/load.js';
import { picture, upload } from './harness/pictures.js';
import { figure } from './harness/report.js';
import { openDirectory, report } from './private-service.js';
import { kinds, type KindName } from './rows/small-changes.js';

const usage = `Usage: npm run bench -- --cost [--images 1000000] [--calls 240] [--home DIR]`;
const values = readOptions(usage, {
  images: { type: 'string', default: '1000000' },
  calls: { type: 'string', default: '240' },
  home: { type: 'string' },
});
const images = numberOf(['images', values.images], usage, 1_000);
const clientCount = 8;
/** Of each kind: some warm up, most are measured, and a few are sent one by one. */
const counts = { warm: 80, measured: numberOf(['calls', values.calls], usage, 8), alone: 8 };
const needed = counts.warm + counts.measured + counts.alone;
const uploadsPerYear = 10_000 * 365;

type CallOf = (n: number) => Call;

const kilobytes = (bytes: number): string => `${figure(bytes / 1024)} KB`;
const line = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);

const load = new LoadGenerator();

/** Sends the calls `from` to `to`, eight at a time or one after the other. */
async function send(callOf: CallOf, from: number, to: number, clients = clientCount) {
  const calls = (to - from) / clients;
  const of = (client: number): Call[] =>
    Array.from({ length: calls }, (_, n) => callOf(from + client * calls + n));
  const all = Array.from({ length: clients }, (_, client) => of(client));
  await load.run({ clients: all, until: { calls }, status: 200 });
}

/** @returns bytes of WAL that are written meanwhile. */
async function walOf({ db }: BenchService, work: () => Promise<void>): Promise<number> {
  const before = await onlyValue<string>(db, 'SELECT pg_current_wal_insert_lsn()::text');
  await work();
  const sql = 'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::float8';
  return onlyValue<number>(db, sql, [before]);
}

async function measure(service: BenchService, name: string, callOf: CallOf): Promise<number> {
  const { warm, measured } = counts;
  await send(callOf, 0, warm);
  const before = await cpuTimeOf(service);
  const wal = await walOf(service, () => send(callOf, warm, warm + measured));
  const spent = since(before, await cpuTimeOf(service));
  let first = 0;
  for (let n = warm + measured; n < needed; n += 1) {
    await asSuperuser(service.databaseUrl.replace(role, superuser), ['CHECKPOINT']);
    first += await walOf(service, () => send(callOf, n, n + 1, 1));
  }
  const ms = Object.values(spent).map((all) => all / measured);
  const total = ms.reduce((sum, one) => sum + one, 0);
  const bytes = [wal / measured, first / counts.alone];
  line([name, ...[...ms, total].map(figure), ...bytes.map(kilobytes)]);
  return first / counts.alone;
}

/** CPU time and WAL of each request. @returns WAL of an upload that is the first since a checkpoint. */
async function requests(service: BenchService, user: BenchUser, dir: string): Promise<number> {
  const { url, headers } = user;
  const file = await picture(dir);
  line(['', 'Serving process', 'its threads', 'Imaging', 'Database', 'All', 'WAL', 'WAL, alone']);
  line(['---', ...Array<string>(7).fill('--:')]);
  await measure(service, 'Page of 60', (n) => ({
    url: `${url}?last_index=${(n % 100) * 60}`,
    headers,
  }));
  const { thumb_url: thumbnail } = await upload(user, dir);
  await measure(service, 'Thumbnail', () => ({ url: thumbnail }));
  const ids = await column<string>(
    service.db,
    `SELECT id FROM images WHERE user_id = $1 AND deleted_at IS NULL AND has_det IS NULL
       AND NOT is_shared AND location IS NOT NULL ORDER BY id LIMIT $2`,
    [user.id, needed],
  );
  for (const name of Object.keys(kinds) as KindName[]) {
    const { method, path, form } = kinds[name];
    await measure(service, `Change: ${name}`, (n) => ({
      method,
      url: url + path(ids[n] ?? ''),
      headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...form(ids[n] ?? '') }).toString(),
    }));
  }
  // Last: imaging processes that end when they are idle take their CPU time along.
  return measure(service, 'Upload, 12 MP, 2.5 MB', (n) => {
    const form = { latitude: `${37 + n / 1000}`, longitude: '127' };
    return { method: 'POST', url, headers, file, form };
  });
}

/** Bytes on the disk of the objects of an upload, with their folders. */
async function files(service: BenchService, user: BenchUser, dir: string): Promise<number> {
  const { id } = await upload(user, dir);
  const folder = join(service.home.store, user.platformId, user.id, id);
  const names = ['', ...(await readdir(folder, { recursive: true }))];
  let all = 0;
  for (const name of names) {
    const one = await stat(join(folder, name));
    all += one.blocks * 512;
    if (one.isFile()) line([name.replace(/.*\//, ''), kilobytes(one.size)]);
  }
  line(['on the disk, with two folders', kilobytes(all)]);
  return all;
}

interface Relation {
  readonly table: string;
  readonly name: string;
  readonly bytes: number;
}

/** Rows (`name` is empty) and indexes of all tables, per image; the largest ones by name. */
async function tables({ db }: BenchService): Promise<number> {
  const all = await rows<Relation>(
    db,
    `WITH relation AS (
       SELECT c.oid::regclass::text AS "table", '' AS name, pg_table_size(c.oid) AS bytes
       FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
       UNION ALL
       SELECT indrelid::regclass::text, indexrelid::regclass::text, pg_relation_size(indexrelid)
       FROM pg_index JOIN pg_class c ON c.oid = indrelid
       WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
     )
     SELECT "table", name, bytes::float8 / (SELECT count(*) FROM images) AS bytes
     FROM relation ORDER BY bytes DESC`,
  );
  const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const rest = all.filter(({ bytes }) => bytes < total / 100);
  for (const { table, name, bytes } of all.slice(0, all.length - rest.length))
    line([name === '' ? `rows of ${table}` : `index ${name}`, figure(bytes)]);
  line(['everything else', figure(rest.reduce((sum, { bytes }) => sum + bytes, 0))]);
  line(['the database', kilobytes(total)]);
  return total;
}

const dir = values.home ?? (await openDirectory('imgstore-cost-'));
try {
  const service = await BenchService.open(join(dir, `table-${images}`));
  try {
    const { small } = await service.table(images);
    // Its images count more bytes than a user may have.
    await service.db.query('UPDATE users SET max_storage_bytes = 1e15 WHERE id = $1', [small.id]);
    report('Measuring the database');
    line(['Of an image', 'Bytes']);
    line(['---', '--:']);
    const inDatabase = await tables(service);
    const inStore = await files(service, small, dir);
    report('Measuring requests');
    const wal = await requests(service, small, dir);
    const ofYear = (bytes: number): string =>
      `${Math.round((bytes * uploadsPerYear) / 1024 ** 3).toLocaleString('en')} GB`;
    console.log(
      `A year of 10,000 uploads a day: files ${ofYear(inStore)}, database ${ofYear(inDatabase)}, WAL ${ofYear(wal)}`,
    );
  } finally {
    await service.stop();
  }
} finally {
  load.close();
  if (values.home === undefined) await rm(dir, { recursive: true, force: true });
}
