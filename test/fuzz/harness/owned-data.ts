import { randomBytes } from 'node:crypto';
import { eventually } from '../../../testkit/eventually.js';
import { done } from '../../../testkit/expect.js';
import { filePart, jpeg } from '../../../testkit/pictures.js';
import type { Image } from '../../../testkit/records.js';
import type { Member, Tenant } from '../../../testkit/world.js';
import type { Call, Caller } from '../../../testkit/client.js';

/** Ids of the records of a user, by the names of path parameters. */
export interface OwnedData {
  readonly platform: Tenant;
  readonly user: Member;
  readonly ids: Readonly<Record<string, string>>;
}

export const asUser = ({ user }: OwnedData): Caller => ['User', user.token];
export const asPlatform = ({ platform }: Pick<OwnedData, 'platform'>): Caller => [
  'Platform',
  platform.token,
];

/** Signs a user in on a device, where it stays signed in. @returns the id of the session. */
async function signedIn({ id, tenant }: Member): Promise<string> {
  const { client } = tenant;
  const users = `/api/v1/users/${id}`;
  const as = ['Platform', tenant.token] as const;
  const { url } = done(await client.post<{ url: string }>(`${users}/sign-in`, { as }));
  const form = { code: url.split('=').at(-1) ?? '', stay: 'True' };
  done(await client.post('/api/v1/auth/console', { form }));
  return done(await client.get<{ id: string }[]>(`${users}/sessions`, { as }))[0]?.id ?? '';
}

/**
 * A new user with a folder, an image that has an edit, a memo and a custom, an upload set, links of
 * both kinds, an archive, a ledger, a narrow token and a session, and a platform with a webhook, a narrow token, an
 * identity and a hold that has ended.
 */
export async function createOwnedData(platform: Tenant): Promise<OwnedData> {
  const user = await platform.user();
  const post = async <R>(path: string, form: NonNullable<Call['form']>) =>
    done(await user.post<R>(path, form));
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
    post<{ id: string; url: string }>('/links', {
      kind,
      folder_id: folder.id,
      allow_download: 'True',
    });
  const [view, request] = [await link('view'), await link('request')];
  const addressed = async (what: 'archive' | 'ledger'): Promise<string> => {
    const { url } = await post<{ url: string }>(`/images/${what}`, { image_ids: image.id });
    return new URL(url).pathname.split('/').at(-1) ?? '';
  };
  const token = { name: 'a reader', allow: 'read' };
  const { id: tokenId } = await post<{ id: string }>('/tokens', token);
  const sessionId = await signedIn(user);
  const secretOf = ({ url }: { url: string }): string => url.split('/').at(-1) ?? '';
  const ofPlatform = done(await platform.call<{ id: string }>('POST', '/tokens', { form: token }));
  // Of an event type that does not occur here, so that nothing is sent.
  const event = { url: 'https://example.com/hook', types: 'folder.restored' };
  const hook = done(await platform.call<{ id: string }>('POST', '/webhooks', { form: event }));
  const claim = { reason: 'a claim', image_ids: image.id };
  const hold = done(await platform.call<{ id: string }>('POST', '/holds', { form: claim }));
  done(await platform.call('DELETE', `/holds/${hold.id}`));
  const identity = { audience: 'imgstore', jwks_url: 'https://login.example.com/keys' };
  const form = { ...identity, issuer: `https://${platform.id}/` };
  done(await platform.call('PUT', '/identity', { form }));
  const { client } = platform;
  const [level, index] = ['0', '000.p/1'];
  await eventually('the log has the upload', async () => {
    const tile = `/log/${platform.id}/tile/${level}/${index}`;
    return (await client.raw('GET', tile, { as: asPlatform({ platform }) })).status === 200;
  });
  return {
    platform,
    user,
    ids: {
      platform_id: platform.id,
      user_id: user.id,
      folder_id: folder.id,
      image_id: image.id,
      memo_id: memos?.[0]?.id ?? '',
      custom_id: custom.id,
      upload_set_id: set.id,
      webhook_id: hook.id,
      hold_id: hold.id,
      link_id: view.id,
      archive_id: await addressed('archive'),
      ledger_id: await addressed('ledger'),
      token_id: tokenId,
      session_id: sessionId,
      platform_token_id: ofPlatform.id,
      secret: secretOf(view),
      request_secret: secretOf(request),
      level,
      index,
      z: '0',
      x: '0',
      y: '0',
    },
  };
}

/** Everything that the API returns about an estate, without values that change with each answer. */
export async function inventory({ platform, user, ids }: OwnedData): Promise<string> {
  const image = `/images/${ids.image_id}?with_custom=True&with_history=True`;
  const reported = await Promise.all([
    ...['', '/info', '/folders', '/images?with_memo=True', image].map((path) => user.get(path)),
    ...['', '/info', '/users'].map((path) => platform.call('GET', path)),
    platform.statistics('/total'),
  ]);
  const fresh = /^(path_url|org_path_url|thumb_url|full_url|access_token)$/;
  return JSON.stringify(
    reported.map(({ status, result }) => ({ status, result })),
    (name, value: unknown) => (fresh.test(name) ? undefined : value),
  );
}
