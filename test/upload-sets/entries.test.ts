import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import { forgetStaleSets } from '../../src/library/upload-sets/upload-sets.js';
import { done, refused } from '../../testkit/expect.js';
import type { UploadSet } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { ChangeReader } from '../../testkit/change-reader.js';
import { walkPages, type ReadPage } from '../../testkit/read-pages.js';
import { openSet, readSet, shots, type Shot } from '../../testkit/upload-sets.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const { db } = service;
const changeReader = new ChangeReader(db);

async function newUser(): Promise<Member> {
  const user = await service.user();
  await changeReader.next(user.id);
  return user;
}

const is = async (user: Member, ...entries: string[]): Promise<void> =>
  assert.deepEqual((await changeReader.next(user.id)).sort(), entries.sort());

test('each change of a set is one entry, separate from that of the image', async () => {
  const user = await newUser();
  const [a, b, c] = (await shots(3)) as [Shot, Shot, Shot];
  const set = await openSet(user, [a, b, c]);
  await is(user, 'upload_set created');
  const image = await user.upload({ upload_set_id: set.id }, a.bytes);
  await is(user, 'image created', 'upload_set updated');
  await user.upload({ upload_set_id: set.id }, a.bytes);
  await is(user, 'image created');
  const complete = await openSet(user, [a]);
  await is(user, 'upload_set created');
  const second = await openSet(user, [c, b]);
  await is(user, 'upload_set created');
  await user.edit(image, b.bytes);
  await is(user, 'version created', 'upload_set updated', 'upload_set updated');
  await user.upload({}, c.bytes);
  await is(user, 'image created', 'upload_set updated', 'upload_set updated');
  await user.trash(image);
  await is(user, 'image trashed');
  for (const { id } of [set, second, complete]) done(await user.delete(`/upload-sets/${id}`));
  await is(user, 'upload_set deleted', 'upload_set deleted', 'upload_set deleted');
});

test('a set whose folder is deleted has an entry for it', async () => {
  const user = await newUser();
  const [file] = (await shots(1)) as [Shot];
  const folder = await user.folder('of the set');
  const set = await openSet(user, [file], { folder_id: folder.id });
  await is(user, 'folder created', 'upload_set created');
  const entries = async () =>
    (await changeReader.entries(user.id)).map(({ type, action, id }) => [type, action, id]);
  done(await user.delete(`/folders/${folder.id}`));
  const [upload_set, updated] = [6, 1];
  const [of, deleted] = [3, 5];
  assert.deepEqual((await entries()).sort(), [
    [of, deleted, folder.id],
    [upload_set, updated, set.id],
  ]);
  assert.equal((await readSet(user, set)).folder_id, null);
});

test('the system deletes sets that stay open too long; complete ones remain', async () => {
  const [user, other] = [await newUser(), await newUser()];
  const [file, missing] = (await shots(2)) as [Shot, Shot];
  await user.upload({}, file.bytes);
  const complete = await openSet(user, [file]);
  const fresh = await openSet(user, [missing]);
  const stale: UploadSet[] = [];
  // More than one transaction deletes.
  for (let i = 0; i < 12; i += 1) stale.push(await openSet(user, [file, missing]));
  const others = await openSet(other, [missing]);
  const ids = [complete, ...stale, others].map(({ id }) => id);
  await rows(
    db,
    `UPDATE upload_sets SET created_at = now() - interval '30 days 1 minute' WHERE id = ANY ($1)`,
    [ids],
  );
  await changeReader.next(user.id);
  await changeReader.next(other.id);
  const expire = (days: number) => forgetStaleSets({ db, days });
  assert.deepEqual(await expire(31), { uploadSets: 0 });
  assert.deepEqual(await expire(30), { uploadSets: 13 });
  await is(user, ...stale.map(() => 'upload_set deleted by system'));
  await is(other, 'upload_set deleted by system');
  for (const { id } of stale)
    refused(await user.get(`/upload-sets/${id}`), 400, 'upload_set_not_found');
  assert.deepEqual(
    [(await readSet(user, complete)).state, (await readSet(user, fresh)).state],
    ['complete', 'open'],
  );
});

test('sets of one moment are listed once each, page by page', async () => {
  const user = await service.user();
  const [file] = (await shots(1)) as [Shot];
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) ids.push((await openSet(user, [file])).id);
  await rows(db, 'UPDATE upload_sets SET created_at = now() WHERE user_id = $1', [user.id]);
  const sets = await walkPages(async (at) => {
    const query = new URLSearchParams({ ...at, page_size: '2' });
    return done(await user.get<ReadPage<UploadSet>>(`/upload-sets?${query.toString()}`));
  });
  assert.deepEqual(
    sets.map(({ id }) => id),
    ids.toReversed(),
  );
});
