import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { secondMs } from '../src/base/units.js';
import { eventually } from '../testkit/eventually.js';
import { Installation } from '../testkit/installation.js';
import { Started, type Scope } from '../testkit/scope.js';
import { misused, numberOf, readOptions } from '../testkit/script.js';
import { loopbackAllowed } from '../testkit/webhooks.js';
import { Ledger } from './failover/ledger.js';
import { PatroniCluster, signal, type Member } from './failover/patroni.js';
import { Probes } from './failover/watch.js';
import { openDirectory, report } from './private-service.js';

/** Users who write at a time. */
const writers = 8;

type Fault = (database: PatroniCluster) => Promise<() => Promise<unknown>>;

/** What happens to the primary, or to a standby. Each returns what repairs it. */
const faults: Readonly<Record<string, Fault>> = {
  'server killed': async (database) => {
    signal(await database.serverOf(await database.primary()), 'SIGKILL');
    return async () => undefined; // by its Patroni
  },
  'machine killed': async (database) => {
    const primary = await database.primary();
    signal(await database.processesOf(primary), 'SIGKILL');
    return async () => database.run(primary);
  },
  paused: async (database) => {
    const pids = await database.processesOf(await database.primary());
    signal(pids, 'SIGSTOP');
    return async () => signal(pids, 'SIGCONT');
  },
  'cut off': async (database) => cutOff(database, await database.primary()),
  'standby cut off': async (database) => cutOff(database, await database.standby()),
  demoted: async (database) => {
    await database.switchOver(await database.primary());
    return async () => undefined;
  },
};

async function cutOff({ network }: PatroniCluster, { machine }: Member) {
  await network.cut(machine);
  return () => network.join(machine);
}

const usage = `Usage: npm run soak -- --failover [--rounds N] [--only FAULT]

Three nodes on S3 and on three PostgreSQL servers under Patroni (apt-get install patroni python3-pysyncobj) in a
network of their own, while folders and pictures are created, their feed is read, and webhooks are sent. As root.
Exit code 1 if anything that was acknowledged is missing anywhere.

  --rounds N    how often each fault happens (default: 4)
  --only FAULT  one of these: ${Object.keys(faults).join(', ')}`;

const values = readOptions(usage, {
  rounds: { type: 'string', default: '4' },
  only: { type: 'string' },
});

const rounds = numberOf(['rounds', values.rounds], usage, 1);
const { only } = values;
const chosen = Object.entries(faults).filter(([what]) => only === undefined || what === only);
if (chosen.length === 0) misused(`There is no fault ${only}.`, usage);

/** Milliseconds of one fault. */
interface Seen {
  /** No server took writes. */
  readonly database: number;
  /** No node acknowledged anything. */
  readonly answers: number;
}

const columns: Readonly<Record<keyof Seen, string>> = {
  database: 'no server took writes',
  answers: 'no node acknowledged any',
};

const seconds = (ms: number): string => (ms / secondMs).toFixed(1);

const cellsOf = (seen: readonly Seen[]): string[] =>
  (Object.keys(columns) as (keyof Seen)[]).map((column) => {
    const all = seen.map((one) => one[column]);
    const [least, most] = [Math.min(...all), Math.max(...all)];
    return least === most ? `${seconds(least)} s` : `${seconds(least)} to ${seconds(most)} s`;
  });

async function run(scope: Scope): Promise<void> {
  const dir = await openDirectory('imgstore-failover-');
  scope.after(() => rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  report('starting three PostgreSQL servers under Patroni, an S3 server, and three nodes');
  const database = await PatroniCluster.start(scope, dir);
  const parts = await Installation.start(scope, {
    shape: { monitors: 1, osds: 1, gateways: 1, copies: 1 },
    settings: {
      'database.url': database.url,
      'webhooks.allow_http': true,
      'webhooks.allow_networks': [loopbackAllowed['webhooks.allow_networks']],
    },
  });
  const ledger = await Ledger.start(scope, parts, writers);
  const probes = Probes.start(scope, database.probeUrls);
  const allReady = async (): Promise<boolean> => {
    const answers = parts.urls.map((url) =>
      fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10 * secondMs) }).catch(() => undefined),
    );
    return (await Promise.all(answers)).every((answer) => answer?.ok);
  };

  async function suffer(fault: Fault): Promise<Seen> {
    await ledger.goesOn();
    ledger.gaps.take();
    probes.gaps.take();
    const repair = await fault(database);
    await delay(secondMs); // until it has an effect
    await ledger.goesOn();
    await repair();
    await database.becomesWhole();
    await ledger.goesOn();
    await eventually('all nodes are ready', allReady);
    return { database: probes.gaps.take(), answers: ledger.gaps.take() };
  }

  const seen = new Map<string, Seen[]>(chosen.map(([what]) => [what, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [what, fault] of chosen) {
      const one = await suffer(fault);
      seen.get(what)?.push(one);
      report(`round ${round} of ${rounds}, ${what}: ${cellsOf([one]).join(', ')}`);
    }
  }
  report('comparing everything with what was acknowledged');
  await ledger.compare(await database.writerUrl());
  console.log(`| What happens | ${Object.values(columns).join(' | ')} |\n|---|--:|--:|`);
  for (const [what, all] of seen) console.log(`| ${what} | ${cellsOf(all).join(' | ')} |`);
  const { acknowledged, refused, events, findings } = ledger;
  console.log(
    `\n${acknowledged} writes acknowledged, ${refused} refused, ${events} events received`,
  );
  for (const finding of findings) console.log(`✖ ${finding}`);
  if (findings.length > 0) process.exitCode = 1;
}

const scope = new Started();
try {
  await run(scope);
} finally {
  await scope.end();
}
