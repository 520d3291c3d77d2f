import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { Random } from '../../testkit/random.js';
import { serverState } from '../../testkit/replica-of-user.js';
import type { Scope } from '../../testkit/scope.js';
import { Field } from './field.js';
import { Gate } from './gate.js';
import { NodesClient } from './nodes-client.js';
import type { Part, PartResult } from './part.js';
import { Reader, userOf } from './reader.js';
import { write } from './writer.js';

/** How often the reader is stopped and compared with the server. */
const stops = 20;
const writers = 20;
/** Interval between faults, in seconds. */
const everySeconds = 8;

/** Random durations that add up to `total` milliseconds, none of them very short. */
function spans(count: number, total: number): number[] {
  const random = new Random(5);
  const weights = Array.from({ length: count }, () => 50 + random.below(100));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => (total * weight) / sum);
}

/** Shows whether every number of the user's sequence exists exactly once. */
const numbersSql = `
  SELECT count(*)::int AS entries, count(DISTINCT seq)::int AS numbers,
         min(seq)::int AS first, max(seq)::int AS last
  FROM changes WHERE user_id = $1`;

async function run(
  scope: Scope,
  report: (line: string) => void,
  { minutes }: { readonly minutes: number },
): Promise<PartResult> {
  const field = await Field.start(scope);
  const owner = await field.parts.newUser('replicated');
  const [gate, over, findings] = [new Gate(), new AbortController(), [] as string[]];
  const reader = new Reader(field, owner);
  const written = Promise.all(
    Array.from({ length: writers }, (_, n) => write({ field, owner, gate }, n, over.signal)),
  );
  const read = async (): Promise<void> => {
    for (const [n, ms] of spans(stops, minutes * 60_000).entries()) {
      await reader.followFor(ms, over.signal);
      const equal = await gate.alone(() => reader.isEqual());
      report(`stop ${n + 1} of ${stops}: ${equal ? 'equal' : 'not equal'}`);
      if (!equal) findings.push(`at stop ${n + 1}, the replica differs`);
    }
  };
  const start = Date.now();
  const seconds = (): number => (Date.now() - start) / 1000;
  const faults = await field.injectFaultsDuring(
    read().finally(() => over.abort()),
    {
      every: everySeconds,
      progress: seconds,
      report: (fault) => report(`${Math.round(seconds())} s: ${fault}`),
    },
  );
  const changes = await written;
  await field.parts.allUp();
  const pool = new pg.Pool({ connectionString: field.parts.databaseUrl });
  scope.after(() => pool.end());
  const query = async (sql: string, values: unknown[] = []): Promise<object[]> =>
    (await pool.query<object>(sql, values)).rows;
  const replica = await reader.catchUp();
  const service = { client: new NodesClient(field.baseUrls), db: { query } };
  const there = await serverState(service, userOf(owner));
  if (!isDeepStrictEqual(replica.state(), there)) findings.push('the replica differs');
  const { last } = replica;
  const [numbers] = await query(numbersSql, [owner.user_id]);
  if (!isDeepStrictEqual(numbers, { entries: last, numbers: last, first: 1, last })) {
    findings.push(`numbers are missing or duplicated: ${JSON.stringify(numbers)}`);
  }
  const [images, folders] = [Object.keys(there.images).length, Object.keys(there.folders).length];
  return {
    details: [
      `${minutes} minutes of ${writers} writers, ${faults} kills and restarts, ${await field.cuts()} broken connections`,
      `${sum(changes.map(({ done }) => done))} changes answered, ${sum(changes.map(({ failed }) => failed))} cut off or rejected; the last number of the feed is ${last}`,
      `the reader was stopped and compared ${stops} times; ${images} images and ${folders} folders exist`,
    ],
    findings,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

export const replica: Part = {
  name: 'replica',
  about: 'a replica from snapshot and feed, while nodes and the reader itself are stopped',
  run,
};
