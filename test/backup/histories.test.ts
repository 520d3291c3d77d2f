import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { reclaimOnce } from '../../src/library/reclaim/reclaim.js';
import { sumOfFile } from '../../src/ops/backup/repository.js';
import { manifestOf } from '../../testkit/backups.js';
import { newHome, start } from '../../testkit/command.js';
import { blankDatabase } from '../../testkit/database.js';
import { eventually } from '../../testkit/eventually.js';
import { hosted } from '../../testkit/hosted-command.js';
import { longForm } from '../../testkit/long-form.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { Random } from '../../testkit/random.js';
import type { Image } from '../../testkit/records.js';
import { lastFirst } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import type { Member } from '../../testkit/world.js';

// Whatever was whole in any backup comes back, whatever happened meanwhile to the store, to other backups,
// and to the commands. A failed history is repeated with IMGSTORE_TEST_SEED=N.

const given = process.env.IMGSTORE_TEST_SEED;
const histories = given ? 1 : longForm ? 200 : 4;
const steps = 20;

const scope = lastFirst({ after });
const service = await ownService(scope);
const { home, db } = service;
const { store } = service.service;
const { url = '' } = db.options as { url?: string };
const root = await temporaryDirectory('histories');
scope.after(() => rm(root, { recursive: true, force: true }));
const on = ['--home', home.dir, '--database-url', url, '--json'];
const withKey = ['--master-key-file', join(home.secrets, 'master.key')];

/** The SHA-256 of a file; undefined if there is none. */
const sumAt = async (path: string): Promise<string | undefined> =>
  existsSync(path) ? (await sumOfFile(path)).sha256 : undefined;

interface Kept {
  /** The SHA-256 of each object that was whole in it. */
  readonly whole: ReadonlyMap<string, string>;
  readonly faults: number;
  /** Whether its record, manifest or dump was changed. */
  changed: boolean;
}

class History {
  /** Those that are there, in the order in which they were made. */
  readonly #backups = new Map<string, Kept>();
  /** The SHA-256 of every object, as it was stored. */
  readonly #stored = new Map<string, string>();
  /** Objects that the store has no longer as they were. */
  readonly #broken = new Set<string>();
  /** Objects that were changed in the pool. */
  readonly #flipped = new Set<string>();
  readonly #images = new Set<string>();
  readonly #acts: readonly (() => Promise<unknown>)[];

  constructor(
    readonly dir: string,
    readonly random: Random,
    readonly album: Member,
  ) {
    const often = (times: number, act: () => Promise<unknown>) =>
      Array<typeof act>(times).fill(act);
    this.#acts = [
      ...often(4, () => this.upload()),
      ...often(2, () => this.edit()),
      ...often(2, () => this.destroy()),
      ...often(4, () => this.breakObject()),
      ...often(5, () => this.backUp()),
      ...often(2, () => this.killBackup()),
      ...often(2, () => this.prune()),
      () => this.flipInPool(),
      () => this.flipInBackup(),
      ...often(4, () => this.strike()),
    ];
  }

  async step(): Promise<void> {
    await this.random.of(this.#acts)?.();
    for (const [id, { whole }] of this.#backups) {
      for (const [key, sha256] of whole) {
        if (this.#flipped.has(key)) continue;
        assert.equal(await sumAt(this.#pool(key)), sha256, `${key}, whole in ${id}`);
      }
    }
  }

  async upload(path = ''): Promise<void> {
    const side = () => 16 + this.random.below(64);
    const form = { image_data: filePart(await jpeg({ width: side(), height: side() })) };
    const { status, result } = await this.album.call<{ id: string }>('POST', `/images${path}`, {
      form,
    });
    assert.equal(status, 200);
    this.#images.add(result.id);
    const { platformId, id } = this.album;
    for await (const { key } of store.list(`${platformId}/${id}/`)) {
      const sum = this.#stored.has(key) ? undefined : await sumAt(join(home.store, key));
      if (sum) this.#stored.set(key, sum);
    }
  }

  async edit(): Promise<void> {
    const id = this.random.of([...this.#images]);
    if (id) await this.upload(`/${id}/filedata`);
  }

  /** Deletes an image, and its objects at once. */
  async destroy(id = this.random.of([...this.#images])): Promise<void> {
    if (!id) return;
    await this.album.put<Image>(`/images/${id}`, { delete: 'True' });
    const emptied = await hosted(['trash', 'empty', '--user', this.album.id, '--yes', ...on]);
    assert.equal(emptied.code, 0, emptied.stderr);
    await reclaimOnce({ dataSource: db, store });
    this.#images.delete(id);
  }

  async end(): Promise<void> {
    for (const id of this.#images) await this.destroy(id);
  }

  /** Changes a bit in the store, or loses a file there. */
  async breakObject(): Promise<void> {
    const key = this.random.of(this.#current());
    if (key === undefined) return;
    const path = join(home.store, key);
    if (this.random.below(2)) await rm(path, { force: true });
    else if (existsSync(path)) await this.#flip(path);
    this.#broken.add(key);
  }

  async backUp(): Promise<void> {
    const before = await this.#poolNow();
    const made = await hosted(['backup', this.dir, ...this.#copying(), ...on]);
    assert.ok(made.code === 0 || made.code === 3, made.stdout + made.stderr);
    await this.#note(before);
  }

  async killBackup(): Promise<void> {
    const before = await this.#poolNow();
    const child = start(['backup', this.dir, ...this.#copying(), ...on]);
    const ended = once(child, 'exit');
    const isCopying = this.random.below(2) === 1;
    const begun = () => existsSync(join(this.dir, 'unfinished.json'));
    const copied = () => [...before].some(([key, sum]) => !sum && existsSync(this.#pool(key)));
    await eventually('it has begun, or ended', async () => {
      return child.exitCode !== null || (isCopying ? begun() && copied() : begun());
    });
    child.kill('SIGKILL');
    await ended;
    await this.#note(before);
  }

  async prune(): Promise<void> {
    if (this.#backups.size === 0) return;
    const keep = String(1 + this.random.below(3));
    const pruned = await hosted(['backup', 'prune', this.dir, '--keep', keep, ...on]);
    assert.ok(pruned.code === 0 || pruned.code === 3, pruned.stdout + pruned.stderr);
    const good = [...this.#backups].findLast(([, { faults, changed }]) => faults === 0 && !changed);
    for (const id of pruned.json<{ removed: string[] }>().removed) {
      assert.notEqual(id, good?.[0], 'the last good one stays');
      assert.ok(this.#backups.delete(id), id);
    }
  }

  async flipInPool(): Promise<void> {
    const keys = [...this.#stored.keys()].filter((key) => existsSync(this.#pool(key)));
    const key = this.random.of(keys);
    if (key === undefined) return;
    await this.#flip(this.#pool(key));
    this.#flipped.add(key);
  }

  /** When nothing is known any more of what the pool has, only its bytes and those of the store tell. */
  async strike(): Promise<void> {
    await this.flipInBackup([...this.#backups]);
    await this.breakObject();
    await this.breakObject();
    await this.backUp();
  }

  /** Changes a bit of each of these. */
  async flipInBackup(
    backups = this.random.shuffled([...this.#backups]).slice(0, 1),
  ): Promise<void> {
    for (const [id, kept] of backups) {
      const name = this.random.of(['backup.json', 'manifest.ndjson', 'database.dump']);
      await this.#flip(join(this.dir, 'generations', id, name));
      kept.changed = true;
    }
  }

  /** Restores one of the backups, and compares all that was whole in it. */
  async restore(t: TestContext): Promise<void> {
    const intact = [...this.#backups].filter(([, { changed }]) => !changed);
    const [id = '', kept] = this.random.of(intact) ?? [];
    if (!kept) return;
    const to = await newHome(lastFirst(t));
    const { url: database } = await blankDatabase(lastFirst(t));
    const at = ['--home', to.dir, '--database-url', database, ...withKey, '--json'];
    const restored = await hosted(['restore', this.dir, '--generation', id, ...at]);
    assert.ok(restored.code === 0 || restored.code === 3, restored.stdout + restored.stderr);
    for (const [key, sha256] of kept.whole) {
      if (this.#flipped.has(key)) continue;
      assert.equal(await sumAt(join(to.store, key)), sha256, `${key}, restored from ${id}`);
    }
  }

  /** Notes backups that have become complete. @param before what the pool had. */
  async #note(before: ReadonlyMap<string, string | undefined>): Promise<void> {
    const generations = join(this.dir, 'generations');
    for (const id of existsSync(generations) ? await readdir(generations) : []) {
      const record = join(generations, id, 'backup.json');
      if (this.#backups.has(id) || !existsSync(record)) continue;
      const { faults } = JSON.parse(await readFile(record, 'utf8')) as { faults: number };
      const listed = new Set((await manifestOf(this.dir, id)).map(({ key }) => key));
      const whole = new Map<string, string>();
      for (const [key, had] of before) {
        assert.ok(listed.has(key), `${key} is listed`);
        const sum = this.#stored.get(key) ?? '';
        const found = await sumAt(this.#pool(key));
        const isExpected = had === undefined ? !this.#broken.has(key) : had === sum;
        if (isExpected) assert.equal(found, sum, `${key}, copied`);
        if (found === sum) whole.set(key, sum);
      }
      this.#backups.set(id, { whole, faults, changed: false });
    }
  }

  /** The objects of the images that are there. */
  #current(): string[] {
    return [...this.#stored.keys()].filter((key) => this.#images.has(key.split('/')[2] ?? ''));
  }

  async #poolNow(): Promise<Map<string, string | undefined>> {
    const found = new Map<string, string | undefined>();
    for (const key of this.#current()) found.set(key, await sumAt(this.#pool(key)));
    return found;
  }

  #pool(key: string): string {
    return join(this.dir, 'objects', key);
  }

  #copying(): string[] {
    return this.random.below(2) ? ['--copy'] : [];
  }

  /** Changes a bit of a file, which gets a new inode: links to the old one stay as they are. */
  async #flip(path: string): Promise<void> {
    const bytes = await readFile(path);
    const at = this.random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << this.random.below(8));
    await writeFile(`${path}.flipped`, bytes);
    await rename(`${path}.flipped`, path);
  }
}

for (let n = 0; n < histories; n += 1) {
  test(`what was whole in any backup comes back, in history ${n + 1}`, async (t) => {
    const seed = given ? Number(given) : randomInt(2 ** 31);
    t.diagnostic(`IMGSTORE_TEST_SEED=${seed}`);
    const dir = join(root, String(n));
    const history = new History(dir, new Random(seed), await service.user());
    await history.upload();
    await history.killBackup();
    for (let step = 0; step < steps; step += 1) await history.step();
    await history.restore(t);
    await history.end();
    await rm(dir, { recursive: true, force: true });
  });
}
