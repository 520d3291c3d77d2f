import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccounts } from '../../testkit/accounts.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import { openUpload } from '../faults/raw-upload.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const { client, db } = service;
const picture = await jpeg();

const send = (user: Member, to = user.images) =>
  client.post<{ id: string }>(to, {
    as: ['User', user.token],
    form: { image_data: filePart(picture) },
  });

/** A user whose quota fits exactly `pictures` images and is one byte too small for the next. */
async function userWithQuotaFor(pictures: number): Promise<Member> {
  const user = await service.user();
  await db.query('UPDATE users SET max_storage_bytes = $2 WHERE id = $1', [
    user.id,
    picture.length * (pictures + 1) - 1,
  ]);
  return user;
}

const storedBytes = async (user: Member): Promise<[number, number]> => {
  const [row] = await db.query<{ counted: number; summed: number }[]>(
    `SELECT stored_bytes AS counted,
            (SELECT coalesce(sum(bytes), 0)::bigint FROM image_versions WHERE user_id = u.id) AS summed
     FROM users u WHERE id = $1`,
    [user.id],
  );
  return [row?.counted ?? -1, row?.summed ?? -1];
};

const outcomes = (answers: readonly { status: number; error?: { code: string } }[]) => {
  const counts: Record<string, number> = {};
  for (const { status, error } of answers) {
    const outcome = error?.code ?? String(status);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
};

test('of 30 concurrent uploads, exactly as many as fit are stored', async () => {
  const user = await userWithQuotaFor(7);
  const answers = await Promise.all(Array.from({ length: 30 }, () => send(user)));
  assert.deepEqual(outcomes(answers), { 200: 7, storage_quota_exceeded: 23 });
  assert.deepEqual(await storedBytes(user), [7 * picture.length, 7 * picture.length]);
});

test('an upload ends once more has come than fits', async () => {
  const user = await service.user();
  await send(user);
  const left = 20_000;
  await db.query('UPDATE users SET max_storage_bytes = $2 WHERE id = $1', [
    user.id,
    picture.length + left,
  ]);
  const large = Buffer.concat([picture, Buffer.alloc(8 * left)]);
  const upload = openUpload(client.base, user, large, { 'transfer-encoding': 'chunked' });
  upload.write(0, 4 * left);
  assert.equal((await upload.answer).error?.code, 'storage_quota_exceeded');
  upload.request.destroy();
});

test('of concurrent edits and uploads, exactly as many as fit are stored', async () => {
  const user = await userWithQuotaFor(9);
  const { result: image } = await send(user);
  const edits = `${user.images}/${image.id}/filedata`;
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => send(user, i % 2 === 0 ? edits : user.images)),
  );
  assert.deepEqual(outcomes(answers), { 200: 8, storage_quota_exceeded: 22 });
  assert.deepEqual(await storedBytes(user), [9 * picture.length, 9 * picture.length]);
});

/** A user who has stored one picture and may store this many bytes more. */
async function userWithRoomFor(bytes: number): Promise<Member & { readonly path: string }> {
  const user = await service.user();
  const { result } = await send(user);
  await db.query('UPDATE users SET max_storage_bytes = $2 WHERE id = $1', [
    user.id,
    picture.length + bytes,
  ]);
  return Object.assign(user, { path: `${user.images}/${result.id}` });
}

const as = ({ token }: Member) => ['User', token] as const;

const used = async (user: Member): Promise<number> => {
  const info = await client.get<{ used_storage_mb: number }>(`/api/v1/users/${user.id}/info`, {
    as: as(user),
  });
  return Math.round(info.result.used_storage_mb * 1_048_576);
};

const refusedText = (answer: { error?: { code: string; field?: string } }): unknown => [
  answer.error?.code,
  answer.error?.field,
];

test('of concurrent memos and customs, exactly as many as fit are stored, in bytes of UTF-8', async () => {
  const user = await userWithRoomFor(30 * 7 + 29);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? client.post(`${user.path}/memos`, {
            as: as(user),
            form: { message: '가'.repeat(10), is_client: 'True' },
          })
        : client.post(`${user.path}/customs`, {
            as: as(user),
            form: { key: 'k'.repeat(10), value: 'v'.repeat(20) },
          }),
    ),
  );
  assert.deepEqual(outcomes(answers), { 200: 7, storage_quota_exceeded: 13 });
  assert.ok((await used(user)) - picture.length - 210 <= 1);
  await assertAccounts(service);
});

test('text that grows past the quota names its field; what is deleted is given back', async () => {
  const user = await userWithRoomFor(100);
  const memo = (message: string) =>
    client.post<{ memos: { id: string }[] }>(`${user.path}/memos`, {
      as: as(user),
      form: { message, is_client: 'False' },
    });
  const first = await memo('m'.repeat(60));
  const path = `${user.path}/memos/${first.result.memos[0]?.id}`;
  const change = (message: string) => client.put(path, { as: as(user), form: { message } });
  assert.deepEqual(refusedText(await memo('m'.repeat(41))), ['storage_quota_exceeded', 'message']);
  assert.deepEqual(refusedText(await change('n'.repeat(101))), [
    'storage_quota_exceeded',
    'message',
  ]);
  assert.equal((await change('n'.repeat(100))).status, 200);
  const custom = (value: string) =>
    client.post<{ id: string }>(`${user.path}/customs`, {
      as: as(user),
      form: { key: 'k', value },
    });
  assert.deepEqual(refusedText(await custom('')), ['storage_quota_exceeded', 'value']);
  // Past a quota that has become smaller, text may still shrink.
  await db.query('UPDATE users SET max_storage_bytes = 10 WHERE id = $1', [user.id]);
  assert.equal((await change('n'.repeat(90))).status, 200);
  await db.query('UPDATE users SET max_storage_bytes = $2 WHERE id = $1', [
    user.id,
    picture.length + 100,
  ]);
  const made = await custom('v'.repeat(9));
  assert.equal(made.status, 200);
  assert.equal((await client.delete(path, { as: as(user) })).status, 200);
  assert.equal((await custom('v'.repeat(89))).status, 200);
  const trashed = await client.put(user.path, { as: as(user), form: { delete: 'True' } });
  assert.equal(trashed.status, 200);
  assert.equal((await send(user)).error?.code, 'storage_quota_exceeded', 'trash included');
  await assertAccounts(service);
});

test('the message of a shared upload counts with its file', async () => {
  const user = await service.user();
  await db.query('UPDATE users SET max_storage_bytes = $2 WHERE id = $1', [
    user.id,
    picture.length + 50,
  ]);
  const share = (message: string) =>
    client.post<{ id: string; folder_id: string }>(user.images, {
      as: as(user),
      form: { image_data: filePart(picture), is_shared: 'True', message },
    });
  assert.equal((await share('m'.repeat(51))).error?.code, 'storage_quota_exceeded');
  assert.equal((await share('m'.repeat(50))).status, 200);
  await assertAccounts(service);
});

test('a folder that is deleted with its images gives back the text of all of them', async () => {
  const user = await service.user();
  const folder = await client.post<{ id: string }>(`/api/v1/users/${user.id}/folders`, {
    as: as(user),
    form: { title: 'f' },
  });
  for (let n = 0; n < 3; n += 1) {
    await client.post(user.images, {
      as: as(user),
      form: {
        image_data: filePart(picture),
        is_shared: 'True',
        message: 'hello',
        folder_id: folder.result.id,
      },
    });
  }
  assert.equal(await used(user), 3 * (picture.length + 5));
  await client.delete(`/api/v1/users/${user.id}/folders/${folder.result.id}`, { as: as(user) });
  assert.equal(await used(user), 0);
  await assertAccounts(service);
});
