import { randomUUID } from 'node:crypto';
import { asSuperuser, role, superuser } from '../src/database/postgres/connect.js';
import { column, onlyValue } from '../src/database/sql.js';
import type { BenchService, BenchUser } from './harness/bench-service.js';
import { cpuTimeOf, since, totalOf, type CpuTime } from './harness/cpu.js';
import { median, type Call, type LoadGenerator } from './harness/load.js';
import { heicPicture, picture, upload } from './harness/pictures.js';
import { figure, markdownTable } from './harness/report.js';
import type { Bench } from './harness/row.js';

const clientCount = 8;
/** Requests of each client in a round, each for another image. */
const perClient = 30;
/** Images of a user that are changed in a round. */
export const changedImages = clientCount * perClient;

/** A running service, and images of a user for a round or for all; changed back when they begin again. */
export interface Side extends Pick<BenchService, 'pid' | 'home'> {
  readonly url: string;
  readonly headers: { readonly Authorization: string };
  readonly imageIds: readonly string[];
}

/** A request whose cost is measured. */
export interface Kind {
  readonly name: string;
  readonly title: string;
  readonly perClient: number;
  /** CPU time of an earlier build to that of this one. */
  readonly goal: number;
  /** @param round,nth from 0 on: of the round, and of the request in it. */
  readonly callOf: (side: Side, scratch: string) => Promise<(round: number, nth: number) => Call>;
}

const form = (headers: Side['headers'], fields: Readonly<Record<string, string>>) => ({
  headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

/** Whether the images of a round have been changed before, and not been changed back. */
const isAgain = (imageIds: readonly string[], round: number): boolean =>
  Math.floor((round * changedImages) / imageIds.length) % 2 === 1;

/** A change of one image by one field. */
const change = (name: string, title: string, field: string): Kind => ({
  name,
  title,
  perClient,
  goal: 0.95,
  callOf: async ({ url, headers, imageIds }) => {
    return (round, nth) => ({
      method: 'PUT',
      url: `${url}/${imageIds[(round * changedImages + nth) % imageIds.length]}`,
      ...form(headers, { [field]: isAgain(imageIds, round) ? 'False' : 'True' }),
    });
  },
});

const uploadOf = (
  name: string,
  title: string,
  file: (scratch: string) => Promise<string>,
): Kind => ({
  name,
  title,
  perClient: 5,
  goal: 0.98,
  callOf: async ({ url, headers }, scratch) => {
    const call = { method: 'POST' as const, url, headers, file: await file(scratch) };
    return (_round, nth) => ({
      ...call,
      form: { latitude: `${37 + nth / 1000}`, longitude: '127' },
    });
  },
});

export const kinds: readonly Kind[] = [
  uploadOf('upload', 'Upload of 12 MP, 2.5 MB', picture),
  uploadOf('heic', 'Upload of 12 MP as HEIC', async (dir) => (await heicPicture(dir)).heic),
  {
    name: 'page',
    title: 'Page of 60',
    perClient,
    goal: 0.95,
    callOf: async ({ url, headers }) => {
      return (_round, nth) => ({ url: `${url}?last_index=${(nth % 3) * 60}`, headers });
    },
  },
  {
    name: 'thumbnail',
    title: 'Thumbnail',
    perClient: 200,
    goal: 0.95,
    callOf: async (side, scratch) => {
      const { thumb_url: url } = await upload(side, scratch);
      return () => ({ url });
    },
  },
  change('has_det', 'Change of `has_det`', 'has_det'),
  {
    name: 'memo',
    title: 'Memo',
    perClient,
    goal: 0.95,
    callOf: async ({ url, headers, imageIds }) => {
      return (_round, nth) => ({
        method: 'POST',
        url: `${url}/${imageIds[nth]}/memos`,
        ...form(headers, { message: randomUUID(), is_client: 'True' }),
      });
    },
  },
  change('trash', 'Trash or restore', 'delete'), // last: nothing else can be done in the trash
];

/** CPU time of one request in a round, by part, in milliseconds. */
export async function measureRound(
  { perClient: calls }: Pick<Kind, 'perClient'>,
  [side, callOf]: readonly [Side, (round: number, nth: number) => Call],
  round: number,
  load: LoadGenerator,
): Promise<CpuTime> {
  const clients = Array.from({ length: clientCount }, (_, client) =>
    Array.from({ length: calls }, (_call, n) => callOf(round, client * calls + n)),
  );
  const before = await cpuTimeOf(side);
  const { count } = await load.run({ clients, until: { calls }, status: 200 });
  const spent = Object.entries(since(before, await cpuTimeOf(side)));
  return Object.fromEntries(spent.map(([part, ms]) => [part, ms / count])) as CpuTime;
}

/** The median of each part, and of all of them together. */
export function mediansOf(times: readonly CpuTime[]): CpuTime & { readonly all: number } {
  const of = (get: (time: CpuTime) => number): number => median(times.map(get));
  return {
    service: of(({ service }) => service),
    threads: of(({ threads }) => threads),
    imaging: of(({ imaging }) => imaging),
    database: of(({ database }) => database),
    all: of(totalOf),
  };
}

/** CPU time and write-ahead log (WAL) of a request of each kind, as a table. */
export async function costTable(
  service: BenchService,
  user: BenchUser,
  { load, scratch }: Pick<Bench, 'load' | 'scratch'>,
  rounds: number,
): Promise<string> {
  // From all over the table.
  const imageIds = await column<string>(
    service.db,
    `SELECT id FROM images WHERE user_id = $1 AND deleted_at IS NULL AND has_det IS NOT TRUE
     ORDER BY md5(id::text) LIMIT $2`,
    [user.id, changedImages * (rounds + 1)],
  );
  const { pid, home, db } = service;
  const side = { pid, home, url: user.url, headers: user.headers, imageIds };
  const written = () =>
    onlyValue<number>(db, `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8`);
  const rows: string[][] = [];
  for (const kind of kinds) {
    const callOf = await kind.callOf(side, scratch);
    // The first change of a page after a checkpoint logs the whole page.
    await asSuperuser(service.databaseUrl.replace(role, superuser), ['CHECKPOINT']);
    const times: CpuTime[] = [];
    const wal: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const before = await written();
      const spent = await measureRound(kind, [side, callOf], round, load);
      if (round === 0) continue;
      times.push(spent);
      wal.push((await written()) - before);
    }
    const { service: own, threads, imaging, database, all } = mediansOf(times);
    const kilobytes = median(wal) / (kind.perClient * clientCount) / 1024;
    rows.push([kind.title, ...[own, threads, imaging, database, all, kilobytes].map(figure)]);
  }
  const head = ['CPU time in ms', 'Serving process', 'its threads', 'Imaging', 'Database', 'All'];
  return markdownTable([...head, 'WAL in KB'], rows);
}
