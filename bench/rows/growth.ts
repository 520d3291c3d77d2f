import { reads } from '../reads.js';
import type { Read } from '../reads.js';
import type { BenchService, BenchUser } from '../harness/bench-service.js';
import type { LoadGenerator } from '../harness/load.js';
import type { Goal, Row } from '../harness/row.js';

const smallImages = 10_000;
/** Calls of one round, one after the other. */
const calls = 15;

/** Reads of the API by their names in reads.ts, and how much slower they may get. */
const goals: readonly (readonly [read: string, goal: Goal])[] = [
  ['group, radius', { atMost: 1.5 }],
  ['group, wide radius', { atMost: 2 }],
  ['map', { atMost: 1.5 }],
  ['map, within a radius', { atMost: 1.5 }],
  ['group, all locations', { atMost: 2 }],
  ['list, one state of has_det', { atMost: 1.5 }],
  ['top level', { atMost: 1.5 }],
  ['a folder', { atMost: 1.5 }],
  ['search, addresses', { atMost: 3 }],
  ['search, filenames', { atMost: 3 }],
  ['search, two letters', { atMost: 3 }],
  ['search, all', { atMost: 3 }],
  ['count', { atMost: 1.5 }],
];

/** A read of a user with many images, compared with the same read of one with 10,000. */
export const growthRows = (images: number): Row[] =>
  goals.map(([what, goal]) => {
    const read = reads.find(([name]) => name === what);
    if (!read) throw new Error(`reads.ts has no "${what}"`);
    return {
      name: `growth/${what.replace(/[, ]+/g, '-')}`,
      title: `${what[0]?.toUpperCase()}${what.slice(1)}: ${images.toLocaleString('en')} images`,
      limit: `${smallImages.toLocaleString('en')} images`,
      unit: 'ms',
      goal,
      open: async ({ load, large, small }) => {
        const [much, little] = [await large(), await small()];
        return {
          ours: await timeOf(read, much, await much.user(images), load),
          limit: await timeOf(read, little, await little.user(smallImages), load),
        };
      },
    };
  });

/** Measures the milliseconds of one read, in the middle of several. */
async function timeOf(
  [, , path, query]: Read,
  service: BenchService,
  user: BenchUser,
  load: LoadGenerator,
): Promise<() => Promise<number>> {
  const folder = path.includes('{folder}') ? await largestFolder(service, user) : '';
  const url = new URL(`${service.url}/api/v1/users/${user.id}${path.replace('{folder}', folder)}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const call = { url: url.href, headers: user.headers };
  const job = { clients: [[call]], until: { calls }, status: 200 };
  return async () => (await load.run(job)).median;
}

async function largestFolder({ db }: BenchService, { id }: BenchUser): Promise<string> {
  const found: { folder_id: string }[] = await db.query(
    `SELECT folder_id FROM images WHERE user_id = $1 AND folder_id IS NOT NULL
     GROUP BY folder_id ORDER BY count(*) DESC LIMIT 1`,
    [id],
  );
  return found[0]?.folder_id ?? 'root';
}
