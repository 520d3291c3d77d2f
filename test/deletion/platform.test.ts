import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { row, rows } from '../../src/database/sql.js';
import { start } from '../../testkit/command.js';
import { testDatabase } from '../../testkit/database.js';
import { eventually } from '../../testkit/eventually.js';
import { done } from '../../testkit/expect.js';
import { hosted } from '../../testkit/hosted-command.js';
import { seedFolder, seedSeries } from '../../testkit/image-rows.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { lastFirst } from '../../testkit/scope.js';
import { ownService } from '../../testkit/service.js';
import { killNow } from '../../testkit/processes.js';
import type { Member } from '../../testkit/world.js';

const scope = lastFirst({ after });
const { url } = await testDatabase(scope);
const service = await ownService(scope, { 'database.url': url });
const { db, client, home } = service;
const picture = await jpeg();
const here = ['--home', home.dir, '--database-url', url, '--json'];

interface Report {
  readonly state: string;
  readonly rows_deleted_at: string | null;
  readonly objects_deleted_at: string | null;
  readonly deleted: Readonly<Record<string, number>>;
}

const upload = async (user: Member, to = user.images): Promise<string> => {
  const as = ['User', user.token] as const;
  const { result } = await client.post<{ id: string }>(to, {
    as,
    form: { image_data: filePart(picture) },
  });
  return result.id;
};

/** The tables that have rows of a platform. */
const leftOf = async (platformId: string): Promise<string[]> => {
  const tables = ['users', 'images', 'image_versions', 'changes', 'usage_events', 'daily_stats'];
  const others = ['refresh_tokens', 'webhooks', 'platform_limits', 'feed_expiry'];
  const counted = await Promise.all(
    [...tables, ...others].map(async (table) => {
      const found = await rows(db, `SELECT FROM ${table} WHERE platform_id = $1 LIMIT 1`, [
        platformId,
      ]);
      return found.length > 0 ? [table] : [];
    }),
  );
  return counted.flat();
};

test('deleting a platform survives kill -9, and reports exactly what was deleted', async (t) => {
  const platform = await service.platform('to be erased');
  const [one, two] = [await service.user(platform), await service.user(platform)];
  const bystander = await service.user();
  await upload(bystander);
  await upload(two, `${two.images}/${await upload(two)}/filedata`);
  await db.query(`UPDATE image_versions SET full_extension = 'jpg' WHERE user_id = $1`, [two.id]);
  await seedSeries(service, one, { count: 700 });
  await seedFolder(service, one, 'a folder');
  await seedFolder(service, two, 'another');
  const before = await row<Record<string, number>>(
    db,
    `SELECT count(DISTINCT image_id)::int AS images, count(*)::int AS versions,
            sum(2 + (display_extension IS NOT NULL)::int + (full_extension IS NOT NULL)::int)::int
              AS objects,
            sum(bytes)::int AS bytes
     FROM image_versions WHERE platform_id = $1`,
    [platform.id],
  );

  // The second user is locked, so that the deletion stops halfway.
  const gate = db.createQueryRunner();
  await gate.startTransaction();
  await gate.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [two.id]);
  t.after(async () => {
    if (gate.isTransactionActive) await gate.rollbackTransaction();
    await gate.release();
  });
  const removal = ['platform', 'delete', platform.id];
  const wrong = await hosted([...removal, '--confirm', 'another name', '--yes', ...here]);
  assert.equal(wrong.code, 2, 'another name');
  const unsure = await hosted([...removal, '--yes', ...here]);
  assert.equal(unsure.code, 2, '--yes is not enough');
  const child = start([...removal, '--confirm', 'to be erased', ...here]);
  const report = async (): Promise<Report> =>
    (await hosted(['platform', 'show', platform.id, ...here])).json<Report>();
  const halfway = async () =>
    (await rows(db, 'SELECT FROM erasures WHERE images = 700')).length === 1;
  await eventually('the images of the first user are deleted', halfway);
  const killed = once(child, 'exit');
  killNow(child.pid);
  await killed;

  assert.deepEqual([(await report()).state, (await report()).deleted.images], ['deleting', 700]);
  const as = ['User', two.token] as const;
  const refused = await client.get(`/api/v1/users/${two.id}`, { as });
  assert.equal(refused.error?.code, 'token_revoked', 'for its users it is gone already');
  const listed = await hosted(['platform', 'list', ...here]);
  assert.ok(!listed.stdout.includes(platform.id));
  await gate.rollbackTransaction();

  // The next run continues: that of another node's job, or this one.
  await eventually('it goes on to the end', async () => {
    await hosted(['jobs', 'run', 'delete-platforms', ...here]);
    return (await report()).rows_deleted_at !== null;
  });
  assert.deepEqual((await report()).deleted, { users: 2, folders: 2, ...before });
  assert.deepEqual(await leftOf(platform.id), []);
  await hosted(['jobs', 'run', 'reclaim-objects', ...here]);
  assert.equal((await report()).objects_deleted_at, null, 'backups may need them');
  // The service's own jobs may take part at any time.
  await eventually('the files are deleted', async () => {
    await hosted(['store', 'reclaim', '--now', '--of', platform.id, '--yes', ...here]);
    await hosted(['jobs', 'run', 'delete-platforms', ...here]);
    return (await report()).state === 'deleted';
  });
  await assert.rejects(access(join(home.store, 'objects', platform.id)));
  const verified = await hosted(['verify', 'accounts', ...here]);
  assert.equal(verified.code, 0, verified.stdout);
  const again = await hosted([...removal, ...here]);
  assert.deepEqual(again.json<Report>().deleted, { users: 2, folders: 2, ...before });
  await service.platform('to be erased'); // the name can be reused
});

test('URLs of files have ended with their user', async () => {
  const platform = await service.platform();
  const [user, other] = [await platform.user(), await platform.user()];
  const [file, kept] = [(await user.upload()).org_path_url, (await other.upload()).org_path_url];
  assert.equal((await fetch(file)).status, 200);
  done(await user.delete(''));
  await eventually('the URL has ended', async () => (await fetch(file)).status === 403);
  assert.equal((await fetch(kept)).status, 200);
});

test('URLs of its files have ended, also once its rows are gone', async () => {
  const platform = await service.platform('gone');
  const { org_path_url: file } = await (await platform.user()).upload();
  assert.equal((await fetch(file)).status, 200);
  const { code } = await hosted(['platform', 'delete', platform.id, '--confirm', 'gone', ...here]);
  assert.equal(code, 0);
  assert.deepEqual(await rows(db, 'SELECT FROM platforms WHERE id = $1', [platform.id]), []);
  await eventually('the URL has ended', async () => (await fetch(file)).status === 403);
});
