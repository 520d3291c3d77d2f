import assert from 'node:assert/strict';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { jpeg } from '../../testkit/pictures.js';
import { ownService } from '../../testkit/service.js';
import { openUpload, type RawUpload } from './raw-upload.js';
import { eventually } from '../../testkit/eventually.js';
import { uploadsIn } from '../../testkit/temporary.js';
import type { Member } from '../../testkit/world.js';

const most = 3;
const service = await ownService({ after }, { 'limits.open_uploads_per_user': String(most) });
const { client, db, home } = service;
const picture = await jpeg({ width: 800, height: 600 });
const megabyte = 1024 * 1024;
const chunked = { 'transfer-encoding': 'chunked' };

const open = (user: Member, bytes: Uint8Array = picture, headers = {}): RawUpload =>
  openUpload(client.base, user, bytes, headers);

const begun = (count: number) =>
  eventually(`${count} uploads have begun`, async () => {
    return (await uploadsIn(home.incoming)).length === count;
  });

async function incomingBytes(): Promise<number> {
  const files = (await uploadsIn(home.incoming)).map(async (name) => {
    const file = await stat(join(home.incoming, name, 'original')).catch(() => undefined);
    return file?.size ?? 0;
  });
  return (await Promise.all(files)).reduce((sum, bytes) => sum + bytes, 0);
}

async function userWithQuota(bytes: number): Promise<Member> {
  const user = await service.user();
  await db.query('UPDATE users SET max_storage_bytes = $2 WHERE id = $1', [user.id, bytes]);
  return user;
}

describe('the open uploads of one user', () => {
  test('are limited; further ones wait, those of other users do not', async () => {
    const user = await service.user();
    const uploads = Array.from({ length: most + 2 }, () => open(user));
    for (const upload of uploads) upload.write(0, 1000);
    await begun(most);
    const other = open(await service.user());
    other.write(0, picture.length);
    other.end();
    assert.equal((await other.answer).status, 200);
    await begun(most); // the rest still waits
    for (const upload of uploads) {
      upload.write(1000, picture.length);
      upload.end();
    }
    const answers = await Promise.all(uploads.map(({ answer }) => answer));
    assert.deepEqual(
      answers.map(({ status }) => status),
      uploads.map(() => 200),
    );
    await begun(0);
  });

  test('aborted uploads free their slots', async () => {
    const user = await service.user();
    const stuck = Array.from({ length: most }, () => open(user));
    for (const upload of stuck) upload.write(0, 1000);
    await begun(most);
    const next = open(user);
    next.write(0, picture.length);
    next.end();
    for (const upload of stuck) upload.request.destroy();
    assert.equal((await next.answer).status, 200);
    await begun(0);
  });

  test('too many waiting uploads are 503, with Retry-After', async () => {
    const user = await service.user();
    const uploads = Array.from({ length: most }, () => open(user));
    for (const upload of uploads) upload.write(0, 1000);
    await begun(most);
    const waiting = Array.from({ length: 17 * most }, () => open(user));
    for (const upload of waiting) upload.write(0, 1000);
    const refused = await Promise.race(waiting.map(({ answer }) => answer));
    assert.deepEqual([refused.status, refused.error?.code], [503, 'unavailable']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    for (const { request } of [...uploads, ...waiting]) request.destroy();
    await begun(0);
  });
});

describe('the remaining quota limits an upload', () => {
  const big = Buffer.alloc(40 * megabyte, 7);

  test('a length that cannot fit is refused before the file is sent', async () => {
    const upload = open(await userWithQuota(megabyte), big, { expect: '100-continue' });
    upload.request.flushHeaders();
    const asked = once(upload.request, 'continue').then(() => 'asked for the body');
    const { status, error } = (await Promise.race([upload.answer, asked])) as Awaited<
      RawUpload['answer']
    >;
    assert.deepEqual([status, error?.code], [400, 'storage_quota_exceeded']);
    upload.request.destroy();
  });

  test('without a length it is aborted once it exceeds the quota', async () => {
    const user = await userWithQuota(megabyte);
    const uploads = Array.from({ length: most }, () => open(user, big, chunked));
    for (const upload of uploads) upload.write(0, megabyte - 1000);
    await begun(most);
    let held = 0;
    for (const upload of uploads) {
      upload.write(megabyte - 1000, big.length);
      const { status, error } = await upload.answer;
      held = Math.max(held, await incomingBytes());
      assert.deepEqual([status, error?.code], [400, 'storage_quota_exceeded']);
      upload.request.destroy();
    }
    assert.ok(held <= most * megabyte, `${held} bytes were held`);
    await begun(0);
  });

  test('a file that fits exactly is accepted', async () => {
    const user = await userWithQuota(picture.length);
    for (const headers of [{}, chunked]) {
      const upload = open(user, picture, headers);
      upload.write(0, picture.length);
      upload.end();
      assert.equal((await upload.answer).status, 200);
      await db.query('DELETE FROM images WHERE user_id = $1', [user.id]);
    }
  });
});
