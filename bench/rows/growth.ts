import { reads, requestOf, type Read } from '../reads.js';
import type { BenchService, BenchUser } from '../harness/bench-service.js';
import { smallImages, tableOf } from '../harness/table.js';
import type { Bench, Row } from '../harness/row.js';
import { dayMs } from '../../src/base/units.js';

/** Calls of one round, one after the other. */
const calls = 15;

/** Reads of the API by their names in reads.ts, with the maximum slowdown. */
const goals: Readonly<Record<string, number>> = {
  'list, first page': 1.5,
  'list, deep page': 1.5,
  'list, by when taken, deep page': 1.5,
  'list, one state of has_det': 1.5,
  'list, some days when taken': 1.5,
  'a folder': 1.5,
  count: 1.5,
  map: 1.5,
  'map, within a radius': 1.5,
  'tile of the world': 1.5,
  'tile of a city': 1.5,
  'clusters of some days when taken': 1.5,
  'group, radius': 1.5,
  'group, a quarter of the images': 1.5,
  'group, all locations': 1.5,
  'search, addresses': 3,
  'search, filenames': 3,
  'search, all': 3,
  changes: 1.5,
};

/**
 * Reads around a point or of a period, where a user with more images has more matches: for the other user,
 * the radius or period is enlarged to contain as many, so that both responses are comparable.
 */
const scaledReads: ReadonlySet<string> = new Set([
  'group, radius',
  'map, within a radius',
  'list, some days when taken',
  'clusters of some days when taken',
]);
const defaultRadius = 100;
const periods = [
  ['start_date', 'end_date'],
  ['from_date', 'to_date'],
] as const;

const inWords = (count: number): string => count.toLocaleString('en');
const nameOf = (read: string): string => read.replace(/[, ]+/g, '-');
const titleOf = (read: string): string => `${read[0]?.toUpperCase()}${read.slice(1)}`;

/** The user of a measured read, with its service. */
type Subject = (bench: Bench) => Promise<{ service: BenchService; user: BenchUser }>;

const alone = (images: number, service: 'large' | 'small'): Subject => {
  return async (bench) => {
    const its = await bench[service]();
    return { service: its, user: await its.user(images) };
  };
};
const among = (rows: number, user: 'largest' | 'small'): Subject => {
  return async (bench) => {
    const its = await bench.table(rows);
    return { service: its, user: (await its.table(rows))[user] };
  };
};

const growthRow = (
  read: string,
  { name, of, beside }: { readonly name: string; readonly of: string; readonly beside: string },
  open: Row['open'],
): Row => ({
  name: `growth/${nameOf(read)}/${name}`,
  title: `${titleOf(read)}: ${of} images`,
  limit: `${beside} images`,
  unit: 'ms',
  goal: { atMost: goals[read] ?? NaN },
  open,
});

/**
 * Reads of users with many images, compared with the same reads of a user with 10,000, in a separate
 * database.
 */
export const growthRows = (users: readonly number[]): Row[] =>
  users.flatMap((images) =>
    Object.keys(goals).map((read) =>
      growthRow(
        read,
        { name: String(images), of: inWords(images), beside: inWords(smallImages) },
        compare(read, alone(images, 'large'), alone(smallImages, 'small')),
      ),
    ),
  );

/**
 * The same in tables with images of many users, for the largest user and one with 10,000 images; compared
 * with a single user with 10,000 images.
 * @param tables numbers of images.
 */
export const tableRows = (tables: readonly number[]): Row[] =>
  tables.flatMap((rows) =>
    Object.keys(goals).flatMap((read) =>
      usersIn(rows).map(([user, images]) =>
        growthRow(
          read,
          {
            name: `${rows}-${user}`,
            of: `${inWords(images)} of ${inWords(rows)}`,
            beside: `all of ${inWords(smallImages)}`,
          },
          compare(read, among(rows, user), among(smallImages, 'largest')),
        ),
      ),
    ),
  );

function usersIn(rows: number): ['largest' | 'small', number][] {
  const { largest } = tableOf(rows);
  return largest > smallImages
    ? [
        ['largest', largest],
        ['small', smallImages],
      ]
    : [['largest', largest]];
}

const compare =
  (read: string, many: Subject, few: Subject): Row['open'] =>
  async (bench) => {
    const larger = (await many(bench)).user.images;
    const smaller = (await few(bench)).user.images;
    const times = scaledReads.has(read) ? larger / smaller : 1;
    return {
      ours: await timeOf(readOf(read), many, bench),
      limit: await timeOf(wider(readOf(read), times), few, bench),
    };
  };

/** With that many times the area or days. */
function wider([what, of, path, query]: Read, times: number): Read {
  if (times === 1) return [what, of, path, query];
  const period = periods.find(([from]) => from in query);
  if (period) {
    const [from, to] = period.map((key) => String(query[key]));
    return [what, of, path, { ...query, [period[0]]: earlier(from ?? '', to ?? '', times) }];
  }
  const radius = Math.round(Number(query.radius ?? defaultRadius) * Math.sqrt(times));
  return [what, of, path, { ...query, radius }];
}

/** The first day of a period that ends on the same day and has that many times the days. */
function earlier(from: string, to: string, times: number): string {
  const [first = NaN, last = NaN] = [from, to].map((day) =>
    Date.parse(day.replace(/(....)(..)(..)/, '$1-$2-$3')),
  );
  const days = (last - first) / dayMs + 1;
  const start = new Date(last - (Math.round(days * times) - 1) * dayMs);
  return start.toISOString().slice(0, 10).replaceAll('-', '');
}

/** Measures the median milliseconds of a read. */
async function timeOf(read: Read, subject: Subject, bench: Bench): Promise<() => Promise<number>> {
  const { service, user } = await subject(bench);
  const call = await requestOf(read, service, user);
  const job = { clients: [[call]], until: { calls }, status: 200 };
  return async () => (await bench.load.run(job)).median;
}

function readOf(name: string): Read {
  const read = reads.find(([what]) => what === name);
  if (!read) throw new Error(`reads.ts has no "${name}"`);
  return read;
}
