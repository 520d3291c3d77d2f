import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { rows } from '../../src/database/sql.js';
import type { ImageList } from '../../src/library/images/list/schemas.js';
import { eventually } from '../../testkit/eventually.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import { openUpload } from '../faults/raw-upload.js';
import type { Member, Tenant } from '../../testkit/world.js';

const service = await testService();
const second = await service.secondNode();
const nodes = [service.client, second];
const { db } = service;
const { platforms, users, limits } = service.service.tenants;
const picture = await jpeg({ width: 64, height: 48 });

const none = { maxBytes: null, maxImages: null, maxUsers: null };

const newUsers = (platform: Tenant, count: number): Promise<Member[]> =>
  Promise.all(Array.from({ length: count }, () => service.user(platform)));

const send = async (user: Member, node = service.client, key?: string): Promise<string> => {
  const { status, error } = await node.post(user.images, {
    as: ['User', user.token],
    form: { image_data: filePart(picture) },
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
  });
  return error?.code ?? String(status);
};

/** Adds a version to the user's newest image. */
const edit = async (user: Member): Promise<string> => {
  const as = ['User', user.token] as const;
  const list = await service.client.get<ImageList>(user.images, { as });
  const { status, error } = await service.client.post(
    `${user.images}/${list.result.items[0]?.id}/filedata`,
    { as, form: { image_data: filePart(picture) } },
  );
  return error?.code ?? String(status);
};

/** Retries after 503 like a client, with the same key if there is one. */
const insist = async (user: Member, node = service.client, key?: string): Promise<string> => {
  for (;;) {
    const outcome = await send(user, node, key);
    if (outcome !== 'unavailable' && outcome !== 'request_in_progress') return outcome;
  }
};

const tally = (outcomes: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};

/** What all users of the platform store, computed from the rows. */
const stored = async ({ id }: Tenant) => {
  const [row] = await rows<{ images: number; bytes: number }>(
    db,
    `SELECT count(*)::int AS images, coalesce(sum(bytes), 0)::bigint AS bytes
     FROM image_versions WHERE platform_id = $1`,
    [id],
  );
  return row;
};

/** Concurrent uploads of all users on both nodes, the same number for each. */
const rush = (of: readonly Member[], each: number): Promise<string[]> =>
  Promise.all(
    of.flatMap((user) => Array.from({ length: each }, (_, n) => insist(user, nodes[n % 2]))),
  );

describe('limits of a platform', () => {
  test('of bytes: ten concurrent users on two nodes use it up completely, and never exceed it', async () => {
    const platform = await service.platform();
    const ten = await newUsers(platform, 10);
    // One byte too few for one more upload, and no room for one more user, which uploads do not ask for.
    await platforms.limit(platform.id, {
      ...none,
      maxBytes: picture.length * 19 - 1,
      maxUsers: ten.length,
    });
    const outcomes = await rush(ten, 3);
    assert.deepEqual(tally(outcomes), { 200: 18, platform_limit_exceeded: 12 });
    assert.deepEqual(await stored(platform), { images: 18, bytes: 18 * picture.length });
    assert.equal(await send(ten[7]!), 'platform_limit_exceeded');
  });

  test('of images: what one user deletes another may store; edits do not count', async () => {
    const platform = await service.platform();
    const several = await newUsers(platform, 5);
    await platforms.limit(platform.id, { ...none, maxImages: 11 });
    assert.deepEqual(tally(await rush(several, 4)), { 200: 11, platform_limit_exceeded: 9 });
    const [image] = await rows<{ id: string; userId: string }>(
      db,
      `SELECT id, user_id AS "userId" FROM images WHERE platform_id = $1 LIMIT 1`,
      [platform.id],
    );
    const owner = several.find(({ id }) => id === image?.userId);
    assert.ok(image && owner);
    const edited = await service.client.post(`${owner.images}/${image.id}/filedata`, {
      as: ['User', owner.token],
      form: { image_data: filePart(picture) },
    });
    assert.equal(edited.status, 200);
    await service.client.delete(`/api/v1/users/${owner.id}`, { as: ['User', owner.token] });
    const free = 11 - ((await stored(platform))?.images ?? 0);
    const others = several.filter((user) => user !== owner);
    const outcomes = await rush(others, 11);
    assert.deepEqual(tally(outcomes)['200'], free);
    assert.equal((await stored(platform))?.images, 11);
  });

  test('are exact with Idempotency-Keys, too, whose requests are one transaction each', async () => {
    const platform = await service.platform();
    const several = await newUsers(platform, 4);
    await platforms.limit(platform.id, { ...none, maxImages: 6 });
    const keyed = (user: Member) => insist(user, service.client, uuidv7());
    const outcomes = await Promise.all([...several, ...several, ...several].map(keyed));
    assert.deepEqual(tally(outcomes), { 200: 6, platform_limit_exceeded: 6 });
    assert.equal((await stored(platform))?.images, 6);
  });

  test('of bytes count the text of memos and customs, exactly', async () => {
    const platform = await service.platform();
    const several = await newUsers(platform, 3);
    const paths: string[] = [];
    for (const user of several) {
      const sent = await service.client.post<{ id: string }>(user.images, {
        as: ['User', user.token],
        form: { image_data: filePart(picture) },
      });
      paths.push(`${user.images}/${sent.result.id}`);
    }
    await platforms.limit(platform.id, { ...none, maxBytes: 3 * picture.length + 109 });
    const write = async (n: number): Promise<string> => {
      for (;;) {
        const { status, error } = await (nodes[n % 2] ?? second).post(`${paths[n % 3]}/memos`, {
          as: ['User', several[n % 3]?.token ?? ''],
          form: { message: 'm'.repeat(10), is_client: 'True' },
          ...(n % 4 === 0 && { headers: { 'Idempotency-Key': uuidv7() } }),
        });
        if (error?.code !== 'unavailable') return error?.code ?? String(status);
      }
    };
    const outcomes = await Promise.all(Array.from({ length: 15 }, (_, n) => write(n)));
    assert.deepEqual(tally(outcomes), { 200: 10, platform_limit_exceeded: 5 });
    assert.equal(await send(several[0]!), 'platform_limit_exceeded');
  });

  test('of users: concurrent requests create exactly as many', async () => {
    const platform = await service.platform();
    // No image fits either, which no new user asks for.
    await platforms.limit(platform.id, { ...none, maxImages: 0, maxUsers: 3 });
    const created = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => users.create(platform.id, `one of ${n}`)),
    );
    assert.equal(created.filter(({ status }) => status === 'fulfilled').length, 3);
    const as = ['Platform', platform.token] as const;
    const path = `/api/v1/platforms/${platform.id}/users`;
    const more = () => second.post(path, { as, form: { platform_user_id: 'another' } });
    const refused = await more();
    assert.deepEqual(
      [refused.status, refused.error?.code, refused.error?.details],
      [400, 'platform_limit_exceeded', { limit: 'users', max: 3 }],
    );
    const first = created.find((one) => one.status === 'fulfilled');
    assert.ok(first);
    const { user_id: id, access_token: token } = first.value;
    await service.client.delete(`/api/v1/users/${id}`, { as: ['User', token] });
    assert.equal((await more()).status, 200);
  });

  test('take effect at once when lowered, raised or removed', async () => {
    const platform = await service.platform();
    const [one, other] = await newUsers(platform, 2);
    assert.ok(one && other);
    await platforms.limit(platform.id, { ...none, maxImages: 1_000 });
    assert.deepEqual([await send(one), await send(other)], ['200', '200']);
    const left = await platforms.limit(platform.id, { ...none, maxImages: 1 });
    assert.equal(left?.freeImages, -1, 'what they held in advance is taken back');
    assert.equal(await send(one), 'platform_limit_exceeded');
    assert.equal(await edit(one), '200', 'an edit needs no further image');
    await platforms.limit(platform.id, { ...none, maxImages: 3 });
    assert.deepEqual([await send(one), await send(other)], ['200', 'platform_limit_exceeded']);
    await platforms.limit(platform.id, none);
    assert.equal(await limits.of(platform.id), undefined);
    assert.deepEqual([await send(one), await send(other)], ['200', '200']);
  });

  test('refuse an upload before its body, once they are used up', async () => {
    const platform = await service.platform();
    const user = await service.user(platform);
    await platforms.limit(platform.id, { ...none, maxImages: 1 });
    assert.equal(await insist(user), '200');
    const upload = openUpload(service.client.base, user, picture);
    upload.write(0, 10);
    assert.equal((await upload.answer).error?.code, 'platform_limit_exceeded');
    upload.request.destroy();
  });

  test('an upload in progress while the first limit is set is counted', async () => {
    const platform = await service.platform();
    // More than are waited for in one statement, and all before the one who uploads.
    await rows(
      db,
      `INSERT INTO users (id, platform_id, platform_user_id, max_storage_bytes)
       SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, n, 1
       FROM generate_series(1, 1000) n`,
      [platform.id],
    );
    const user = await service.user(platform);
    const gate = db.createQueryRunner();
    await gate.startTransaction();
    await gate.query('LOCK TABLE image_versions IN ACCESS EXCLUSIVE MODE');
    const sent = send(user);
    const waits = async () =>
      (
        await rows(
          db,
          `SELECT FROM pg_locks WHERE NOT granted AND relation = 'image_versions'::regclass
             AND mode = 'RowExclusiveLock'
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        )
      ).length > 0;
    await eventually('the upload has reserved its bytes and inserts', waits);
    const set = platforms.limit(platform.id, { ...none, maxImages: 1 });
    await eventually(
      'the limit is there',
      async () => (await limits.of(platform.id)) !== undefined,
    );
    await gate.rollbackTransaction();
    await gate.release();
    assert.equal(await sent, '200');
    assert.equal((await set)?.freeImages, 0);
    assert.equal(await send(user), 'platform_limit_exceeded');
  });
});
