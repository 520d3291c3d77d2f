import assert from 'node:assert/strict';
import { done, hasFields, near, nobody, refused, timePattern, uuidV7 } from '../expect.js';
import { area } from '../harness.js';
import type { Image, NewUser, NumberedPage, User } from '../records.js';
import type { Member } from '../world.js';
import { picture, unique } from '../world.js';

interface UserInfo {
  readonly id?: string;
  readonly image_count: number;
  readonly max_storage_mb: number;
  readonly used_storage_mb: number;
  readonly trash_image_count: number;
}

const info = async (user: Member) => done(await user.get<UserInfo>('/info'));

/** Leaves the user exactly this many bytes of storage in all. */
async function limit(user: Member, bytes: number): Promise<void> {
  done(await user.put('', { max_storage_mb: String(bytes / 1048576) }));
}

export const users = area('users', (check) => {
  check('createUser', 'IF 6 answers ids and tokens', async (world) => {
    const tenant = await world.platform();
    const name = unique('user');
    const form = { platform_user_id: name };
    const user = done(await tenant.call<NewUser>('POST', '/users', { form }));
    assert.match(user.user_id, uuidV7);
    assert.deepEqual([user.platform_id, user.platform_user_id], [tenant.id, name]);
    assert.equal(user.token_type, 'bearer');
    hasFields(user, ['access_token', 'refresh_token']);
  });

  check('createUser', 'IF 6 platform_user_id is required', async (world) => {
    const tenant = await world.platform();
    refused(await tenant.call('POST', '/users'), 400, 'missing_field', 'platform_user_id');
  });

  check('createUser', '§4 the same platform_user_id twice is user_exists', async (world) => {
    const user = await world.user();
    const form = { platform_user_id: user.record.platform_user_id };
    refused(await user.tenant.call('POST', '/users', { form }), 400, 'user_exists');
    const elsewhere = await world.platform();
    done(await elsewhere.call('POST', '/users', { form }));
  });

  check('listUsers', 'IF 7 lists all users, without tokens', async (world) => {
    const tenant = await world.platform();
    const [a, b] = [await tenant.user(), await tenant.user()];
    const list = done(await tenant.call<User[]>('GET', '/users'));
    assert.deepEqual(list.map(({ id }) => id).sort(), [a.id, b.id].sort());
    assert.ok(list.every((user) => !('access_token' in user)));
  });

  check('listUsers', 'IF 7 filtered, it re-issues an access token that works', async (world) => {
    const user = await world.user();
    const query = { platform_user_id: user.record.platform_user_id };
    const [found, ...more] = done(await user.tenant.call<User[]>('GET', '/users', { query }));
    assert.deepEqual([found?.id, more], [user.id, []]);
    const as = ['User', found?.access_token ?? ''] as const;
    assert.equal(done(await user.call<User>('GET', '', { as })).id, user.id);
  });

  check('listUsers', '§4 an unknown platform_user_id gives an empty array', async (world) => {
    const tenant = await world.platform();
    const query = { platform_user_id: unique('nobody') };
    assert.deepEqual(done(await tenant.call('GET', '/users', { query })), []);
  });

  check('getPlatformUser', 'IF 8 answers the user record', async (world) => {
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
    check(operation, '§2 a user of another platform is user_not_found', async (world) => {
      const [user, stranger] = [await world.user(), await (await world.platform()).user()];
      for (const id of [stranger.id, nobody, 'no-uuid']) {
        const answer = await user.tenant.call('GET', `/users/${id}${below[operation]}`);
        refused(answer, 400, 'user_not_found');
      }
    });
  }

  check('getUser', 'IF 11 answers the record that the platform sees', async (world) => {
    const user = await world.user();
    const seen = done(await user.tenant.call<User>('GET', `/users/${user.id}`));
    assert.deepEqual(done(await user.get<User>('')), seen);
  });

  check('userInfo', '§4 a user without images gets zeros', async (world) => {
    const facts = await info(await world.user());
    assert.deepEqual(
      [facts.image_count, facts.used_storage_mb, facts.trash_image_count],
      [0, 0, 0],
    );
    assert.ok(facts.max_storage_mb > 0);
  });

  check('userInfo', '§4 counts images, trash and storage', async (world) => {
    const user = await world.user();
    const kept = await user.upload();
    const edited = await user.edit(kept);
    const gone = await user.trash(await user.upload());
    const facts = await info(user);
    assert.deepEqual([facts.image_count, facts.trash_image_count], [1, 1]);
    near(facts.used_storage_mb, kept.filesize_mb + edited.filesize_mb + gone.filesize_mb);
  });

  check(
    'platformUserInfo',
    '§4 answers what the user sees; zeros without images',
    async (world) => {
      const user = await world.user();
      const read = async () =>
        done(await user.tenant.call<UserInfo>('GET', `/users/${user.id}/info`));
      assert.equal((await read()).image_count, 0);
      await user.upload();
      assert.deepEqual(await read(), await info(user));
    },
  );

  check('platformUserImages', 'IF 10 pages over the images of the user', async (world) => {
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

  check(
    'updateUser',
    '§4 max_storage_mb takes fractions and answers info and id',
    async (world) => {
      const user = await world.user();
      const answer = done(await user.put<UserInfo>('', { max_storage_mb: '12.5' }));
      assert.equal(answer.id, user.id);
      assert.equal(answer.max_storage_mb, 12.5);
      hasFields(answer, ['image_count', 'used_storage_mb', 'trash_image_count']);
      assert.equal((await info(user)).max_storage_mb, 12.5);
    },
  );

  check('updateUser', 'IF 13 without max_storage_mb nothing changes', async (world) => {
    const user = await world.user();
    const before = (await info(user)).max_storage_mb;
    assert.equal(done(await user.put<UserInfo>('')).max_storage_mb, before);
  });

  for (const value of ['0', '-1', 'much', 'NaN', '1e400']) {
    check('updateUser', `§4 max_storage_mb ${value} is refused`, async (world) => {
      const answer = await (await world.user()).put('', { max_storage_mb: value });
      refused(answer, 400, 'invalid_field', 'max_storage_mb');
    });
  }

  check(
    'uploadImage',
    '§4 the quota refuses what does not fit, and keeps nothing',
    async (world) => {
      const user = await world.user();
      const bytes = await picture();
      await limit(user, bytes.length - 1);
      refused(await user.tryUpload({}, bytes), 400, 'storage_quota_exceeded');
      assert.equal((await info(user)).used_storage_mb, 0);
      await limit(user, bytes.length);
      await user.upload({}, bytes);
    },
  );

  check('uploadImage', '§4 the quota is exact under concurrent uploads', async (world) => {
    const user = await world.user();
    const bytes = await picture();
    await limit(user, bytes.length * 3);
    const answers = await Promise.all(Array.from({ length: 8 }, () => user.tryUpload({}, bytes)));
    const stored = answers.filter(({ status }) => status === 200);
    assert.equal(stored.length, 3);
    for (const answer of answers.filter((one) => !stored.includes(one))) {
      refused(answer, 400, 'storage_quota_exceeded');
    }
  });

  check('addFiledata', '§4 edits and the trash count towards the quota', async (world) => {
    const user = await world.user();
    const bytes = await picture();
    const image = await user.upload({}, bytes);
    await user.trash(await user.upload({}, bytes));
    await limit(user, bytes.length * 3);
    await user.edit(image, bytes);
    refused(await user.tryUpload({}, bytes), 400, 'storage_quota_exceeded');
  });

  check('deleteUser', '§4 removes everything and tells how much', async (world) => {
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

  check('deleteUser', '§3.5 ends the tokens of the user at once', async (world) => {
    const user = await world.user();
    done(await user.delete(''));
    refused(await user.get(''), 401, ['token_revoked', 'unauthorized']);
    const form = { refresh_token: user.record.refresh_token };
    const answer = await world.client.post('/api/v1/auth/refresh', { form });
    refused(answer, 401, ['token_revoked', 'unauthorized']);
  });

  check('deleteUser', '§4 frees the platform_user_id', async (world) => {
    const user = await world.user();
    done(await user.delete(''));
    const again = await user.tenant.user(user.record.platform_user_id);
    assert.notEqual(again.id, user.id);
    assert.equal((await info(again)).image_count, 0);
  });
});
