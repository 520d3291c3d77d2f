import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { minuteMs, secondMs } from '../src/base/units.js';
import { Client } from '../testkit/client.js';
import { eventually } from '../testkit/eventually.js';
import { Installation } from '../testkit/installation.js';
import type { CreatedUser } from '../testkit/records.js';
import { Started, type Scope } from '../testkit/scope.js';
import { misused, readOptions } from '../testkit/script.js';
import { PatroniCluster } from './failover/patroni.js';
import { openDirectory, report } from './private-service.js';

const usage = `Usage: npm run soak -- --failover [--rounds N] [--writers N]

Three nodes on S3 and on three PostgreSQL servers under Patroni (apt-get install patroni python3-pysyncobj), of
which the primary is killed, paused, and demoted in turn while folders are created. Exit code 1 if anything that
was acknowledged is missing.

  --rounds N   how many times each of the three happens (default: 3)
  --writers N  requests at a time (default: 8)`;

const values = readOptions(usage, {
  rounds: { type: 'string', default: '3' },
  writers: { type: 'string', default: '8' },
});

function numberOf(option: 'rounds' | 'writers'): number {
  const value = Number(values[option]);
  return value >= 1 ? value : misused(`--${option} must be a number from 1 on.`, usage);
}

/** How long a primary is away: longer than Patroni waits for it. */
const awayMs = 40 * secondMs;

type Fault = (database: PatroniCluster) => Promise<() => Promise<unknown>>;

/** Each returns what repairs it. */
const faults: Readonly<Record<string, Fault>> = {
  killed: async (database) => {
    const primary = await database.primary();
    await database.signal(primary, 'SIGKILL');
    return async () => {
      await delay(awayMs);
      database.run(primary);
    };
  },
  paused: async (database) => {
    const primary = await database.primary();
    const pids = await database.signal(primary, 'SIGSTOP');
    return async () => {
      await delay(awayMs);
      await database.signal(primary, 'SIGCONT', pids);
    };
  },
  demoted: async (database) => {
    await database.switchOver(await database.primary());
    return async () => undefined;
  },
};

interface Gap {
  /** On the `performance` clock. */
  readonly began: number;
  readonly ms: number;
}

/** Creates folders through all nodes, and notes which are acknowledged and when. */
class Writers {
  readonly acknowledged: string[] = [];
  refused = 0;
  #last = performance.now();
  #longest: Gap = { began: 0, ms: 0 };
  #stopped = false;
  readonly #all: Promise<unknown>;

  constructor(
    private readonly urls: readonly string[],
    private readonly user: CreatedUser,
  ) {
    const writers = Array.from({ length: numberOf('writers') }, (_, n) => this.#write(n));
    this.#all = Promise.all(writers);
  }

  async #write(n: number): Promise<void> {
    const client = new Client(this.urls[n % this.urls.length] ?? '');
    while (!this.#stopped) {
      const { status, result } = await client.post<{ id: string }>(
        `/api/v1/users/${this.user.user_id}/folders`,
        { as: ['User', this.user.access_token], form: { title: randomUUID() } },
      );
      if (status === 200) this.#note(result.id);
      else {
        this.refused += 1;
        await delay(50);
      }
    }
  }

  #note(id: string): void {
    const now = performance.now();
    const ms = now - this.#last;
    if (ms > this.#longest.ms) this.#longest = { began: this.#last, ms };
    this.#last = now;
    this.acknowledged.push(id);
  }

  /** The longest time without an acknowledgement since this was asked last. */
  takeLongest(): Gap {
    const longest = this.#longest;
    this.#longest = { began: 0, ms: 0 };
    return longest;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#all;
  }
}

/** When a node was first not ready; undefined if it was ready throughout. */
async function firstNotReady(url: string, signal: AbortSignal): Promise<number | undefined> {
  while (!signal.aborted) {
    const answer = await fetch(`${url}/readyz`, { signal }).catch(() => undefined);
    if (answer && answer.status !== 200) return performance.now();
    await delay(50);
  }
  return undefined;
}

const seconds = (ms: number): string => `${(ms / secondMs).toFixed(1)} s`;

async function run(scope: Scope): Promise<number> {
  const dir = await openDirectory('imgstore-failover-');
  scope.after(() => rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  report('starting three PostgreSQL servers under Patroni, an S3 server, and three nodes');
  const database = await PatroniCluster.start(scope, dir);
  const parts = await Installation.start(scope, {
    shape: { monitors: 1, osds: 1, gateways: 1, copies: 1 },
    settings: { 'database.url': database.url },
  });
  const writers = new Writers(parts.urls, await parts.newUser('writer'));
  for (let round = 1; round <= numberOf('rounds'); round += 1) {
    for (const [what, fault] of Object.entries(faults)) {
      const before = writers.acknowledged.length;
      await eventually('writes', () => writers.acknowledged.length > before + 50, minuteMs);
      writers.takeLongest();
      const watched = new AbortController();
      const notReady = firstNotReady(parts.urls[0] ?? '', watched.signal);
      const repair = await fault(database);
      await repair();
      await database.becomesWhole();
      const after = writers.acknowledged.length;
      await eventually('writes again', () => writers.acknowledged.length > after + 50, minuteMs);
      watched.abort();
      const { began, ms } = writers.takeLongest();
      const at = await notReady;
      const readiness =
        at === undefined
          ? 'ready throughout'
          : `not ready ${seconds(Math.max(0, at - began))} into it`;
      console.log(
        `the primary is ${what}: ${seconds(ms)} without an acknowledgement, ${readiness}`,
      );
    }
  }
  await writers.stop();
  const lost = await missing(await database.writerUrl(), writers.acknowledged);
  console.log(
    `${writers.acknowledged.length} acknowledged, ${writers.refused} refused, ${lost} lost`,
  );
  return lost;
}

async function missing(url: string, ids: readonly string[]): Promise<number> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  const sql = 'SELECT count(*)::int AS found FROM folders WHERE id = ANY($1)';
  const { rows } = await db.query<{ found: number }>(sql, [ids]);
  await db.end();
  return ids.length - (rows[0]?.found ?? 0);
}

const scope = new Started();
try {
  if ((await run(scope)) > 0) process.exitCode = 1;
} finally {
  await scope.end();
}
