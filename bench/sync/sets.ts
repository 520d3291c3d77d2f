import { AssertionError } from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { forEachLimited } from '../../src/base/concurrency.js';
import { appliance } from '../../testkit/appliance.js';
import { type Answer, Client } from '../../testkit/client.js';
import { done } from '../../testkit/expect.js';
import { Random } from '../../testkit/random.js';
import type { Presence, UploadSet } from '../../testkit/records.js';
import { Relay } from '../../testkit/relay.js';
import { openSet, progressOf, readSet, shots, type Shot } from '../../testkit/upload-sets.js';
import type { Scope } from '../../testkit/scope.js';
import { Member, Tenant, type World } from '../../testkit/world.js';

export interface SetsOptions {
  readonly world: World;
  readonly sets: number;
  readonly filesPerSet: number;
  /** How often a set is compared with the stored images during the uploads. */
  readonly moments: number;
  readonly report?: (line: string) => void;
}

/** Sets sent concurrently, each by a separate user. */
const setsAtOnce = 8;

/** Bytes of a few uploads with their responses: about every fifth is cut off. */
const meanLifetime = 4 * 4_500;

interface Sending {
  /** Connected directly, not through the bad network. */
  readonly user: Member;
  readonly set: UploadSet;
  readonly files: readonly Shot[];
}

/** What a part of the soak found. */
export interface Soaked {
  /** For the report. */
  readonly details: readonly string[];
  /** Violations of the guarantees. */
  readonly findings: readonly string[];
}

interface SoakedSets extends Soaked {
  /** Connections that broke. */
  readonly cuts: number;
  readonly compared: number;
}

/** Users send sets of pictures over an unreliable network; checks the state that the service reports. */
export async function soakSets(options: SetsOptions): Promise<SoakedSets> {
  const { world, sets, filesPerSet, moments, report } = options;
  const random = new Random(19);
  const relay = await Relay.to(world.client.base, () => random.below(2 * meanLifetime));
  const findings: string[] = [];
  const total = sets * filesPerSet;
  let [sent, compared, begun, finished] = [0, 0, 0, 0];

  const sendOne = async (): Promise<void> => {
    const user = await world.user();
    const far = userAt(relay.url, user);
    const files = await shots(filesPerSet);
    const hashes = files.map(({ hash }) => hash);
    const set = await persist<UploadSet>(() =>
      far.call('POST', '/upload-sets', { json: { hashes } }),
    );
    for (const file of random.shuffled(files)) {
      const uploads = await send(far, set, file);
      begun += uploads;
      sent += 1;
      if (sent % Math.ceil(total / moments) > 0) continue;
      compared += 1;
      findings.push(...(await compare({ user, set, files })));
    }
    const [state, arrived] = await progressOf(user, set);
    if (state !== 'complete') findings.push(`set ${set.id} is stuck with ${String(arrived)}`);
    const again = await openSet(user, files);
    if (again.state !== 'complete') findings.push(`set ${set.id} is incomplete when opened again`);
    finished += 1;
    if (finished % Math.ceil(sets / 20) === 0) report?.(`${finished} of ${sets} sets`);
  };

  await forEachLimited(Array(sets).fill(sendOne) as (typeof sendOne)[], setsAtOnce, (one) => one());
  await relay.cut();
  const share = Math.round((100 * relay.cuts) / begun);
  const details = [
    `${sets} sets of ${filesPerSet} pictures; ${relay.cuts} connections broke, in ${share} % of the uploads`,
    `compared ${compared} times with the stored images`,
  ];
  return { details, findings, cuts: relay.cuts, compared };
}

/** Sends a picture until it has arrived, according to the response or the set. @returns the attempts. */
async function send(user: Member, set: UploadSet, { bytes, hash }: Shot): Promise<number> {
  for (let uploads = 1; ; uploads += 1) {
    if (await attempt(() => user.tryUpload({ upload_set_id: set.id }, bytes))) return uploads;
    const { missing } = await persist(() =>
      user.get<Required<UploadSet>>(`/upload-sets/${set.id}`),
    );
    if (!missing.includes(hash)) return uploads;
  }
}

/** Differences between a set's `missing` and the images present before and after it is read. */
async function compare({ user, set, files }: Sending): Promise<string[]> {
  const hashes = files.map(({ hash }) => hash);
  const present = async (): Promise<Set<string>> => {
    const answer = await user.call<Presence>('POST', '/images/check', { json: { hashes } });
    return new Set(done(answer).present.map(({ hash }) => hash));
  };
  const before = await present();
  const missing = new Set((await readSet(user, set)).missing);
  const after = await present();
  return hashes.flatMap((hash) => {
    if (missing.has(hash) && before.has(hash)) return [`${hash} is stored, but missing`];
    if (!missing.has(hash) && !after.has(hash)) return [`${hash} is neither stored nor missing`];
    return [];
  });
}

/** More failures in a row are not caused by the network. */
const maxAttempts = 100;

/** The same user at another URL of the service. */
const userAt = (baseUrl: string, { tenant, record }: Member): Member =>
  new Member(new Tenant(new Client(baseUrl), tenant.record), record);

/** @returns undefined if the connection broke before the response. */
async function attempt<R>(request: () => Promise<Answer<R>>): Promise<R | undefined> {
  try {
    return done(await request());
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    await setImmediate();
    return undefined;
  }
}

/** Retries a request until it gets a response. */
async function persist<R>(request: () => Promise<Answer<R>>): Promise<R> {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const result = await attempt(request);
    if (result !== undefined) return result;
  }
  throw new Error(`no response to any of ${maxAttempts} requests`);
}

/** 1,000 upload sets of 40 pictures, say, to a service of its own. */
export async function runSets(
  scope: Scope,
  report: (line: string) => void,
  sets: number,
): Promise<Soaked> {
  const { world } = await appliance(scope, { privately: true });
  return soakSets({ world, sets, filesPerSet: 40, moments: 50, report });
}
