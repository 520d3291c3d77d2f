import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { appliance, processesOf } from '../../testkit/appliance.js';
import { hosted } from '../../testkit/hosted-command.js';
import { done } from '../../testkit/expect.js';
import { Random } from '../../testkit/random.js';
import { answer, Receiver, sequences, type Received } from '../../testkit/receiver.js';
import type { Scope } from '../../testkit/scope.js';
import { loopbackAllowed } from '../../testkit/webhooks.js';
import { World, type Member, type Tenant } from '../../testkit/world.js';
import { cpuShare } from './cpu-share.js';
import type { Part, PartResult } from './part.js';

const users = 8;
/** Share of failed attempts while the receiver is failing. */
const failuresPercent = 30;
/** Interval at which failed events are resumed, instead of waiting for hours, in milliseconds. */
const resumeMs = 500;
/** Time limit for all events of a stage, in milliseconds. */
const stageTimeoutMs = 900_000;
/** Limit for the p99 delay while the receiver is healthy, in milliseconds. */
const promptMs = 1_000;
/** If the service waits for a CPU for more than this percentage of the time, that limit does not apply. */
const busyPercent = 25;

/** When changes were answered and when their events arrived, by the id of the changed object. */
class Delays {
  readonly #answered = new Map<string, number>();
  readonly #arrived = new Map<string, number>();

  answered(id: string): void {
    this.#answered.set(id, performance.now());
  }

  arrived(id: string): void {
    if (!this.#arrived.has(id)) this.#arrived.set(id, performance.now());
  }

  /** Delays from the response to a change to the arrival of its event, in ascending order. */
  sorted(): number[] {
    return [...this.#answered]
      .map(([id, at]) => Math.max(0, (this.#arrived.get(id) ?? Infinity) - at))
      .sort((a, b) => a - b);
  }
}

/** Every user makes `count` changes, each as soon as the previous one is answered. */
const change = (members: readonly Member[], count: number, stage: string, delays?: Delays) =>
  Promise.all(
    members.map(async (member) => {
      for (let n = 0; n < count; n += 1) {
        const { id } = await member.folder(`${stage} ${n}`);
        delays?.answered(id);
      }
    }),
  );

/** The number of distinct events received. */
const different = (received: readonly Received[]): number =>
  new Set(received.map(({ id }) => id)).size;

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + stageTimeoutMs; !(await holds());) {
    if (Date.now() > end)
      throw new Error(`timed out after ${stageTimeoutMs / 60_000} minutes: ${what}`);
    await delay(resumeMs);
  }
}

/** Makes failed events due immediately. */
const resume = async (tenant: Tenant, id: string): Promise<unknown> =>
  done(await tenant.call('POST', `/webhooks/${id}/resume`));

/** Missing or out-of-order events of each user between two numbers. */
function faults(received: readonly Received[], first: number, last: number): string[] {
  const expected = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  const wrong = [...sequences(received)].filter(([, seen]) => !isDeepStrictEqual(seen, expected));
  const back = received.filter(({ data }, n) => {
    const before = received.slice(0, n).findLast((event) => event.data.user_id === data.user_id);
    return before !== undefined && before.data.seq > data.seq;
  });
  return [
    ...wrong.map(([user]) => `user ${user} has missing events, or events in another order`),
    ...(sequences(received).size === users ? [] : ['a user has no events']),
    ...back.map(({ data }) => `user ${data.user_id}: ${data.seq} arrived after a later one`),
  ];
}

async function run(
  scope: Scope,
  report: (line: string) => void,
  { events }: { readonly events: number },
): Promise<PartResult> {
  const args = ['--webhooks-allow-http', 'true'];
  args.push('--webhooks-allow-networks', loopbackAllowed['webhooks.allow_networks']);
  const service = await appliance(scope, { privately: true, args });
  const { greeting, client } = service.serving;
  const tenant = await new World(client.base, greeting.admin.access_token).platform();
  const members = await Promise.all(Array.from({ length: users }, () => tenant.user()));
  const well = await Receiver.start(scope);
  const form = { url: well.url };
  const { id } = done(await tenant.call<{ id: string }>('POST', '/webhooks', { form }));

  report('the receiver is healthy');
  const delays = new Delays();
  well.answering = (event, response) => {
    delays.arrived(event.data.id);
    answer(204)(event, response);
  };
  const loop = monitorEventLoopDelay();
  loop.enable();
  const shareSince = await cpuShare(await processesOf(service));
  const began = performance.now();
  await change(members, events, 'well', delays);
  await until('all events arrive', () => different(well.received) >= users * events);
  const ms = performance.now() - began;
  const { used, waited } = await shareSince();
  const waitedPercent = Math.round((100 * waited) / ms);
  const noise = `${(used / (users * events)).toFixed(1)} ms of CPU for each; the service waited ${waitedPercent} % of the time for a CPU, and the event loop of the receiver was late by ${Math.round(loop.percentile(99) / 1e6)} ms at p99`;
  const took = delays.sorted();
  const at = (part: number): number => Math.round(took[Math.floor(part * took.length)] ?? NaN);

  report('the receiver is down');
  const { port } = well;
  await well.stop();
  await change(members, events, 'down');
  report(`the receiver fails ${failuresPercent} % of the attempts`);
  const random = new Random(3);
  const bad = await Receiver.start(scope, port);
  bad.answering = (event, response) =>
    answer(random.below(100) < failuresPercent ? 500 : 204)(event, response);
  const changing = change(members, events, 'bad');
  await until('all events arrive', async () => {
    await resume(tenant, id);
    return different(bad.received) >= 2 * users * events;
  });
  await changing;
  // The last attempts may have failed: their events are sent again.
  await until('the last events succeed', async () => {
    const before = bad.received.length;
    await resume(tenant, id);
    await delay(2 * resumeMs);
    return bad.received.length === before;
  });
  const all = [...well.received, ...bad.received];
  const last = 3 * events + 1; // number 1 is "user created"
  const findings = faults(all, 2, last);
  const attempts = all.length;

  report('replay from the start');
  bad.answering = answer(204);
  bad.received.length = 0;
  const { home } = service;
  const replay = ['webhook', 'replay', id, '--after', '0', '--home', home.dir];
  const { code, stderr } = await hosted(replay);
  if (code !== 0) throw new Error(stderr);
  await until('all events arrive again', () => different(bad.received) >= users * last);
  findings.push(...faults(bad.received, 1, last).map((fault) => `again: ${fault}`));
  const contents = (received: readonly Received[]): Map<string, string> =>
    new Map(received.map((event) => [event.id, event.body]));
  const again = contents(bad.received);
  const others = [...contents(all)].filter(([message, body]) => again.get(message) !== body);
  if (others.length > 0) findings.push(`${others.length} events were replayed with other contents`);
  const late = at(0.99) > promptMs;
  if (late && waitedPercent <= busyPercent) findings.push(`p99 is ${at(0.99)} ms`);
  return {
    details: [
      `${users} users, ${events} changes each in each of three stages; ${attempts} attempts`,
      `while the receiver was healthy, ${Math.round((1_000 * users * events) / ms)} changes/s arrived after ${at(0.5)} ms at p50, ${at(0.99)} at p99, ${at(1 - Number.EPSILON)} at most${late && waitedPercent > busyPercent ? ', which is not evaluated' : ''}; ${noise}`,
      `${bad.received.length} events were replayed from 0, as before`,
    ],
    findings,
  };
}

export const webhooks: Part = {
  name: 'webhooks',
  about:
    'events to a receiver that is healthy, down, and failing 30 %, and a replay of all of them',
  run,
};
