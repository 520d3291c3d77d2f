import assert, { AssertionError } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { forEachLimited } from '../../src/base/concurrency.js';
import { type Answer, Client } from '../../testkit/client.js';
import { done } from '../../testkit/expect.js';
import { Random } from '../../testkit/random.js';
import type { Presence, UploadSet } from '../../testkit/records.js';
import { Relay } from '../../testkit/relay.js';
import { openSet, progressOf, readSet, shots, type Shot } from '../../testkit/upload-sets.js';
import { testService } from '../../testkit/service.js';
import { longForm } from '../../testkit/long-form.js';
import { Member, Tenant } from '../../testkit/world.js';

const service = await testService();
const [sets, filesPerSet] = longForm ? [200, 40] : [5, 8];
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

test('over breaking connections, no set is complete too early, and none gets stuck', async () => {
  const random = new Random(19);
  const relay = await Relay.to(service.client.base, () => random.below(2 * meanLifetime));
  const findings: string[] = [];
  let [sent, compared] = [0, 0];

  const sendOne = async (): Promise<void> => {
    const user = await service.user();
    const far = userAt(relay.url, user);
    const files = await shots(filesPerSet);
    const hashes = files.map(({ hash }) => hash);
    const set = await persist<UploadSet>(() =>
      far.call('POST', '/upload-sets', { json: { hashes } }),
    );
    for (const file of random.shuffled(files)) {
      await send(far, set, file);
      sent += 1;
      if (sent % (filesPerSet / 2) > 0) continue;
      compared += 1;
      findings.push(...(await compare({ user, set, files })));
    }
    const [state, arrived] = await progressOf(user, set);
    if (state !== 'complete') findings.push(`set ${set.id} is stuck with ${String(arrived)}`);
    const again = await openSet(user, files);
    if (again.state !== 'complete') findings.push(`set ${set.id} is incomplete when opened again`);
  };

  await forEachLimited(Array(sets).fill(sendOne) as (typeof sendOne)[], setsAtOnce, (one) => one());
  await relay.cut();
  assert.deepEqual(findings, []);
  assert.ok(relay.cuts > 2, `only ${relay.cuts} broke`);
  assert.equal(compared, 2 * sets);
});

/** Sends a picture until it has arrived, according to the response or the set. */
async function send(user: Member, set: UploadSet, { bytes, hash }: Shot): Promise<void> {
  for (;;) {
    if (await attempt(() => user.tryUpload({ upload_set_id: set.id }, bytes))) return;
    const { missing } = await persist(() =>
      user.get<Required<UploadSet>>(`/upload-sets/${set.id}`),
    );
    if (!missing.includes(hash)) return;
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
