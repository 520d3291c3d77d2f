import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import type { TestUser } from '../../testkit/service.js';

const service = await testService({ after });
const { client, db } = service;
const picture = await jpeg();

const send = (user: TestUser, to = user.images) =>
  client.post<{ id: string }>(to, {
    as: ['User', user.token],
    form: { image_data: filePart(picture) },
  });

/** A user whose quota fits exactly `pictures` images and is one byte too small for the next. */
async function userWithQuotaFor(pictures: number): Promise<TestUser> {
  const user = await service.user();
  await db.query('UPDATE users SET max_storage_bytes = $2 WHERE id = $1', [
    user.id,
    picture.length * (pictures + 1) - 1,
  ]);
  return user;
}

const storedBytes = async (user: TestUser): Promise<[number, number]> => {
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
