import assert from 'node:assert/strict';
import { done, near, nobody, refused, timePattern, uuidV7 } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { CreatedUser, Image, NumberedPage, User } from '../../testkit/records.js';
import { unique } from '../../testkit/world.js';

export const users = area('users', (check) => {
  check('createUser', 'IF 6 returns ids and tokens', async (world) => {
    const tenant = await world.platform();
    const name = unique('user');
    const form = { platform_user_id: name };
    const user = done(await tenant.call<CreatedUser>('POST', '/users', { form }));
    assert.match(user.user_id, uuidV7);
    assert.deepEqual([user.platform_id, user.platform_user_id], [tenant.id, name]);
    assert.equal(user.token_type, 'bearer');
    assert.deepEqual(Object.keys(user).sort(), [
      'access_token',
      'platform_id',
      'platform_user_id',
      'refresh_token',
      'token_type',
      'user_id',
    ]);
    done(
      await world.client.get(`/api/v1/users/${user.user_id}`, { as: ['User', user.access_token] }),
    );
  });

  check('createUser', '§1.2 platform_user_id is accepted in every type of body', async (world) => {
    const tenant = await world.platform();
    for (const call of [
      { urlencoded: { platform_user_id: 'urlencoded' } },
      { form: { platform_user_id: '고객-1' } },
      { json: { platform_user_id: 'json' } },
      { query: { platform_user_id: 'query' } },
    ]) {
      const user = done(await tenant.call<CreatedUser>('POST', '/users/', call));
      assert.deepEqual({ platform_user_id: user.platform_user_id }, Object.values(call)[0]);
    }
    const json = { platform_user_id: 12345 };
    const user = done(await tenant.call<CreatedUser>('POST', '/users', { json }));
    assert.equal(user.platform_user_id, '12345');
  });

  check('createUser', '§4.5 platform_user_id is text of 1 to 255 characters', async (world) => {
    const tenant = await world.platform();
    for (const platform_user_id of ['', 'x'.repeat(256), 'a\0b', null, {}, []]) {
      const answer = await tenant.call('POST', '/users', { json: { platform_user_id } });
      refused(answer, 400, 'invalid_field', 'platform_user_id');
    }
  });

  check('createUser', 'IF 6 platform_user_id is required', async (world) => {
    const tenant = await world.platform();
    refused(await tenant.call('POST', '/users'), 400, 'missing_field', 'platform_user_id');
  });

  check('createUser', '§4.5 the same platform_user_id twice is user_exists', async (world) => {
    const user = await world.user();
    const form = { platform_user_id: user.record.platform_user_id };
    const again = await user.tenant.call('POST', '/users', { form });
    refused(again, 400, 'user_exists', 'platform_user_id');
    const elsewhere = await world.platform();
    done(await elsewhere.call('POST', '/users', { form }));
  });

  check(
    'createUser',
    '§4.5 of many concurrent requests with one platform_user_id, one succeeds',
    async (world) => {
      const tenant = await world.platform();
      const json = { platform_user_id: 'one of a kind' };
      const create = () => tenant.call('POST', '/users', { json });
      const answers = await Promise.all([create(), create(), create()]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
    },
  );

  check('listUsers', 'IF 7 lists all users, oldest first, without tokens', async (world) => {
    const tenant = await world.platform();
    const [a, b] = [await tenant.user(), await tenant.user()];
    for (const query of [{}, { platform_user_id: '' }] as Record<string, string>[]) {
      const list = done(await tenant.call<User[]>('GET', '/users', { query }));
      assert.deepEqual(
        list.map(({ id }) => id),
        [a.id, b.id],
      );
      assert.ok(list.every((user) => !('access_token' in user)));
    }
  });

  check(
    'listUsers',
    'IF 7 filtered by platform_user_id, reissues a valid access token',
    async (world) => {
      const user = await world.user();
      const query = { platform_user_id: user.record.platform_user_id };
      const [found, ...more] = done(await user.tenant.call<User[]>('GET', '/users', { query }));
      assert.deepEqual([found?.id, more], [user.id, []]);
      const as = ['User', found?.access_token ?? ''] as const;
      assert.equal(done(await user.call<User>('GET', '', { as })).id, user.id);
      done(await user.get('')); // the earlier token stays valid
    },
  );

  check('listUsers', '§4.5 an unknown platform_user_id returns an empty array', async (world) => {
    const [tenant, other] = [await world.platform(), await world.user()];
    for (const platform_user_id of [unique('nobody'), other.record.platform_user_id]) {
      const query = { platform_user_id };
      assert.deepEqual(done(await tenant.call('GET', '/users', { query })), []);
    }
  });

  check('getPlatformUser', 'IF 8 returns the user record', async (world) => {
    const user = await world.user();
    const record = done(await user.tenant.call<User>('GET', `/users/${user.id}`));
    assert.deepEqual(Object.keys(record).sort(), [
      'created_at',
      'id',
      'platform_id',
      'platform_user_id',
    ]);
    assert.match(record.created_at, timePattern);
  });

  for (const operation of ['getPlatformUser', 'platformUserInfo', 'platformUserImages'] as const) {
    const below = { getPlatformUser: '', platformUserInfo: '/info', platformUserImages: '/images' };
    check(operation, '§2.4 a user of another platform is user_not_found', async (world) => {
      const [user, stranger] = [await world.user(), await (await world.platform()).user()];
      for (const id of [stranger.id, nobody, 'no-uuid', '%00', 'a%20b']) {
        const answer = await user.tenant.call('GET', `/users/${id}${below[operation]}`);
        refused(answer, 400, 'user_not_found');
      }
    });
  }

  check('getUser', 'IF 11 returns the same record as for the platform', async (world) => {
    const user = await world.user();
    const seen = done(await user.tenant.call<User>('GET', `/users/${user.id}`));
    assert.deepEqual(done(await user.get<User>('')), seen);
  });

  check('platformUserImages', "IF 10 pages over the user's images", async (world) => {
    const user = await world.user();
    const images = [];
    for (const day of [1, 2, 3]) {
      images.push(await user.upload({ created_at: `2024020${day}_000000` }));
    }
    const query = { page: 2, page_size: 2 };
    const path = `/users/${user.id}/images`;
    const page = done(await user.tenant.call<NumberedPage<Image>>('GET', path, { query }));
    assert.deepEqual([page.count, page.total_count, page.total_pages], [1, 3, 2]);
    assert.deepEqual([page.page, page.page_size], [2, 2]);
    assert.deepEqual(page.items[0]?.id, images[0]?.id, 'newest first');
    near(
      page.total_filesize_mb,
      images.reduce((sum, image) => sum + image.filesize_mb, 0),
      5e-6,
    );
  });

  check('platformUserImages', 'IF 10 a user without images has none', async (world) => {
    const user = await world.user();
    const path = `/users/${user.id}/images`;
    const page = done(await user.tenant.call<NumberedPage<Image>>('GET', path));
    assert.deepEqual([page.items, page.total_count, page.total_pages], [[], 0, 0]);
    assert.equal(page.total_filesize_mb, 0);
  });

  check('platformUserImages', '§4.4 trashed images are included', async (world) => {
    const user = await world.user();
    const image = await user.trash(await user.upload());
    const path = `/users/${user.id}/images`;
    const page = done(await user.tenant.call<NumberedPage<Image>>('GET', path));
    assert.deepEqual([page.total_count, page.items[0]?.delete_at], [1, image.delete_at]);
  });

  check('platformUserImages', 'IF 10 with_history fills filedatas', async (world) => {
    const user = await world.user();
    await user.edit(await user.upload());
    const read = async (query: Record<string, string>) => {
      const path = `/users/${user.id}/images`;
      return done(await user.tenant.call<NumberedPage<Image>>('GET', path, { query })).items[0];
    };
    assert.equal((await read({}))?.filedatas, null);
    assert.equal((await read({ with_history: 'true' }))?.filedatas?.length, 1);
  });

  check('deleteUser', '§4.9 deletes everything and reports the counts', async (world) => {
    const user = await world.user();
    const folder = await user.folder('a');
    await user.folder('b', folder);
    await user.upload({ folder_id: folder.id });
    await user.trash(await user.upload());
    assert.deepEqual(done(await user.delete('')), {
      user_id: user.id,
      deleted_folders: 2,
      deleted_images: 2,
    });
    refused(await user.tenant.call('GET', `/users/${user.id}`), 400, 'user_not_found');
  });

  check('deleteUser', '§4.9 returns zeros for an empty user', async (world) => {
    const user = await world.user();
    const gone = { user_id: user.id, deleted_folders: 0, deleted_images: 0 };
    assert.deepEqual(done(await user.delete('')), gone);
    refused(await user.delete(''), 401, 'token_revoked');
  });

  check('deleteUser', "§3.5 revokes the user's tokens at once", async (world) => {
    const user = await world.user();
    done(await user.delete(''));
    refused(await user.get(''), 401, ['token_revoked', 'unauthorized']);
    const form = { refresh_token: user.record.refresh_token };
    const answer = await world.client.post('/api/v1/auth/refresh', { form });
    refused(answer, 401, ['token_revoked', 'unauthorized']);
  });

  check('deleteUser', '§4.9 frees the platform_user_id', async (world) => {
    const user = await world.user();
    done(await user.delete(''));
    const again = await user.tenant.user(user.record.platform_user_id);
    assert.notEqual(again.id, user.id);
    assert.equal(done(await again.get<{ image_count: number }>('/info')).image_count, 0);
  });
});
