import type { Findings } from './harness/findings.js';
import type { Progress } from './harness/progress.js';
import { inventory } from './harness/owned-data.js';
import { runAttack, type AttackRun } from './harness/attack-run.js';
import { Tally } from '../../testkit/tally.js';
import type { Appliance } from '../../testkit/appliance.js';
import { tryAll, type Trial } from './harness/trials.js';
import { bombTrials, type Bomb } from './pictures/bombs.js';
import { mutationTrials } from './pictures/mutation-trials.js';
import { requestTrials } from './requests/part.js';
import { gatherCast } from './tokens/cast.js';
import { tokenTrials } from './tokens/part.js';
import { formTrials, wireTrials } from './wire/part.js';

export interface FuzzRun {
  readonly seed: number;
  readonly requests: number;
  readonly mutations: number;
  /** Try every n-th of the variants at each position; 1 for all. */
  readonly sample: number;
  /** Try every n-th of the forged and malformed tokens on an operation; 1 for all. */
  readonly forgeries: number;
  readonly bombs: () => readonly Bomb[];
  /** Milliseconds that another user works alone before each part; 0: do not compare latencies. */
  readonly idleMs: number;
  readonly target: Appliance;
  readonly findings: Findings;
  readonly progress: Progress;
}

const width = 8;

/** @returns a line for the summary. */
export async function fuzzRequests(fuzzRun: FuzzRun): Promise<string> {
  const { target, seed, requests: count } = fuzzRun;
  const tally = new Tally();
  const trials = () => requestTrials(target, { seed, count, tally });
  const run = await tried('requests', fuzzRun, trials, count);
  return `${count} requests (${tally.toString()}); ${formatRow(run)}`;
}

/** @returns a line for the summary. */
export async function fuzzWire(fuzzRun: FuzzRun): Promise<string> {
  const tally = new Tally();
  const run = await tried('raw', fuzzRun, () =>
    wireTrials(fuzzRun.target, { each: fuzzRun.sample, tally }),
  );
  return `${tally.total} exchanges (${tally.toString()}); ${formatRow(run)}`;
}

/** @returns a line for the summary. */
export async function fuzzForms(fuzzRun: FuzzRun): Promise<string> {
  const tally = new Tally();
  const run = await tried('forms', fuzzRun, () =>
    formTrials(fuzzRun.target, { each: fuzzRun.sample, tally }),
  );
  return `${tally.total} forms (${tally.toString()}); ${formatRow(run)}`;
}

/** Runs all trials beside a well-behaved user. */
function tried(
  part: string,
  { target, findings, progress, idleMs }: FuzzRun,
  trials: () => Iterable<Trial> | AsyncIterable<Trial>,
  count?: number,
): Promise<AttackRun> {
  const onTried = progress.of(part, count);
  const attack = () => tryAll(trials(), { part, target, findings, width, onTried });
  return runAttack({ part, target, findings, idleMs }, attack);
}

/** @returns a line for the summary. */
export async function fuzzPictures(fuzzRun: FuzzRun): Promise<string> {
  const { target, seed, mutations: count } = fuzzRun;
  const tally = new Tally();
  const trials = () => mutationTrials(target, { seed, count, tally });
  const run = await tried('pictures', fuzzRun, trials, count);
  return `${tally.total} files (${tally.toString()}); ${formatRow(run)}`;
}

/** @returns a line for the summary. */
export async function fuzzBombs(fuzzRun: FuzzRun): Promise<string> {
  const tally = new Tally();
  const files = fuzzRun.bombs();
  const run = await tried('bombs', fuzzRun, () => bombTrials(fuzzRun.target, files, tally));
  return `${tally.total} files (${tally.toString()}); ${formatRow(run)}`;
}

/** @returns a line for the summary. */
export async function fuzzTokens(fuzzRun: FuzzRun): Promise<string> {
  const { target, findings, forgeries: each } = fuzzRun;
  const tally = new Tally();
  const cast = await gatherCast(target);
  const before = await inventory(cast.victim);
  const run = await tried('tokens', fuzzRun, () => tokenTrials(target, cast, { tally, each }));
  const after = await inventory(cast.victim);
  if (after !== before) await findings.add('tokens', 'the victim', `is not as before: ${after}`);
  return `${tally.total} requests (${tally.toString()}); ${formatRow(run)}`;
}

const formatRow = ({ duringAttack, idle, peaks, descriptors }: AttackRun): string =>
  `memory at most ${peaks.serviceMb} MB, with imaging ${peaks.memoryMb} MB; descriptors ` +
  `${descriptors.before}, at most ${peaks.descriptors}, after ${descriptors.after}; another user: ` +
  `${duringAttack.requests} requests, ${duringAttack.failures.length} failed, p99 ${duringAttack.p99} ms ` +
  `(alone ${idle.p99} ms)`;
