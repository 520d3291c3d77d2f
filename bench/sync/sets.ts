import { forEachLimited } from '../../src/concurrency.js';
import { appliance } from '../../testkit/appliance.js';
import { done } from '../../testkit/expect.js';
import { Random } from '../../testkit/random.js';
import type { Presence, UploadSet } from '../../testkit/records.js';
import { Relay } from '../../testkit/relay.js';
import { openSet, progressOf, readSet, shots } from '../../testkit/upload-sets.js';
import type { Shot } from '../../testkit/upload-sets.js';
import { World } from '../../testkit/world.js';
import type { Member } from '../../testkit/world.js';
import { attempt, persist, userAt } from './bad-network.js';
import type { Part, Shown } from './part.js';

export interface SetsOptions {
  readonly base: string;
  readonly adminToken: string;
  readonly sets: number;
  readonly filesPerSet: number;
  /** How often, during the uploads, a set is compared with what is there. */
  readonly moments: number;
  readonly report?: (line: string) => void;
}

/** Sets sent at once, each by a user of its own. */
const setsAtOnce = 8;

/** Bytes of a few uploads with their answers: about every fifth breaks somewhere. */
const meanLifetime = 4 * 4_500;

interface Sending {
  /** Past the bad network. */
  readonly user: Member;
  readonly set: UploadSet;
  readonly files: readonly Shot[];
}

interface Counts {
  /** Connections that broke. */
  readonly cuts: number;
  readonly compared: number;
}

/** Users send sets of pictures over a network that breaks; whatever the service says of them is true. */
export async function soakSets(options: SetsOptions): Promise<Shown & Counts> {
  const { base, adminToken, sets, filesPerSet, moments, report } = options;
  const random = new Random(19);
  const relay = await Relay.to(base, () => random.below(2 * meanLifetime));
  const world = new World(base, adminToken);
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
    if (again.state !== 'complete') findings.push(`of set ${set.id}, not all is there`);
    finished += 1;
    if (finished % Math.ceil(sets / 20) === 0) report?.(`${finished} of ${sets} sets`);
  };

  await forEachLimited(Array(sets).fill(sendOne) as (typeof sendOne)[], setsAtOnce, (one) => one());
  await relay.cut();
  const share = Math.round((100 * relay.cuts) / begun);
  const facts = [
    `${sets} sets of ${filesPerSet} pictures over a network that broke ${relay.cuts} times: in ${share} % of the uploads`,
    `${compared} times compared with what was there`,
  ];
  return { facts, findings, cuts: relay.cuts, compared };
}

/** Sends a picture until it has arrived: the set tells, if no answer comes. @returns how often. */
async function send(user: Member, set: UploadSet, { bytes, hash }: Shot): Promise<number> {
  for (let uploads = 1; ; uploads += 1) {
    if (await attempt(() => user.tryUpload({ upload_set_id: set.id }, bytes))) return uploads;
    const { missing } = await persist(() =>
      user.get<Required<UploadSet>>(`/upload-sets/${set.id}`),
    );
    if (!missing.includes(hash)) return uploads;
  }
}

/** What is wrong in what a set says, given what is there before and after it is asked. */
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
    if (missing.has(hash) && before.has(hash)) return [`${hash} is there, and missing`];
    if (!missing.has(hash) && !after.has(hash)) return [`${hash} is not there, and not missing`];
    return [];
  });
}

export const sets: Part = {
  name: 'sets',
  about: '1,000 upload sets of 40 pictures over connections that break',
  run: async (scope, report, { sets: count }) => {
    const { serving } = await appliance(scope, { privately: true });
    const adminToken = serving.greeting.admin.access_token;
    const { base } = serving.client;
    return soakSets({ base, adminToken, sets: count, filesPerSet: 40, moments: 50, report });
  },
};
