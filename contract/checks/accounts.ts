import assert from 'node:assert/strict';
import { done, hasFields, near, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Member } from '../../testkit/world.js';
import { picture } from '../../testkit/world.js';

interface UserInfo {
  readonly id?: string;
  readonly image_count: number;
  readonly max_storage_mb: number;
  readonly used_storage_mb: number;
  readonly trash_image_count: number;
}

const info = async (user: Member) => done(await user.get<UserInfo>('/info'));

/** Leaves the user exactly this much storage quota in bytes. */
async function limit(user: Member, bytes: number): Promise<void> {
  done(await user.put('', { max_storage_mb: String(bytes / 1048576) }));
}

export const accounts = area('accounts', (check) => {
  check('userInfo', '§4.6 a user without images gets zeros', async (world) => {
    const record = await info(await world.user());
    assert.deepEqual(
      [record.image_count, record.used_storage_mb, record.trash_image_count],
      [0, 0, 0],
    );
    assert.ok(record.max_storage_mb > 0);
  });

  check('userInfo', '§4.6 counts images, trash and storage', async (world) => {
    const user = await world.user();
    const kept = await user.upload();
    const edited = await user.edit(kept);
    const gone = await user.trash(await user.upload());
    const record = await info(user);
    assert.deepEqual([record.image_count, record.trash_image_count], [1, 1]);
    near(record.used_storage_mb, kept.filesize_mb + edited.filesize_mb + gone.filesize_mb);
  });

  check(
    'platformUserInfo',
    '§4.6 returns what the user sees; zeros without images',
    async (world) => {
      const user = await world.user();
      const read = async () =>
        done(await user.tenant.call<UserInfo>('GET', `/users/${user.id}/info`));
      assert.equal((await read()).image_count, 0);
      await user.upload();
      assert.deepEqual(await read(), await info(user));
    },
  );

  check(
    'updateUser',
    '§4.7 max_storage_mb accepts fractions and returns info and id',
    async (world) => {
      const user = await world.user();
      const answer = done(await user.put<UserInfo>('', { max_storage_mb: '12.5' }));
      assert.equal(answer.id, user.id);
      assert.equal(answer.max_storage_mb, 12.5);
      hasFields(answer, ['image_count', 'used_storage_mb', 'trash_image_count']);
      assert.equal((await info(user)).max_storage_mb, 12.5);
    },
  );

  check('updateUser', '§1.2 max_storage_mb is accepted in every type of body', async (world) => {
    const user = await world.user();
    for (const [call, megabytes] of [
      [{ form: { max_storage_mb: '512' } }, 512],
      [{ urlencoded: { max_storage_mb: '0.5' } }, 0.5],
      [{ json: { max_storage_mb: '200' } }, 200],
      [{ json: { max_storage_mb: 1.25 } }, 1.25],
      [{ query: { max_storage_mb: '3' } }, 3],
    ] as const) {
      const answer = done(await user.call<UserInfo>('PUT', '', call));
      assert.deepEqual(answer, { id: user.id, ...(await info(user)) });
      assert.equal(answer.max_storage_mb, megabytes);
    }
  });

  check(
    'updateUser',
    '§4.7 a quota below the stored size deletes nothing but refuses uploads',
    async (world) => {
      const user = await world.user();
      const image = await user.upload();
      await limit(user, 1000);
      assert.equal((await info(user)).image_count, 1);
      refused(await user.tryUpload(), 400, 'storage_quota_exceeded');
      assert.equal((await user.image(image.id)).id, image.id);
      await limit(user, 1_000_000);
      await user.upload();
    },
  );

  check('updateUser', 'IF 13 without max_storage_mb nothing changes', async (world) => {
    const user = await world.user();
    const before = (await info(user)).max_storage_mb;
    assert.equal(done(await user.put<UserInfo>('')).max_storage_mb, before);
  });

  for (const value of ['0', '0.0', '-1', '', ' ', 'much', 'NaN', 'Infinity', '1e400', '0x10']) {
    check('updateUser', `§4.7 max_storage_mb "${value}" is refused`, async (world) => {
      const answer = await (await world.user()).put('', { max_storage_mb: value });
      refused(answer, 400, 'invalid_field', 'max_storage_mb');
    });
  }

  check(
    'uploadImage',
    '§4.8 an upload that exceeds the quota is rejected and not stored',
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

  check('uploadImage', '§4.8 the quota is exact under concurrent uploads', async (world) => {
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

  check('addFiledata', '§4.8 edits and the trash count toward the quota', async (world) => {
    const user = await world.user();
    const bytes = await picture();
    const image = await user.upload({}, bytes);
    await user.trash(await user.upload({}, bytes));
    await limit(user, bytes.length * 3);
    await user.edit(image, bytes);
    refused(await user.tryUpload({}, bytes), 400, 'storage_quota_exceeded');
  });

  check('uploadImage', '§4.8 the trash counts until it is permanently deleted', async (world) => {
    const user = await world.user();
    const bytes = await picture();
    const folder = await user.folder('a');
    await user.trash(await user.upload({ folder_id: folder.id }, bytes));
    await limit(user, bytes.length * 2 - 1);
    refused(await user.tryUpload({}, bytes), 400, 'storage_quota_exceeded');
    done(await user.delete(`/folders/${folder.id}`));
    await user.upload({}, bytes);
  });

  check('uploadImage', '§4.8 a full quota does not affect other users', async (world) => {
    const [full, other] = [await world.user(), await world.user()];
    await limit(full, 10);
    refused(await full.tryUpload(), 400, 'storage_quota_exceeded');
    await other.upload();
  });
});
