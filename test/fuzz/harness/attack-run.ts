import { setTimeout as delay } from 'node:timers/promises';
import type { Findings } from './findings.js';
import type { Appliance } from '../../../testkit/appliance.js';
import { ProcessWatch, openDescriptors, type Peaks } from '../../../testkit/process-watch.js';
import { Victim, type VictimStats } from '../../../testkit/victim.js';
import { eventually } from '../../../testkit/eventually.js';

export interface AttackRun {
  readonly duringAttack: VictimStats;
  readonly idle: VictimStats;
  readonly peaks: Peaks;
  readonly descriptors: { readonly before: number; readonly after: number };
}

/** Maximum memory of the service in megabytes. */
const memoryLimitMb = 700;
/** Variation of open descriptors due to the pool of database connections. */
const descriptorSlack = 12;
/** Time for abandoned connections to close, in milliseconds. */
const settleMs = 90_000;

/** The maximum latency of another user's requests: much more than idle means that they queue. */
const p99LimitMs = (idle: VictimStats): number => Math.max(3_000, 15 * idle.p99);

export interface AttackRunOptions {
  readonly part: string;
  readonly target: Appliance;
  readonly findings: Findings;
  /** Milliseconds that the other user works alone first, to compare latencies; 0: do not compare. */
  readonly idleMs: number;
}

/** Runs an attack beside a well-behaved user, and checks its effects against the limits. */
export async function runAttack(
  { part, target, findings, idleMs }: AttackRunOptions,
  attack: () => Promise<void>,
): Promise<AttackRun> {
  const platform = await target.world.platform();
  const victim = await Victim.of(await platform.user());
  victim.start();
  await delay(idleMs);
  const idle = await victim.stop();
  const before = await openDescriptors(target.pid);
  const deaths = target.deaths;
  const watch = new ProcessWatch(() => target.pid);
  victim.start();
  await attack();
  const duringAttack = await victim.stop();
  await victim.end();
  const peaks = await watch.stop();
  const after = await settled(target, before + descriptorSlack);

  if (target.deaths === deaths) {
    for (const failure of duringAttack.failures) {
      await findings.add(part, 'another user', `is refused: ${failure}`);
    }
    const limit = p99LimitMs(idle);
    if (idleMs > 0 && duringAttack.p99 > limit) {
      await findings.add(
        part,
        'another user',
        `waits: p99 ${duringAttack.p99} ms, limit ${limit} ms`,
      );
    }
  }
  if (peaks.serviceMb > memoryLimitMb) {
    await findings.add(part, 'memory', `the service took ${peaks.serviceMb} MB`);
  }
  if (after > before + descriptorSlack) {
    await findings.add(part, 'descriptors', `${before} before, ${after} stay open`);
  }
  return { duringAttack, idle, peaks, descriptors: { before, after } };
}

/** Waits until the open descriptors have come down to a number, or for a timeout. @returns them. */
async function settled(target: Appliance, limit: number): Promise<number> {
  await eventually(
    'descriptors go',
    async () => (await openDescriptors(target.pid)) <= limit,
    settleMs,
  ).catch(() => undefined);
  return openDescriptors(target.pid);
}
