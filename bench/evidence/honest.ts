import { forEachLimited } from '../../src/base/concurrency.js';
import { postmasterPid } from '../../testkit/command.js';
import { logged } from '../../testkit/custody.js';
import { eventually } from '../../testkit/eventually.js';
import { filePart } from '../../testkit/pictures.js';
import { killNow } from '../../testkit/processes.js';
import { Random } from '../../testkit/random.js';
import type { Scope } from '../../testkit/scope.js';
import { picture, type Member } from '../../testkit/world.js';
import { answered, openTarget, type Kept, type Reader, type Target } from './target.js';

// Users do what users do while parts of the service are killed: neither `custody verify` nor a verifier of others
// names anything.

const users = 4;
/** Images that a user changes at once, and has at most. */
const [atOnce, most] = [50, 150];

/** What one user has, as far as it matters to what he does next. */
class Busy {
  readonly #random: Random;
  readonly #images: string[] = [];
  readonly #trashed: string[] = [];
  #folders: string[] = [];
  operations = 0;

  constructor(
    readonly member: Member,
    seed: number,
  ) {
    this.#random = new Random(seed);
  }

  /** Until so many changes have been made. */
  async work(until: number): Promise<void> {
    while (this.operations < until) {
      const dice = this.#random.below(100);
      if (this.#images.length < 5 || (dice < 30 && this.#images.length < most))
        await this.#upload();
      else if (dice < 35) await this.#edit();
      else if (dice < 42) await this.#trash();
      else if (dice < 46) await this.#untrash();
      else if (dice < 50) await this.#delete();
      else if (dice < 54) await this.#folder();
      else if (dice < 58) await this.#hold();
      else if (dice < 75) await this.#change();
      else await this.#batch();
    }
  }

  async #put(id: string, form: Record<string, string>): Promise<void> {
    const { status } = await answered(() => this.member.put(`/images/${id}`, form));
    this.operations += Number(status === 200);
  }

  #one = (): string => this.#random.of(this.#images) ?? '';

  async #upload(): Promise<void> {
    const image_data = filePart(await picture());
    const folder = this.#random.of(this.#folders);
    const form = { image_data, ...(folder !== undefined && { folder_id: folder }) };
    const answer = await answered(() => this.member.post<{ id: string }>('/images', form));
    if (answer.status !== 200) return;
    this.#images.push(answer.result.id);
    this.operations += 1;
  }

  async #edit(): Promise<void> {
    const image_data = filePart(await picture());
    const path = `/images/${this.#one()}/filedata`;
    const { status } = await answered(() => this.member.post(path, { image_data }));
    this.operations += Number(status === 200);
  }

  async #trash(): Promise<void> {
    const [id = ''] = this.#images.splice(this.#random.below(this.#images.length), 1);
    await this.#put(id, { delete: 'True' });
    this.#trashed.push(id);
  }

  async #untrash(): Promise<void> {
    const id = this.#trashed.pop();
    if (id === undefined) return;
    await this.#put(id, { delete: 'False' });
    this.#images.push(id);
  }

  async #delete(): Promise<void> {
    const id = this.#trashed.pop();
    if (id === undefined) return;
    const { status } = await answered(() => this.member.delete(`/trash/${id}`));
    this.operations += Number(status === 200);
  }

  /** A new one; or one is put into the trash with all that is in it, and comes back. */
  async #folder(): Promise<void> {
    if (this.#folders.length < 3) {
      const form = { title: `folder ${this.operations}` };
      const answer = await answered(() => this.member.post<{ id: string }>('/folders', form));
      if (answer.status === 200) this.#folders = [...this.#folders, answer.result.id];
      return;
    }
    const path = `/folders/${this.#random.of(this.#folders)}`;
    for (const trash of ['true', 'false']) {
      const { status } = await answered(() => this.member.put(path, {}, { delete: trash }));
      this.operations += Number(status === 200);
    }
  }

  async #hold(): Promise<void> {
    const { tenant } = this.member;
    const form = { reason: 'claim', image_ids: this.#one() };
    const made = await answered(() => tenant.call<{ id: string }>('POST', '/holds', { form }));
    if (made.status !== 200) return;
    await answered(() => tenant.call('DELETE', `/holds/${made.result.id}`));
    this.operations += 2;
  }

  #change(): Promise<void> {
    const n = this.#random.below(1_000);
    const time = `202401${10 + (n % 20)}_1${n % 10}0000`;
    const forms = [
      { latitude: `37.${n}`, longitude: `127.${n}` },
      { address_road: `road ${n}`, building_name: n % 2 ? 'A "quoted" one' : '' },
      { taken_at: time },
      { folder_id: this.#random.of(this.#folders) ?? 'root' },
    ] as const;
    return this.#put(this.#one(), this.#random.of(forms));
  }

  async #batch(): Promise<void> {
    const image_ids = this.#random.shuffled(this.#images).slice(0, atOnce);
    const json = { image_ids, address_road: `road ${this.operations}`, shift_taken_at: 60 };
    const { status } = await answered(() => this.member.call('POST', '/images/batch', { json }));
    if (status === 200) this.operations += image_ids.length;
  }
}

export interface HonestlyUsed {
  readonly operations: number;
  readonly kills: number;
  readonly entries: number;
  /** Verifications, by either. */
  readonly verified: number;
  /** What was named although nobody did anything. */
  readonly alarms: readonly string[];
}

/** @param rounds in each of which something is killed, and everything is verified at its end. */
export async function useHonestly(
  scope: Scope,
  { operations, rounds }: { readonly operations: number; readonly rounds: number },
  report: (line: string) => void,
): Promise<HonestlyUsed> {
  const target = await openTarget(scope);
  const { tenant } = target.serving;
  const reader = await target.reader(tenant);
  const busy = await Promise.all(
    Array.from({ length: users }, async (_, n) => new Busy(await tenant.user(), n)),
  );
  const kept: Kept[] = [];
  const alarms: string[] = [];
  let [kills, verified, entries, reported] = [0, 0, 0, 0];
  for (let round = 1; round <= rounds; round += 1) {
    const until = (operations / users / rounds) * round;
    const working = forEachLimited(busy, users, (one) => one.work(until));
    await killAmid(target, busy, until - operations / users / rounds / 2);
    kills += 1;
    alarms.push(...(await said(target, kept)));
    await working;
    const found = await atRest(target, reader, busy, kept);
    kept.push(await reader.keep());
    alarms.push(...found.alarms);
    [verified, entries] = [verified + 3, found.entries];
    report(`round ${round}: ${entries} entries, ${kills} kills, ${alarms.length} alarms`);
    for (const alarm of alarms.slice(reported)) report(alarm);
    reported = alarms.length;
  }
  const total = busy.reduce((sum, one) => sum + one.operations, 0);
  return { operations: total, kills, entries, verified, alarms };
}

/** Kills the service, or its database server, when the first user has come so far; the service is started again. */
async function killAmid({ serving }: Target, busy: readonly Busy[], at: number): Promise<void> {
  await eventually('they work', () => busy.some((one) => one.operations >= at), 600_000);
  const server = await postmasterPid(serving.home);
  const isServer = busy.reduce((sum, one) => sum + one.operations, 0) % 2 === 0;
  if (isServer && server) return killNow(server);
  await serving.kill();
  await serving.restart();
}

/** What `custody verify` names. */
async function said({ serving, db }: Target, kept: readonly Kept[]): Promise<string[]> {
  await eventually('the database is there', () =>
    db.query('SELECT 1').then(
      () => true,
      () => false,
    ),
  );
  const files = kept.map(({ file }) => file).join(',');
  const checkpoints = files === '' ? [] : ['--checkpoint', files];
  const ran = await serving.command(['custody', 'verify', ...checkpoints, '--json']);
  if (ran.code === 0) return [];
  return [`custody verify: ${ran.code} ${ran.stdout.slice(0, 2_000)}`];
}

async function atRest(
  target: Target,
  reader: Reader,
  busy: readonly Busy[],
  kept: readonly Kept[],
): Promise<{ alarms: string[]; entries: number }> {
  await logged(target.db);
  const members = busy.map(({ member }) => member);
  const { findings, entries } = await reader.verify(members, kept);
  const alarms = findings.map((finding) => `the verifier: ${JSON.stringify(finding)}`);
  return { entries, alarms: [...(await said(target, kept)), ...alarms] };
}
