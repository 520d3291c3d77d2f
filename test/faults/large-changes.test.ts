import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createDataSource } from '../../src/database/data-source.js';
import { openDatabase } from '../../src/database/postgres/provision.js';
import { column, onlyValue, rows } from '../../src/database/sql.js';
import type { PlatformFeed } from '../../src/feed/changes/schemas.js';
import { entities } from '../../src/ops/service-database.js';
import { verifyDatabase } from '../../src/ops/verify/database.js';
import { Findings } from '../../src/ops/verify/findings.js';
import { appliance } from '../../testkit/appliance.js';
import { eventually } from '../../testkit/eventually.js';
import { done } from '../../testkit/expect.js';
import { seedImages } from '../../testkit/image-rows.js';
import { longForm } from '../../testkit/long-form.js';
import type { Folder, Image } from '../../testkit/records.js';
import { lastFirst } from '../../testkit/scope.js';
import type { Tenant } from '../../testkit/world.js';

// A folder is trashed and its user deleted, in many batches, while the service is killed: all of it ends, once,
// and at every moment in between the accounts are exact, and others, and the same user, go on.

const images = longForm ? 160_000 : 10_000;

const file = lastFirst({ after });
const serving = await appliance(file, { privately: true });
const { home, world, tenant, user } = serving;

const database = await openDatabase({ home, report: () => undefined });
file.after(() => database.close());
const options = { poolSize: 2, statementTimeoutMs: 600_000, entities, migrations: [] };
const db = await createDataSource({ url: database.url, ...options }).initialize();
file.after(() => db.destroy());

/** Somebody else, on another platform. */
const neighbor = await world.user();

/** Every entry of a feed after a position. */
async function readFeed(platform: Tenant, after = '') {
  const entries: PlatformFeed['changes'] = [];
  for (let last = after; ;) {
    const query = { limit: '1000', ...(last && { after: last }) };
    const page = done(await platform.call<PlatformFeed>('GET', '/changes', { query }));
    entries.push(...page.changes);
    last = page.last;
    if (!page.more) return { entries, last };
  }
}

let read = '';
let sampled = 0;

/** The accounts are exact, and what another platform's user does is in that platform's feed. */
async function sample(): Promise<void> {
  sampled += 1;
  const findings = new Findings();
  await verifyDatabase(db, findings);
  assert.deepEqual(findings.listed, []);
  const { id } = await neighbor.folder(`folder ${sampled}`);
  await eventually('their feed has it', async () => {
    const { entries, last } = await readFeed(neighbor.tenant, read);
    read = last;
    return entries.some((entry) => entry.id === id);
  });
}

/**
 * Samples until a change has ended, and kills the service twice on the way.
 * @param left how many images it has yet to change.
 */
async function killedTwice(left: () => Promise<number>, check: () => Promise<unknown>) {
  await Promise.all([sample(), check()]);
  for (let kills = 0; kills < 2; kills += 1) {
    const before = await left();
    let now = before;
    await eventually('it has come further', async () => (now = await left()) < before);
    assert.ok(now > 0, 'it is under way when the service is killed');
    await serving.kill();
    await serving.restart();
  }
  do await Promise.all([sample(), check()]);
  while ((await left()) > 0);
  const noted = () => onlyValue<number>(db, 'SELECT count(*)::int FROM bulk_changes');
  await eventually('nothing is left to do', async () => (await noted()) === 0);
  await sample();
}

const count = (state: string): Promise<number> =>
  onlyValue(db, `SELECT count(*)::int FROM images WHERE user_id = $1 AND ${state}`, [user.id]);

/** Every image has one entry of this kind, and the thing itself, too. */
async function assertTold(ids: readonly string[], action: string, thing: string): Promise<void> {
  const { entries } = await readFeed(tenant);
  const told = entries.filter((entry) => entry.action === action).map(({ id }) => id);
  assert.deepEqual(told.sort(), [...ids, thing].sort());
}

test('a trashed folder and a deleted user end, once, whatever is killed meanwhile', async () => {
  const { id: folder } = await user.folder('much');
  const seeds = Array.from({ length: images }, (_, n) => ({
    folder_id: folder,
    place: [37 + (n % 50) / 1e3, 127] as const,
  }));
  const ids = await seedImages({ db }, user, seeds);
  const [apart = ''] = await seedImages({ db }, user, [{}]);

  const keyed = { query: { delete: 'true' }, headers: { 'Idempotency-Key': 'trash' } };
  done(await user.call<Folder>('PUT', `/folders/${folder}`, keyed));
  let det = false;
  await killedTwice(
    () => count('folder_id IS NOT NULL AND deleted_at IS NULL'),
    async () => {
      const trash = await user.folders({ has_delete_at: 'True' });
      assert.deepEqual(
        trash.map(({ id }) => id),
        [folder],
        'the folder is in the trash at once',
      );
      const has_det = String((det = !det));
      const changed = done(await user.put<Image>(`/images/${apart}`, { has_det }));
      assert.equal(String(changed.has_det), has_det);
    },
  );
  await assertTold(ids, 'trashed', folder);

  const deletion = { headers: { 'Idempotency-Key': 'delete' } };
  done(await user.call('DELETE', '', deletion));
  await killedTwice(
    () => count('true'),
    async () => {
      const { status } = await user.get('/images');
      assert.equal(status, 401, 'the user is unknown at once');
    },
  );
  const told = `SELECT id FROM changes WHERE user_id = $1 AND action = 5`;
  assert.deepEqual(await column(db, told, [user.id]), [user.id], 'one entry says all');
  for (const table of ['image_versions', 'folders', 'places', 'map_cells', 'image_totals']) {
    const left = `SELECT FROM ${table} WHERE user_id = $1`;
    assert.deepEqual(await rows(db, left, [user.id]), [], table);
  }
});
