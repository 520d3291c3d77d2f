import assert from 'node:assert/strict';
import { createImgstoreClient } from '../../clients/typescript/src/index.js';
import { filePart } from '../../testkit/pictures.js';
import { area } from '../harness.js';
import { picture, unique } from '../../testkit/world.js';
import type { World } from '../../testkit/world.js';

type Answered<Data> = { readonly data?: Data | undefined; readonly error?: unknown };

/** The result of a response that must be a success. */
function resultOf<Result>({ data, error }: Answered<{ result: Result }>): Result {
  assert.ok(data, JSON.stringify(error));
  return data.result;
}

const clientOf = (world: World, scheme: 'Admin' | 'Platform' | 'User', token: string) =>
  createImgstoreClient({ baseUrl: world.client.base.replace(/\/$/, ''), scheme, token });

/** A record with its tokens, which only narrow tokens do not get. */
function withToken<R extends { access_token: string | null; refresh_token: string | null }>(
  record: R,
) {
  const { access_token, refresh_token } = record;
  assert.ok(access_token !== null && refresh_token !== null);
  return { ...record, access_token, refresh_token };
}

export const journey = area('journey of the typed client', (check) => {
  check(
    'createPlatform',
    'IF Authentication 3 platform → user → folder → upload → edit → share → statistics',
    async (world) => {
      const admin = clientOf(world, 'Admin', world.adminToken);
      const named = { body: { platform: unique('journey') } };
      const made = withToken(resultOf(await admin.POST('/api/v1/platforms', named)));
      world.client.created.add(made);
      const platform = clientOf(world, 'Platform', made.access_token);
      const ofPlatform = { platform_id: made.id };
      const user = withToken(
        resultOf(
          await platform.POST('/api/v1/platforms/{platform_id}/users', {
            params: { path: ofPlatform },
            body: { platform_user_id: unique('traveller') },
          }),
        ),
      );
      world.client.created.add(user);
      const client = clientOf(world, 'User', user.access_token);
      const ofUser = { user_id: user.user_id };
      const folder = resultOf(
        await client.POST('/api/v1/users/{user_id}/folders', {
          params: { path: ofUser },
          body: { title: '여행' },
        }),
      );
      const image = resultOf(
        await client.POST('/api/v1/users/{user_id}/images', {
          params: { path: ofUser },
          body: {
            image_data: filePart(await picture()),
            folder_id: folder.id,
            latitude: 37.5,
            longitude: 127,
            upload_type: 'camera',
          },
        }),
      );
      assert.deepEqual([image.folder_id, image.lat], [folder.id, 37.5]);
      const edited = resultOf(
        await client.POST('/api/v1/users/{user_id}/images/{image_id}/filedata', {
          params: { path: { ...ofUser, image_id: image.id } },
          body: { image_data: filePart(await picture()) },
        }),
      );
      assert.equal(edited.filedatas?.length, 1);
      const shared = resultOf(
        await client.POST('/api/v1/users/{user_id}/images/share', {
          params: { path: ofUser },
          body: { image_ids: [image.id] },
        }),
      );
      assert.deepEqual(
        shared.map(({ id, is_shared }) => [id, is_shared]),
        [[image.id, true]],
      );
      const stats = resultOf(
        await platform.GET('/api/v2/platforms/{platform_id}/stats/total', {
          params: { path: ofPlatform },
        }),
      );
      assert.deepEqual([stats.upload_camera, stats.edit_count, stats.total_images], [1, 1, 1]);
    },
  );

  check('getUser', '§2.1 errors are typed as well', async (world) => {
    const { record } = await world.user();
    const client = clientOf(world, 'User', 'no token');
    const { error, response } = await client.GET('/api/v1/users/{user_id}', {
      params: { path: { user_id: record.user_id } },
    });
    assert.deepEqual([response.status, error?.error.code], [401, 'unauthorized']);
  });
});
