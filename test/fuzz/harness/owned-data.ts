import { randomBytes } from 'node:crypto';
import { filePart, jpeg } from '../../../testkit/pictures.js';
import type { Answer, Call } from '../../../testkit/client.js';
import type { CreatedPlatform, CreatedUser, Image } from '../../../testkit/records.js';
import type { Caller, Target } from '../../../testkit/target.js';

/** Ids of the records of a user, by the names of path parameters. */
export interface OwnedData {
  readonly platform: CreatedPlatform;
  readonly user: CreatedUser;
  readonly ids: Readonly<Record<string, string>>;
}

export const asUser = ({ user }: OwnedData): Caller => ['User', user.access_token];
export const asPlatform = ({ platform }: Pick<OwnedData, 'platform'>): Caller => [
  'Platform',
  platform.access_token,
];

const ok = async <R>(answer: Promise<Answer<R>>): Promise<R> => {
  const { status, message, result } = await answer;
  if (status !== 200) throw new Error(`cannot furnish an estate: ${status} ${message}`);
  return result;
};

/**
 * A new user with a folder, an image that has an edit, a memo and a custom, an upload set, links of
 * both kinds, an archive and a narrow token, and a platform with a webhook, a narrow token and a hold
 * that has ended.
 */
export async function createOwnedData(
  target: Target,
  platform: CreatedPlatform,
): Promise<OwnedData> {
  const user = await target.user(platform);
  const path = `/api/v1/users/${user.user_id}`;
  const post = <R>(end: string, form: NonNullable<Call['form']>) =>
    ok(target.client.post<R>(`${path}${end}`, { as: ['User', user.access_token], form }));
  const picture = filePart(await jpeg({ width: 48, height: 40, seed: Date.now() % 1000 }));
  const folder = await post<{ id: string }>('/folders', { title: 'holidays' });
  const image = await post<Image>('/images', {
    image_data: picture,
    folder_id: folder.id,
    latitude: '37.5',
    longitude: '127',
    address_road: 'Main Street 1',
  });
  const images = `/images/${image.id}`;
  await post(`${images}/filedata`, { image_data: picture });
  const memo = { message: 'a memo', is_client: 'True' };
  const { memos } = await post<Image>(`${images}/memos`, memo);
  const custom = await post<{ id: string }>(`${images}/customs`, { key: 'k', value: 'v' });
  const hashes = randomBytes(32).toString('hex');
  const set = await post<{ id: string }>('/upload-sets', { hashes });
  const link = (kind: string) =>
    post<{ id: string; url: string }>('/links', { kind, folder_id: folder.id });
  const [view, request] = [await link('view'), await link('request')];
  const archive = await post<{ url: string }>('/images/archive', { image_ids: image.id });
  const token = { name: 'a reader', allow: 'read' };
  const { id: tokenId } = await post<{ id: string }>('/tokens', token);
  const secretOf = ({ url }: { url: string }): string => url.split('/').at(-1) ?? '';
  const asItself = { as: asPlatform({ platform }) };
  const ofPlatform = await ok(
    target.client.post<{ id: string }>(`/api/v1/platforms/${platform.id}/tokens`, {
      ...asItself,
      form: token,
    }),
  );
  // Of an event type that does not occur here, so that nothing is sent.
  const hook = await ok(
    target.client.post<{ id: string }>(`/api/v1/platforms/${platform.id}/webhooks`, {
      ...asItself,
      form: { url: 'https://example.com/hook', types: 'folder.restored' },
    }),
  );
  const holds = `/api/v1/platforms/${platform.id}/holds`;
  const hold = await ok(
    target.client.post<{ id: string }>(holds, {
      ...asItself,
      form: { reason: 'a claim', image_ids: image.id },
    }),
  );
  await ok(target.client.delete(`${holds}/${hold.id}`, asItself));
  return {
    platform,
    user,
    ids: {
      platform_id: platform.id,
      user_id: user.user_id,
      folder_id: folder.id,
      image_id: image.id,
      memo_id: memos?.[0]?.id ?? '',
      custom_id: custom.id,
      upload_set_id: set.id,
      webhook_id: hook.id,
      hold_id: hold.id,
      link_id: view.id,
      archive_id: new URL(archive.url).pathname.split('/').at(-1) ?? '',
      token_id: tokenId,
      platform_token_id: ofPlatform.id,
      secret: secretOf(view),
      request_secret: secretOf(request),
      z: '0',
      x: '0',
      y: '0',
    },
  };
}

/** Everything that the API returns about an estate, without values that change with each answer. */
export async function inventory(target: Target, owned: OwnedData): Promise<string> {
  const { platform_id: platform, user_id: user, image_id: image } = owned.ids;
  const users = `/api/v1/users/${user}`;
  const reported = await Promise.all([
    ...[users, `${users}/info`, `${users}/folders`, `${users}/images?with_memo=True`].map((path) =>
      target.client.get(path, { as: asUser(owned) }),
    ),
    target.client.get(`${users}/images/${image}?with_custom=True&with_history=True`, {
      as: asUser(owned),
    }),
    ...[`v1/platforms/${platform}`, `v1/platforms/${platform}/info`].map((path) =>
      target.client.get(`/api/${path}`, { as: asPlatform(owned) }),
    ),
    target.client.get(`/api/v1/platforms/${platform}/users`, { as: asPlatform(owned) }),
    target.client.get(`/api/v2/platforms/${platform}/stats/total`, { as: asPlatform(owned) }),
  ]);
  const fresh = /^(path_url|org_path_url|thumb_url|full_url|access_token)$/;
  return JSON.stringify(
    reported.map(({ status, result }) => ({ status, result })),
    (name, value: unknown) => (fresh.test(name) ? undefined : value),
  );
}
