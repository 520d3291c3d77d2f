import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachLimited } from '../src/base/concurrency.js';
import type { Home } from '../src/base/config/home.js';
import { run } from '../src/base/os/run.js';
import { appliance } from '../testkit/appliance.js';
import type { Member } from '../testkit/world.js';
import { damageObjects, fileFaults } from '../testkit/backup-faults.js';
import {
  generationsIn,
  manifestOf,
  type MadeBackup,
  type VerifiedBackup,
} from '../testkit/backups.js';
import { imgstore } from '../testkit/command.js';
import { jpeg } from '../testkit/pictures.js';
import { Started } from '../testkit/scope.js';
import { numberOf, readOptions } from '../testkit/script.js';
import { temporaryDirectory } from '../testkit/temporary.js';

const usage = `Usage: npm run drill -- [--images 5000] [--faults 100]

Backs up a separate service during uploads, deletes its home, restores it, compares every photograph,
and damages backups to check that each fault is reported. Exit code 1 on any finding.

  --images N   photographs to store first
  --faults N   faults to inject, of which 12 are in dumps, manifests, and records`;

const given = readOptions(usage, {
  images: { type: 'string', default: '5000' },
  faults: { type: 'string', default: '100' },
});
const images = numberOf(['images', given.images], usage, 1);
const faults = numberOf(['faults', given.faults], usage, fileFaults.length);

const say = (line: string): void => console.log(line);
const step = (line: string): void => console.error(`${line} …`);
const passphrase = { IMGSTORE_BACKUP_PASSPHRASE: 'of the drill' };
const scope = new Started();
const root = await temporaryDirectory('drill');
scope.after(() => rm(root, { recursive: true, force: true }));
const dir = join(root, 'backup');

function finding(line: string): void {
  say(`✖ ${line}`);
  process.exitCode = 1;
}

async function command<T>(args: readonly string[], codes: readonly number[] = [0]): Promise<T> {
  const ran = await imgstore([...args, '--json'], { env: passphrase });
  if (codes.includes(ran.code ?? -1)) return ran.json<T>();
  throw new Error(`imgstore ${args.join(' ')}: ${ran.stdout}${ran.stderr}`);
}

/** Seeds of acknowledged photographs, which reproduce them, by id. */
const stored = new Map<string, number>();
let seed = 0;
const picture = (n: number): Promise<Buffer> => jpeg({ width: 640, height: 480, seed: n });

/** @returns how long it took, in milliseconds. */
async function upload(user: Member): Promise<number> {
  const n = (seed += 1);
  const bytes = await picture(n);
  const began = performance.now();
  const { id } = await user.upload({}, bytes);
  stored.set(id, n);
  return performance.now() - began;
}

const p99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? NaN;

/** Uploads with two clients until the work ends. @returns times in milliseconds. */
async function uploadingDuring(user: Member, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let over = false;
  const ended = work.finally(() => (over = true));
  const client = async (): Promise<void> => {
    while (!over) times.push(await upload(user));
  };
  await Promise.all([ended, client(), client()]);
  return times;
}

/** Uploads for about as many seconds as a backup takes. */
const quietly = (user: Member, seconds: number): Promise<number[]> =>
  uploadingDuring(user, new Promise((resolve) => setTimeout(resolve, seconds * 1000)));

async function backUpUnderLoad(home: Home, user: Member): Promise<MadeBackup> {
  const quiet: number[] = [];
  const busy: number[] = [];
  let made: MadeBackup | undefined;
  // Alternates, so that other load on the machine affects both.
  for (let round = 0; round < 3; round += 1) {
    const began = performance.now();
    const backup = command<MadeBackup>([
      'backup',
      dir,
      '--copy',
      '--with-secrets',
      '--home',
      home.dir,
    ]);
    busy.push(...(await uploadingDuring(user, backup)));
    made = await backup;
    const seconds = (performance.now() - began) / 1000;
    say(
      `backup ${round + 1}: ${made.objects} objects, ${made.objects_reused} of them reused, ${seconds.toFixed(1)} s`,
    );
    quiet.push(...(await quietly(user, seconds)));
  }
  const ratio = p99(busy) / p99(quiet);
  say(
    `uploads: p99 ${p99(quiet).toFixed(0)} ms without a backup (${quiet.length}), ${p99(busy).toFixed(0)} ms with one (${busy.length}): ${ratio.toFixed(2)} ×`,
  );
  if (ratio > 1.5) finding('uploads take more than 1.5 × as long during a backup');
  if (!made) throw new Error('there is no backup');
  return made;
}

/** Compares every photograph that was acknowledged before the backup began. */
async function compare(user: Member, before: ReadonlyMap<string, number>): Promise<void> {
  let lost = 0;
  await forEachLimited(before, 8, async ([id, n]) => {
    await user.expectBytes(id, await picture(n)).catch(() => void (lost += 1));
  });
  say(`${before.size} photographs compared with the uploads, ${lost} lost`);
  if (lost > 0) finding(`${lost} photographs are lost`);
}

/** Damages copies. One copy has all faults in objects; every other fault has a separate copy. */
async function seedFaults(made: MadeBackup, older: string): Promise<void> {
  const at = { dir: join(root, 'damaged'), latest: made.generation, older };
  let [named, missed, falsely] = [0, 0, 0];
  const judge = async (expected: readonly string[], args: readonly string[]): Promise<void> => {
    const { faults: list } = await command<VerifiedBackup>(
      ['verify', 'backup', at.dir, ...args],
      [0, 3],
    );
    const found = list.map(({ kind, subject }) => `${kind} ${subject}`);
    const unnamed = expected.filter((fault) => !found.includes(fault));
    named += expected.length - unnamed.length;
    missed += unnamed.length;
    for (const fault of unnamed) finding(`not named: ${fault}`);
    for (const fault of found.filter((one) => !expected.includes(one))) {
      falsely += 1;
      finding(`named falsely: ${fault}`);
    }
  };
  const copied = async (): Promise<void> => {
    await rm(at.dir, { recursive: true, force: true });
    await mkdir(at.dir);
    const { code, output } = await run('cp', ['-al', `${dir}/.`, at.dir]);
    if (code !== 0) await cp(dir, at.dir, { recursive: true }).catch(() => step(output));
  };
  step('Damaging objects');
  await copied();
  const entries = await manifestOf(dir, made.generation);
  const chosen = entries.filter((_, n) => n % Math.max(1, Math.floor(entries.length / 200)) === 0);
  await judge(await damageObjects(at.dir, chosen, faults - fileFaults.length), []);
  for (const { what, kind, file, damage } of fileFaults) {
    step(`Damaging: ${what}`);
    await copied();
    await damage(at);
    await judge([`${kind} generations/${made.generation}/${file}`], ['--sample', '1%']);
  }
  say(`${named + missed} faults made: ${named} named, ${missed} missed, ${falsely} named falsely`);
}

try {
  step('Starting a service');
  const serving = await appliance(scope, { privately: true });
  const { home, user } = serving;
  step(`Uploading ${images} photographs`);
  await forEachLimited(Array.from({ length: images }), 4, async () => void (await upload(user)));
  const before = new Map(stored);
  const made = await backUpUnderLoad(home, user);
  await serving.end();
  step('Deleting the home');
  await rm(home.dir, { recursive: true });
  const restored = await command<{ ok: boolean; objects: number }>([
    'restore',
    dir,
    '--home',
    home.dir,
  ]);
  say(
    `restored: ${restored.objects} objects; rows, counters, and objects ${restored.ok ? 'agree' : 'differ'}`,
  );
  if (!restored.ok) finding('the restored home differs');
  await serving.restart();
  await compare(user, before);
  const proved = await command<VerifiedBackup>(['verify', 'backup', dir]);
  say(`proved: ${proved.objects} objects, ${proved.faults_total} faults`);
  const [older = ''] = await generationsIn(dir);
  await seedFaults(made, older);
} finally {
  await scope.end();
}
