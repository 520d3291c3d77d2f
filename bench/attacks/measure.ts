import { setTimeout as delay } from 'node:timers/promises';
import { ProcessWatch, openDescriptors, type Peaks } from '../../testkit/process-watch.js';
import { appliance, type Appliance } from '../../testkit/appliance.js';
import { Victim, type VictimStats } from '../../testkit/victim.js';
import { Started } from '../../testkit/scope.js';
import type { Attack } from './attack.js';

/** Megabytes at which a service is killed to protect the machine. */
const maxMb = 3_000;
const idleMs = 5_000;
/** Time for an attack's aftereffects to end, in milliseconds. */
const settleMs = 10_000;

export interface Measured {
  readonly name: string;
  readonly peaks: Peaks;
  readonly descriptorsBefore: number;
  readonly descriptorsAfter: number;
  readonly fate: 'survived' | 'died' | 'ended at 3 GB';
  readonly idle: VictimStats;
  readonly duringAttack: VictimStats;
  /** Further details to report. */
  readonly note: string | void;
}

/**
 * Runs one attack on a separate service. @param program an imgstore; default: the one in this
 * clone.
 */
export async function measure(attack: Attack, program: string | undefined): Promise<Measured> {
  const started = new Started();
  try {
    const target = await appliance(started, { program });
    await target.restart(); // by `serve`, which nobody else starts again
    return await underAttack(attack, target);
  } finally {
    await started.end();
  }
}

async function underAttack(attack: Attack, target: Appliance): Promise<Measured> {
  const user = await target.world.user();
  const run = await attack.prepare(target);
  const victim = await Victim.of(user, attack.rhythm);
  victim.start();
  await delay(idleMs);
  const idle = await victim.stop();
  const descriptorsBefore = await openDescriptors(target.pid);

  const over = new AbortController();
  let tooLarge = false;
  const watch = new ProcessWatch(
    () => target.pid,
    ({ memoryMb }) => {
      if (memoryMb < maxMb || target.dead) return;
      tooLarge = true;
      process.kill(target.pid, 'SIGKILL');
      over.abort();
    },
  );
  const timer = setTimeout(() => over.abort(), attack.seconds * 1000);
  victim.start();
  const note = await run(over.signal);
  clearTimeout(timer);
  const duringAttack = await victim.stop();
  await victim.end();
  await delay(target.dead ? 0 : settleMs);
  const descriptorsAfter = await openDescriptors(target.pid);
  const peaks = await watch.stop();
  const fate = tooLarge ? 'ended at 3 GB' : target.dead ? 'died' : 'survived';
  const descriptors = { descriptorsBefore, descriptorsAfter };
  return { name: attack.name, peaks, ...descriptors, fate, idle, duringAttack, note };
}
