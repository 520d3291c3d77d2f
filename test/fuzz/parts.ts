import type { Findings } from './hunt/findings.js';
import type { Progress } from './hunt/progress.js';
import { inventory } from './hunt/estate.js';
import { besiege } from './hunt/siege.js';
import type { Siege } from './hunt/siege.js';
import { Tally } from '../../testkit/tally.js';
import type { Target } from '../../testkit/target.js';
import { tryAll } from './hunt/trials.js';
import type { Trial } from './hunt/trials.js';
import { allBombs, bombTrials } from './pictures/bombs.js';
import { mutationTrials } from './pictures/mutation-trials.js';
import { requestTrials } from './requests/part.js';
import { gatherCast } from './tokens/cast.js';
import { tokenTrials } from './tokens/part.js';
import { formTrials, wireTrials } from './wire/part.js';

export interface Hunt {
  readonly seed: number;
  readonly requests: number;
  readonly mutations: number;
  /** Of what is tried place by place, every how many are; 1 for all. */
  readonly sample: number;
  /** Milliseconds that another user works alone before each part. */
  readonly idleMs: number;
  readonly target: Target;
  readonly findings: Findings;
  readonly progress: Progress;
}

const width = 8;

/** @returns a line for the summary. */
export async function huntRequests(hunt: Hunt): Promise<string> {
  const { target, seed, requests: count } = hunt;
  const tally = new Tally();
  const trials = () => requestTrials(target, { seed, count, tally });
  const siege = await tried('requests', hunt, trials, count);
  return `${count} requests (${tally.toString()}); ${told(siege)}`;
}

/** @returns a line for the summary. */
export async function huntWire(hunt: Hunt): Promise<string> {
  const tally = new Tally();
  const siege = await tried('raw', hunt, () =>
    wireTrials(hunt.target, { each: hunt.sample, tally }),
  );
  return `${tally.total} exchanges (${tally.toString()}); ${told(siege)}`;
}

/** @returns a line for the summary. */
export async function huntForms(hunt: Hunt): Promise<string> {
  const tally = new Tally();
  const siege = await tried('forms', hunt, () =>
    formTrials(hunt.target, { each: hunt.sample, tally }),
  );
  return `${tally.total} forms (${tally.toString()}); ${told(siege)}`;
}

/** Tries everything beside a user who does nothing wrong. */
function tried(
  part: string,
  { target, findings, progress, idleMs }: Hunt,
  trials: () => Iterable<Trial> | AsyncIterable<Trial>,
  count?: number,
): Promise<Siege> {
  const onTried = progress.of(part, count);
  const attack = () => tryAll(trials(), { part, target, findings, width, onTried });
  return besiege({ part, target, findings, idleMs }, attack);
}

/** @returns a line for the summary. */
export async function huntPictures(hunt: Hunt): Promise<string> {
  const { target, seed, mutations: count } = hunt;
  const tally = new Tally();
  const trials = () => mutationTrials(target, { seed, count, tally });
  const siege = await tried('pictures', hunt, trials, count);
  return `${tally.total} files (${tally.toString()}); ${told(siege)}`;
}

/** @returns a line for the summary. */
export async function huntBombs(hunt: Hunt): Promise<string> {
  const tally = new Tally();
  const files = allBombs();
  const siege = await tried('bombs', hunt, () => bombTrials(hunt.target, files, tally));
  return `${tally.total} files (${tally.toString()}); ${told(siege)}`;
}

/** @returns a line for the summary. */
export async function huntTokens(hunt: Hunt): Promise<string> {
  const { target, findings } = hunt;
  const tally = new Tally();
  const cast = await gatherCast(target);
  const before = await inventory(target, cast.victim);
  const siege = await tried('tokens', hunt, () => tokenTrials(target, cast, tally));
  const after = await inventory(target, cast.victim);
  if (after !== before) await findings.add('tokens', 'the victim', `is not as before: ${after}`);
  return `${tally.total} requests (${tally.toString()}); ${told(siege)}`;
}

const told = ({ suffered, idle, peaks, descriptors }: Siege): string =>
  `memory at most ${peaks.serviceMb} MB, with imaging ${peaks.memoryMb} MB; descriptors ` +
  `${descriptors.before}, at most ${peaks.descriptors}, after ${descriptors.after}; another user: ` +
  `${suffered.requests} requests, ${suffered.failures.length} failed, p99 ${suffered.p99} ms ` +
  `(alone ${idle.p99} ms)`;
