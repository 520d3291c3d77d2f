import type { Findings } from './hunt/findings.js';
import type { Progress } from './hunt/progress.js';
import { besiege } from './hunt/siege.js';
import { Tally } from './hunt/tally.js';
import type { Target } from './hunt/target.js';
import { tryAll } from './hunt/trials.js';
import { requestTrials } from './requests/part.js';
import { wireTrials } from './wire/part.js';

export interface Hunt {
  readonly seed: number;
  readonly requests: number;
  readonly mutations: number;
  readonly target: Target;
  readonly findings: Findings;
  readonly progress: Progress;
}

const width = 8;

/** @returns a line for the summary. */
export async function huntRequests(hunt: Hunt): Promise<string> {
  const { target, findings, progress, seed, requests: count } = hunt;
  const tally = new Tally();
  const part = 'requests';
  const onTried = progress.of(part, count);
  const siege = await besiege(part, target, findings, () =>
    tryAll(requestTrials(target, { seed, count, tally }), {
      ...{ part, target, findings, width, onTried },
    }),
  );
  return `${count} requests (${tally.toString()}); ${told(siege)}`;
}

/** @returns a line for the summary. */
export async function huntWire(hunt: Hunt, each = 1): Promise<string> {
  const { target, findings, progress } = hunt;
  const tally = new Tally();
  const part = 'raw';
  const onTried = progress.of(part);
  const siege = await besiege(part, target, findings, () =>
    tryAll(wireTrials(target, { each, tally }), { part, target, findings, width, onTried }),
  );
  return `${tally.total} exchanges (${tally.toString()}); ${told(siege)}`;
}

const told = ({ suffered, idle, memoryMb, descriptors }: Awaited<ReturnType<typeof besiege>>) =>
  `memory at most ${memoryMb} MB; descriptors ${descriptors.before}, at most ${descriptors.most}, ` +
  `after ${descriptors.after}; another user: ${suffered.requests} requests, ` +
  `${suffered.failures.length} failed, p99 ${suffered.p99} ms (alone ${idle.p99} ms)`;
