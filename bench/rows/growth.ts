import { reads, type Read } from '../reads.js';
import type { BenchService, BenchUser } from '../harness/bench-service.js';
import { requestOf } from '../harness/read-request.js';
import { smallImages, tableOf } from '../harness/table.js';
import type { Bench, Goal, Growth, Row } from '../harness/row.js';
import { dayMs } from '../../src/base/units.js';
import { presenceRow } from './presence.js';

/** Calls of one round, one after the other. */
const calls = 15;

/** Reads of the API by their names in reads.ts, with the maximum slowdown. */
const goals: readonly (readonly [read: string, goal: Goal])[] = [
  ['group, radius', { atMost: 1.5 }],
  ['group, wide radius', { atMost: 2 }],
  ['group, a quarter of the images', { atMost: 2 }],
  ['map', { atMost: 1.5 }],
  ['map, within a radius', { atMost: 1.5 }],
  ['group, all locations', { atMost: 2 }],
  ['list, one state of has_det', { atMost: 1.5 }],
  ['list, first page', { atMost: 1.5 }],
  ['list, by when taken', { atMost: 1.5 }],
  ['list, deep page', { atMost: 1.5 }],
  ['list, by when taken, deep page', { atMost: 1.5 }],
  ['list, some days', { atMost: 1.5 }],
  ['list, some days when taken', { atMost: 1.5 }],
  ['clusters of some days when taken', { atMost: 1.5 }],
  ['search, by when taken', { atMost: 3 }],
  ['group, radius, one direction', { atMost: 1.5 }],
  ['a folder, by when taken', { atMost: 1.5 }],
  ['top level', { atMost: 1.5 }],
  ['a folder', { atMost: 1.5 }],
  ['search, addresses', { atMost: 3 }],
  ['search, filenames', { atMost: 3 }],
  ['search, two letters', { atMost: 3 }],
  ['search, all', { atMost: 3 }],
  ['count', { atMost: 1.5 }],
  ['changes', { atMost: 2 }],
  ['changes of all users', { atMost: 2 }],
];

/** Reads with a limit in milliseconds, regardless of the number of images. */
const budgets: readonly (readonly [read: string, ms: number])[] = [
  ['group, wide radius', 50],
  ['group, a quarter of the images', 50],
  ['search, two letters', 200],
];

/**
 * Reads around a point or of a period, where a user with more images has more matches: for the other user,
 * the radius or period is enlarged to contain as many, so that both responses are comparable.
 */
const scaledReads: ReadonlySet<string> = new Set([
  'group, radius',
  'group, radius, one direction',
  'map, within a radius',
  'list, some days',
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

/**
 * Reads of users with many images, compared with the same reads of a user with 10,000, in a separate
 * database.
 */
export const growthRows = (users: readonly number[]): Row[] => users.flatMap(growthRowsOf);

const growthRowsOf = (images: number): Row[] =>
  goals.map(([read, goal]) => ({
    name: `growth/${nameOf(read)}/${images}`,
    title: `${titleOf(read)}: ${inWords(images)} images`,
    limit: `${inWords(smallImages)} images`,
    unit: 'ms',
    goal,
    open: compare(read, alone(images, 'large'), alone(smallImages, 'small')),
  }));

/**
 * The same in tables with images of many users, for the largest user and one with 10,000 images; compared
 * with a single user with 10,000 images.
 * @param tables numbers of images.
 */
export const tableRows = (tables: readonly number[]): Row[] =>
  tables.flatMap((rows) => [
    ...goals.flatMap(([read, goal]) =>
      usersIn(rows).map((user) => inTable(read, { read, user, rows }, goal)),
    ),
    ...budgets.map(([read, ms]) => withinBudget(read, rows, ms)),
    presenceRow(rows),
  ]);

const usersIn = (rows: number): Growth['user'][] =>
  tableOf(rows).largest > smallImages ? ['largest', 'small'] : ['largest'];

const imagesOf = ({ user, rows }: Growth): string => {
  const images = user === 'largest' ? tableOf(rows).largest : smallImages;
  return `${inWords(images)} of ${inWords(rows)} images`;
};

const inTable = (read: string, growth: Growth, goal: Goal): Row => ({
  name: `growth/${nameOf(read)}/${growth.rows}-${growth.user}`,
  title: `${titleOf(read)}: ${imagesOf(growth)}`,
  limit: `all of ${inWords(smallImages)} images`,
  unit: 'ms',
  goal,
  growth,
  open: compare(read, among(growth.rows, growth.user), among(smallImages, 'largest')),
});

const withinBudget = (read: string, rows: number, ms: number): Row => ({
  name: `growth/${nameOf(read)}/${rows}-budget`,
  title: `${titleOf(read)}: ${imagesOf({ read, user: 'largest', rows })}`,
  limit: `${ms} ms`,
  unit: 'ms',
  goal: { atMost: 1 },
  open: async (bench) => ({
    ours: await timeOf(readOf(read), among(rows, 'largest'), bench),
    limit: async () => ms,
  }),
});

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
