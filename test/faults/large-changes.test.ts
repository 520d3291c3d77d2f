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
import type { Answer, Call } from '../../testkit/client.js';
import { eventually } from '../../testkit/eventually.js';
import { done } from '../../testkit/expect.js';
import { seedImages } from '../../testkit/image-rows.js';
import { longForm } from '../../testkit/long-form.js';
import { killNow } from '../../testkit/processes.js';
import type { CreatedPlatform, CreatedUser, Folder, Image } from '../../testkit/records.js';
import { lastFirst } from '../../testkit/scope.js';
import { serve } from '../../testkit/serving.js';

// A folder is trashed and its user deleted, in many batches, while the service is killed: all of it ends, once,
// and at every moment in between the accounts are exact, and others, and the same user, go on.

const images = longForm ? 160_000 : 10_000;

const file = lastFirst({ after });
const { home, serving: started } = await appliance(file, { privately: true });
let serving = started;
const { admin, platform, user } = started.greeting;

const database = await openDatabase({ home, report: () => undefined });
file.after(() => database.close());
const options = { poolSize: 2, statementTimeoutMs: 600_000, entities, migrations: [] };
const db = await createDataSource({ url: database.url, ...options }).initialize();
file.after(() => db.destroy());

const call = <R>(
  method: string,
  path: string,
  as: Call['as'],
  more: Call = {},
): Promise<Answer<R>> => serving.client.request<R>(method, `/api/v1/${path}`, { as, ...more });

const asUser = ['User', user.access_token] as const;
const mine = `users/${user.user_id}`;

/** Somebody else's platform, with a user. */
async function neighbor() {
  const form = { platform: 'neighbor' };
  const as = ['Admin', admin.access_token] as const;
  const { id, access_token } = done(
    await call<CreatedPlatform>('POST', 'platforms/', as, { form }),
  );
  const asPlatform = ['Platform', access_token] as const;
  const named = { form: { platform_user_id: 'one of theirs' } };
  const made = await call<CreatedUser>('POST', `platforms/${id}/users`, asPlatform, named);
  const { user_id, access_token: token } = done(made);
  return {
    feed: `platforms/${id}/changes`,
    asPlatform,
    folders: `users/${user_id}/folders`,
    token,
  };
}

const { feed, asPlatform, folders, token } = await neighbor();

/** Every entry of a feed after a position. */
async function readFeed(path: string, as: Call['as'], after = '') {
  const entries: PlatformFeed['changes'] = [];
  for (let last = after; ;) {
    const query = { limit: '1000', ...(last && { after: last }) };
    const page = done(await call<PlatformFeed>('GET', path, as, { query }));
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
  const form = { title: `folder ${sampled}` };
  const { id } = done(await call<Folder>('POST', folders, ['User', token], { form }));
  await eventually('their feed has it', async () => {
    const { entries, last } = await readFeed(feed, asPlatform, read);
    read = last;
    return entries.some((entry) => entry.id === id);
  });
}

/** Kills the service, and starts it again. */
async function restart(): Promise<void> {
  const service = await serving.servicePid();
  killNow(serving.pid); // "up", which would restart the service
  if (service !== serving.pid) killNow(service);
  serving = await serve(file, home, [], 'up');
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
    await restart();
  }
  do await Promise.all([sample(), check()]);
  while ((await left()) > 0);
  const noted = () => onlyValue<number>(db, 'SELECT count(*)::int FROM bulk_changes');
  await eventually('nothing is left to do', async () => (await noted()) === 0);
  await sample();
}

const count = (state: string): Promise<number> =>
  onlyValue(db, `SELECT count(*)::int FROM images WHERE user_id = $1 AND ${state}`, [user.user_id]);

/** Every image has one entry of this kind, and the thing itself, too. */
async function assertTold(ids: readonly string[], action: string, thing: string): Promise<void> {
  const { entries } = await readFeed(`platforms/${platform.id}/changes`, [
    'Platform',
    platform.access_token,
  ]);
  const told = entries.filter((entry) => entry.action === action).map(({ id }) => id);
  assert.deepEqual(told.sort(), [...ids, thing].sort());
}

test('a trashed folder and a deleted user end, once, whatever is killed meanwhile', async () => {
  const form = { title: 'much' };
  const { id: folder } = done(await call<Folder>('POST', `${mine}/folders`, asUser, { form }));
  const owner = { id: user.user_id, platformId: platform.id };
  const seeds = Array.from({ length: images }, (_, n) => ({
    folder_id: folder,
    place: [37 + (n % 50) / 1e3, 127] as const,
  }));
  const ids = await seedImages({ db }, owner, seeds);
  const [apart = ''] = await seedImages({ db }, owner, [{}]);

  const keyed = { query: { delete: 'true' }, headers: { 'Idempotency-Key': 'trash' } };
  done(await call<Folder>('PUT', `${mine}/folders/${folder}`, asUser, keyed));
  let det = false;
  await killedTwice(
    () => count('folder_id IS NOT NULL AND deleted_at IS NULL'),
    async () => {
      const query = { has_delete_at: 'True' };
      const trash = done(await call<Folder[]>('GET', `${mine}/folders`, asUser, { query }));
      assert.deepEqual(
        trash.map(({ id }) => id),
        [folder],
        'the folder is in the trash at once',
      );
      const has_det = String((det = !det));
      const own = { form: { has_det } };
      const changed = done(await call<Image>('PUT', `${mine}/images/${apart}`, asUser, own));
      assert.equal(String(changed.has_det), has_det);
    },
  );
  await assertTold(ids, 'trashed', folder);

  const deletion = { headers: { 'Idempotency-Key': 'delete' } };
  done(await call('DELETE', mine, asUser, deletion));
  await killedTwice(
    () => count('true'),
    async () => {
      const { status } = await call('GET', `${mine}/images`, asUser);
      assert.equal(status, 401, 'the user is unknown at once');
    },
  );
  const told = `SELECT id FROM changes WHERE user_id = $1 AND action = 5`;
  assert.deepEqual(await column(db, told, [user.user_id]), [user.user_id], 'one entry says all');
  for (const table of ['image_versions', 'folders', 'places', 'map_cells', 'image_totals']) {
    const left = `SELECT FROM ${table} WHERE user_id = $1`;
    assert.deepEqual(await rows(db, left, [user.user_id]), [], table);
  }
});
