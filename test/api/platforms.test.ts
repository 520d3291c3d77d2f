import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { CreatedPlatform, PlatformRecord } from '../../src/platforms/schemas.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import type { TestPlatform } from '../../testkit/service.js';

const service = await testService({ after });
const { client } = service;
const admin = ['Admin', await service.adminToken()] as const;
const path = '/api/v1/platforms';

const as = ({ token }: TestPlatform) => ({ as: ['Platform', token] as const });

describe('creating a platform', () => {
  test('answers the record with tokens that work', async () => {
    const { status, message, result } = await client.post<CreatedPlatform>(`${path}/`, {
      as: admin,
      form: { platform: '현장 사진' },
    });
    assert.deepEqual([status, message], [200, '성공']);
    assert.deepEqual(Object.keys(result).sort(), [
      'access_token',
      'created_at',
      'id',
      'platform',
      'refresh_token',
      'token_type',
      'updated_at',
    ]);
    assert.match(result.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    assert.equal(result.platform, '현장 사진');
    assert.match(result.created_at, /^\d{8}_\d{6}$/);
    assert.equal(result.token_type, 'bearer');
    const own = await client.get(`${path}/${result.id}`, { as: ['Platform', result.access_token] });
    assert.equal(own.status, 200);
  });

  test('needs no body and makes up a name', async () => {
    const one = await client.post<CreatedPlatform>(path, { as: admin });
    const two = await client.post<CreatedPlatform>(path, { as: admin });
    assert.deepEqual([one.status, two.status], [200, 200]);
    assert.ok(one.result.platform.length > 0);
    assert.notEqual(one.result.platform, two.result.platform);
  });

  test('takes the name from urlencoded and multipart forms, JSON and the query', async () => {
    const calls = [
      { urlencoded: { platform: 'by urlencoded form' } },
      { form: { platform: 'by multipart form' } },
      { json: { platform: 'by JSON' } },
      { query: { platform: 'by query' } },
    ];
    for (const call of calls) {
      const { result } = await client.post<CreatedPlatform>(path, { as: admin, ...call });
      assert.deepEqual({ platform: result.platform }, Object.values(call)[0]);
    }
  });

  test('refuses a name that is taken, also when two come at once', async () => {
    const create = () => client.post(path, { as: admin, json: { platform: 'only once' } });
    const answers = await Promise.all([create(), create(), create()]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
    const { status, error } = await create();
    assert.deepEqual([status, error?.code, error?.field], [400, 'platform_exists', 'platform']);
  });

  test('refuses names that are none', async () => {
    for (const platform of ['', 'x'.repeat(256), 'a\0b', { deep: true }, ['two', 'names'], true]) {
      const { status, error } = await client.post(path, { as: admin, json: { platform } });
      assert.deepEqual([status, error?.code, error?.field], [400, 'invalid_field', 'platform']);
    }
  });
});

describe('reading platforms', () => {
  test('the list has every platform with its number of users, and no tokens', async () => {
    const platform = await service.platform('listed');
    await service.user(platform);
    await service.user(platform);
    for (const address of [path, `${path}/`]) {
      const { status, result } = await client.get<PlatformRecord[]>(address, { as: admin });
      assert.equal(status, 200);
      const listed = result.find(({ id }) => id === platform.id);
      assert.deepEqual([listed?.platform, listed?.user_count], ['listed', 2]);
      assert.deepEqual(Object.keys(listed ?? {}).sort(), [
        'created_at',
        'id',
        'platform',
        'updated_at',
        'user_count',
      ]);
      assert.deepEqual(
        result.map(({ id }) => id),
        result.map(({ id }) => id).sort(),
        'oldest first',
      );
    }
  });

  test('one platform answers the same record to its own token', async () => {
    const platform = await service.platform('by itself');
    const { result: all } = await client.get<PlatformRecord[]>(path, { as: admin });
    for (const end of ['', '/']) {
      const { status, result } = await client.get(`${path}/${platform.id}${end}`, as(platform));
      assert.equal(status, 200);
      assert.deepEqual(
        result,
        all.find(({ id }) => id === platform.id),
      );
    }
  });
});

describe('platform info', () => {
  const infoOf = async (platform: TestPlatform) => {
    const { status, result } = await client.get<Record<string, unknown>>(
      `${path}/${platform.id}/info`,
      as(platform),
    );
    assert.equal(status, 200);
    return result;
  };

  test('of a platform without users is all zeros', async () => {
    const platform = await service.platform('empty');
    const { id, platform: name, created_at, updated_at, ...sums } = await infoOf(platform);
    assert.deepEqual([id, name], [platform.id, 'empty']);
    assert.ok(created_at && updated_at);
    assert.deepEqual(sums, {
      user_count: 0,
      image_count: 0,
      part_total_filesize_mb: 0,
      total_filesize_mb: 0,
    });
  });

  test('sums current versions outside the trash, and every stored file', async () => {
    const platform = await service.platform();
    const [one, two] = [await service.user(platform), await service.user(platform)];
    const [small, large] = [await jpeg({ seed: 1 }), await jpeg({ width: 900, seed: 2 })];
    const upload = async (user: typeof one, picture: Buffer, to = user.images) => {
      const { status, result } = await client.post<{ id: string }>(to, {
        as: ['User', user.token],
        form: { image_data: filePart(picture) },
      });
      assert.equal(status, 200);
      return result.id;
    };
    const edited = await upload(one, small);
    await upload(one, large, `${one.images}/${edited}/filedata`);
    await upload(two, small);
    const trashed = await upload(two, large);
    await service.db.query('UPDATE images SET deleted_at = now() WHERE id = $1', [trashed]);

    const info = await infoOf(platform);
    const mb = (bytes: number) => Math.round((bytes / 1048576) * 1e6) / 1e6;
    assert.deepEqual(
      [info.user_count, info.image_count, info.part_total_filesize_mb, info.total_filesize_mb],
      [2, 2, mb(large.length + small.length), mb(2 * large.length + 2 * small.length)],
    );
  });
});
