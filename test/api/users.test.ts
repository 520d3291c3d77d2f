import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { CreatedUser, ListedUser, UpdatedUser, UserInfo } from '../../src/users/schemas.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import type { TestPlatform, TestUser } from '../../testkit/service.js';

const service = await testService({ after }, { 'limits.max_user_storage_mb': '20000' });
const { client } = service;
const platform = await service.platform();
const asPlatform = { as: ['Platform', platform.token] as const };
const usersOf = ({ id }: TestPlatform) => `/api/v1/platforms/${id}/users`;
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';

const asUser = ({ token }: TestUser) => ({ as: ['User', token] as const });
const pathOf = ({ id }: TestUser) => `/api/v1/users/${id}`;

describe('creating a user', () => {
  const create = (body: object) =>
    client.post<CreatedUser>(usersOf(platform), { ...asPlatform, ...body });

  test('answers the record with tokens that work', async () => {
    const { status, message, result } = await create({ form: { platform_user_id: '고객-1' } });
    assert.deepEqual([status, message], [200, '성공']);
    const { user_id, platform_id, platform_user_id, access_token, refresh_token, token_type } =
      result;
    assert.deepEqual(Object.keys(result).length, 6);
    assert.deepEqual([platform_id, platform_user_id], [platform.id, '고객-1']);
    assert.equal(token_type, 'bearer');
    assert.ok(refresh_token);
    const { status: own } = await client.get(`/api/v1/users/${user_id}`, {
      as: ['User', access_token],
    });
    assert.equal(own, 200);
  });

  test('takes urlencoded and multipart forms, JSON and the query, with and without a slash', async () => {
    const calls = [
      { urlencoded: { platform_user_id: 'urlencoded' } },
      { form: { platform_user_id: 'multipart' } },
      { json: { platform_user_id: 'json' } },
      { query: { platform_user_id: 'query' } },
    ];
    for (const call of calls) {
      const { result } = await create(call);
      assert.deepEqual({ platform_user_id: result.platform_user_id }, Object.values(call)[0]);
    }
    const { status } = await client.post(`${usersOf(platform)}/`, {
      ...asPlatform,
      json: { platform_user_id: 'slash' },
    });
    assert.equal(status, 200);
  });

  test('refuses the same platform_user_id again; another platform may have it', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => create({ json: { platform_user_id: 'one of a kind' } })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
    const { status, error } = await create({ json: { platform_user_id: 'one of a kind' } });
    assert.deepEqual([status, error?.code, error?.field], [400, 'user_exists', 'platform_user_id']);
    const other = await service.platform();
    const elsewhere = await client.post(usersOf(other), {
      as: ['Platform', other.token],
      json: { platform_user_id: 'one of a kind' },
    });
    assert.equal(elsewhere.status, 200);
  });

  test('requires platform_user_id, as text of 1 to 255 characters', async () => {
    const none = await create({});
    assert.deepEqual([none.status, none.error?.code], [400, 'missing_field']);
    assert.equal(none.error?.field, 'platform_user_id');
    for (const platform_user_id of ['', 'x'.repeat(256), 'a\0b', null, {}, []]) {
      const { status, error } = await create({ json: { platform_user_id } });
      assert.deepEqual(
        [status, error?.code],
        [400, 'invalid_field'],
        JSON.stringify(platform_user_id),
      );
    }
    const numeric = await create({ json: { platform_user_id: 12345 } });
    assert.equal(numeric.result.platform_user_id, '12345');
  });
});

describe('listing users', () => {
  test('gives all users of the platform, oldest first, without tokens', async () => {
    const own = await service.platform();
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.push((await service.user(own)).id);
    const { status, result } = await client.get<ListedUser[]>(usersOf(own), {
      as: ['Platform', own.token],
    });
    assert.equal(status, 200);
    assert.deepEqual(
      result.map(({ id }) => id),
      ids,
    );
    assert.deepEqual(Object.keys(result[0] ?? {}).sort(), [
      'created_at',
      'id',
      'platform_id',
      'platform_user_id',
    ]);
  });

  test('with platform_user_id gives that user and an access token that works', async () => {
    const { result: made } = await client.post<CreatedUser>(usersOf(platform), {
      ...asPlatform,
      json: { platform_user_id: '다시 발급' },
    });
    const { result } = await client.get<ListedUser[]>(usersOf(platform), {
      ...asPlatform,
      query: { platform_user_id: '다시 발급' },
    });
    assert.deepEqual(
      result.map(({ id, platform_user_id }) => [id, platform_user_id]),
      [[made.user_id, '다시 발급']],
    );
    const { status } = await client.get(`/api/v1/users/${made.user_id}`, {
      as: ['User', result[0]?.access_token ?? ''],
    });
    assert.equal(status, 200);
    const still = await client.get(`/api/v1/users/${made.user_id}`, {
      as: ['User', made.access_token],
    });
    assert.equal(still.status, 200, 'the earlier token stays valid');
  });

  test('with an unknown platform_user_id, or one of another platform, is empty', async () => {
    const other = await service.platform();
    await client.post(usersOf(other), {
      as: ['Platform', other.token],
      json: { platform_user_id: 'theirs' },
    });
    for (const platform_user_id of ['nobody', 'theirs']) {
      const { status, result } = await client.get(usersOf(platform), {
        ...asPlatform,
        query: { platform_user_id },
      });
      assert.deepEqual([status, result], [200, []]);
    }
  });

  test('with an empty platform_user_id is the whole list', async () => {
    const { result } = await client.get<ListedUser[]>(`${usersOf(platform)}/?platform_user_id=`, {
      ...asPlatform,
    });
    assert.ok(result.length > 1);
  });
});

describe('one user', () => {
  test('answers the same record to the platform and to the user', async () => {
    const user = await service.user(platform);
    const { status, result } = await client.get(`${usersOf(platform)}/${user.id}`, asPlatform);
    assert.equal(status, 200);
    for (const end of ['', '/']) {
      const own = await client.get<Record<string, unknown>>(pathOf(user) + end, asUser(user));
      assert.deepEqual([own.status, own.result], [200, result]);
      assert.deepEqual([own.result.id, own.result.platform_id], [user.id, platform.id]);
      assert.ok(!('access_token' in own.result));
    }
  });

  test('of another platform, unknown or no UUID is user_not_found to a platform', async () => {
    const stranger = await service.user();
    for (const id of [stranger.id, unknownId, 'nobody', '%00', 'a%20b']) {
      for (const what of ['', '/info', '/images']) {
        const { status, error } = await client.get(`${usersOf(platform)}/${id}${what}`, asPlatform);
        assert.deepEqual([status, error?.code], [400, 'user_not_found'], id + what);
      }
    }
  });
});

describe('user info', () => {
  test('of a user without images is zeros and the default quota', async () => {
    const user = await service.user(platform);
    const expected = {
      image_count: 0,
      max_storage_mb: 10240,
      used_storage_mb: 0,
      trash_image_count: 0,
    };
    const own = await client.get(`${pathOf(user)}/info`, asUser(user));
    assert.deepEqual([own.status, own.result], [200, expected]);
    const platforms = await client.get(`${usersOf(platform)}/${user.id}/info`, asPlatform);
    assert.deepEqual([platforms.status, platforms.result], [200, expected]);
  });

  test('counts images outside and inside the trash, and all that is stored', async () => {
    const user = await service.user(platform);
    const picture = await jpeg();
    const ids = [];
    for (let i = 0; i < 2; i += 1) {
      const { result } = await client.post<{ id: string }>(user.images, {
        ...asUser(user),
        form: { image_data: filePart(picture) },
      });
      ids.push(result.id);
    }
    await service.db.query('UPDATE images SET deleted_at = now() WHERE id = $1', [ids[0]]);
    const { result } = await client.get<UserInfo>(`${pathOf(user)}/info`, asUser(user));
    assert.deepEqual([result.image_count, result.trash_image_count], [1, 1]);
    assert.equal(result.used_storage_mb, Math.round((2 * picture.length * 1e6) / 1048576) / 1e6);
  });
});

describe('updating a user', () => {
  const update = (user: TestUser, body: object) =>
    client.put<UpdatedUser>(pathOf(user), { ...asUser(user), ...body });

  test('sets max_storage_mb from a string, fractions allowed, in every kind of body', async () => {
    const user = await service.user(platform);
    const calls: [object, number][] = [
      [{ form: { max_storage_mb: '512' } }, 512],
      [{ urlencoded: { max_storage_mb: '0.5' } }, 0.5],
      [{ json: { max_storage_mb: '20000' } }, 20_000],
      [{ json: { max_storage_mb: 1.25 } }, 1.25],
      [{ query: { max_storage_mb: '3' } }, 3],
    ];
    for (const [body, expected] of calls) {
      const { status, result } = await update(user, body);
      assert.deepEqual([status, result.id, result.max_storage_mb], [200, user.id, expected]);
      const info = await client.get<UserInfo>(`${pathOf(user)}/info`, asUser(user));
      assert.deepEqual({ id: user.id, ...info.result }, result);
    }
  });

  test('without max_storage_mb changes nothing', async () => {
    const user = await service.user(platform);
    const { status, result } = await update(user, {});
    assert.deepEqual([status, result.max_storage_mb], [200, 10240]);
  });

  test('refuses 0, what is no number, and more than the ceiling', async () => {
    const user = await service.user(platform);
    const wrong = [
      '0',
      '0.0',
      '-1',
      '',
      ' ',
      'many',
      'NaN',
      'Infinity',
      '1e400',
      '20000.1',
      '0x10',
    ];
    for (const max_storage_mb of wrong) {
      const { status, error } = await update(user, { form: { max_storage_mb } });
      assert.deepEqual(
        [status, error?.code, error?.field],
        [400, 'invalid_field', 'max_storage_mb'],
        max_storage_mb,
      );
    }
  });

  test('may go below what is stored: nothing is lost, nothing more fits', async () => {
    const user = await service.user(platform);
    const upload = async () =>
      client.post<{ id: string }>(user.images, {
        ...asUser(user),
        form: { image_data: filePart(await jpeg()) },
      });
    const { result: image } = await upload();
    const { status, result } = await update(user, { json: { max_storage_mb: '0.001' } });
    assert.deepEqual([status, result.max_storage_mb, result.image_count], [200, 0.001, 1]);
    const full = await upload();
    assert.deepEqual([full.status, full.error?.code], [400, 'storage_quota_exceeded']);
    const kept = await client.get(`${user.images}/${image.id}`, asUser(user));
    assert.equal(kept.status, 200);
    await update(user, { json: { max_storage_mb: '10' } });
    assert.equal((await upload()).status, 200);
  });
});
