import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionRefused, exchange } from '../../../testkit/exchange.js';
import type { Findings } from './findings.js';
import type { Appliance } from '../../../testkit/appliance.js';

/** One attack to try on the service. */
export interface Trial {
  /** What is tried; findings with the same name are counted together. */
  readonly name: string;
  /** The bytes that are sent, for reproducing it. */
  readonly sent: Uint8Array;
  /** @returns what is wrong with the result; undefined if nothing is. */
  run(): Promise<string | undefined>;
}

export interface TrialOptions {
  readonly part: string;
  readonly target: Appliance;
  readonly findings: Findings;
  /** Number of concurrent trials. */
  readonly width: number;
  /** Called after each trial. */
  readonly onTried?: () => void;
}

/** Give up after this many deaths: further trials would show nothing new. */
const deathLimit = 12;

/** Runs all trials; when the service dies, reports the cause, restarts it and continues. */
export async function tryAll(
  trials: Iterable<Trial> | AsyncIterable<Trial>,
  options: TrialOptions,
): Promise<void> {
  const { part, target, findings, width, onTried } = options;
  const under = new Set<Trial>();
  const done: Trial[] = [];
  let reviving: Promise<void> | undefined;
  const waiting =
    Symbol.asyncIterator in trials ? trials[Symbol.asyncIterator]() : trials[Symbol.iterator]();

  const revive = (): Promise<void> =>
    (reviving ??= afterDeath([...done.splice(0), ...under], options).finally(
      () => (reviving = undefined),
    ));

  const worker = async (): Promise<void> => {
    while (target.deaths < deathLimit) {
      const next = await waiting.next();
      if (next.done) return;
      const trial = next.value;
      under.add(trial);
      const { deaths } = target;
      const complaint = await outcomeOf(trial, target);
      if (target.dead || target.deaths > deaths) await revive();
      else if (complaint) await findings.add(part, trial.name, complaint, trial.sent);
      under.delete(trial);
      done.push(trial);
      if (done.length > width) done.shift();
      onTried?.();
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  if (target.dead) await revive();
  if (target.deaths >= deathLimit) {
    await findings.add(part, 'everything', `given up: the service had died ${deathLimit} times`);
  }
}

/** Runs a trial; if connections are refused, waits until the service has ended. */
async function outcomeOf(trial: Trial, target: Appliance): Promise<string | undefined> {
  try {
    return await trial.run();
  } catch (error) {
    if (!(error instanceof ConnectionRefused)) return `no HTTP: ${String(error)}`;
    return (await target.gone()) ? undefined : 'nobody listens any more, and the process stays';
  }
}

/** Time within which a process dies of what has just been sent. */
const dyingMs = 300;

/** Whether the service has ended, or has stopped listening and ends. */
const isOver = async (target: Appliance): Promise<boolean> =>
  target.dead ||
  !(await exchange(target.port, { chunks: [], then: 'end' }).then(
    () => true,
    () => false,
  ))
    ? target.gone()
    : false;

/** Restarts the service, and finds out which of the latest trials alone kill it. */
async function afterDeath(suspects: readonly Trial[], options: TrialOptions): Promise<void> {
  const { part, target, findings } = options;
  if (!target.dead) return; // another worker has restarted it
  const words = lastStackIn(target.log.slice(-2000));
  await target.restart();
  let guilty = 0;
  for (const trial of suspects) {
    await trial.run().catch(() => undefined);
    await delay(dyingMs);
    if (!(await isOver(target))) continue;
    guilty += 1;
    await findings.add(part, trial.name, `the service dies: ${words}`, trial.sent);
    await target.restart();
  }
  if (guilty > 0) return;
  const names = suspects.map(({ name }) => name).join('; ');
  await findings.add(part, `one of: ${names}`, `the service died: ${words}`);
}

/** The message of the last error that a process printed, and where it was thrown. */
function lastStackIn(log: string): string {
  const lines = log.split('\n').filter((line) => !/^(Node\.js v|\s*$)/.test(line));
  const stack = lines.findLastIndex((line) => /^\s+at /.test(line));
  const first = lines.slice(0, Math.max(stack, 0)).findLastIndex((line) => !/^\s+at /.test(line));
  return lines
    .slice(Math.max(first, 0), Math.max(first, 0) + 2)
    .join(' ')
    .trim();
}
