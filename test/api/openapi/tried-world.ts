import type { Call } from '../../../testkit/client.js';
import type { CreatedPlatform, CreatedUser } from '../../../testkit/records.js';
import type { TestService } from '../../../testkit/service.js';
import { sha256 } from '../../../testkit/fetch.js';
import { logged } from '../../../testkit/custody.js';
import { filePart, jpeg } from '../../../testkit/pictures.js';

type Scheme = 'Admin' | 'Platform' | 'User';

/** Tokens and one record of each type, for ids that the examples of a document only name. */
export interface TriedWorld {
  readonly tokens: Record<Scheme, string>;
  /** The tokens of a user who stays signed in. */
  readonly session: { readonly access_token?: string; readonly refresh_token?: string };
  /** Ids by the names of fields and path parameters. */
  readonly ids: ReadonlyMap<string, string | Blob>;
}

const bytes = await jpeg({ width: 64, height: 48 });
const picture = filePart(bytes);
const hash = sha256(bytes);
const otherBytes = await jpeg({ width: 48, height: 64 });

/** A new platform and user with one of everything. */
export async function triedWorld(service: TestService): Promise<TriedWorld> {
  const admin = await service.adminToken();
  const make = async <R>(scheme: Scheme, token: string, path: string, form: Call['form']) =>
    (await service.client.post<R>(path, { as: [scheme, token], ...(form && { form }) })).result;
  const platform = await make<CreatedPlatform>('Admin', admin, '/api/v1/platforms', undefined);
  const users = `/api/v1/platforms/${platform.id}/users`;
  const name = { platform_user_id: 'someone' };
  const user = await make<CreatedUser>('Platform', platform.access_token, users, name);
  const one = async (path: string, form: Call['form']): Promise<string> => {
    const base = `/api/v1/users/${user.user_id}`;
    return (await make<{ id: string }>('User', user.access_token, `${base}${path}`, form)).id;
  };
  const image = await one('/images', { image_data: picture });
  const { memos } = await make<{ memos: { id: string }[] }>(
    'User',
    user.access_token,
    `/api/v1/users/${user.user_id}/images/${image}/memos`,
    { message: 'a memo', is_client: 'False' },
  );
  const uploads = `/api/v1/users/${user.user_id}/uploads`;
  const begun = await service.client.raw('POST', uploads, {
    as: ['User', user.access_token],
    headers: { 'tus-resumable': '1.0.0', 'upload-length': '94514' },
  });
  const upload = begun.headers.get('location')?.split('/').at(-1) ?? '';
  const hooks = `/api/v1/platforms/${platform.id}/webhooks`;
  const hook = { url: 'https://example.com/hook' };
  const webhook = await make<{ id: string }>('Platform', platform.access_token, hooks, hook);
  const trashed = await one('/images', { image_data: filePart(otherBytes) });
  const trash = { as: ['User', user.access_token], form: { delete: 'True' } } as const;
  await service.client.put(`/api/v1/users/${user.user_id}/images/${trashed}`, trash);
  const folder = await one('/folders', { title: 'a folder' });
  const link = (kind: string) =>
    make<{ id: string; url: string }>(
      'User',
      user.access_token,
      `/api/v1/users/${user.user_id}/links`,
      { kind, folder_id: folder, ...(kind === 'view' && { allow_download: 'True' }) },
    );
  const holds = `/api/v1/platforms/${platform.id}/holds`;
  const keeping = { reason: 'a claim', image_ids: image };
  const hold = await make<{ id: string }>('Platform', platform.access_token, holds, keeping);
  await service.client.delete(`${holds}/${hold.id}`, { as: ['Platform', platform.access_token] });
  const identity = {
    jwks_url: 'https://login.example.com/keys',
    issuer: `https://${platform.id}/`,
  };
  await service.client.put(`/api/v1/platforms/${platform.id}/identity`, {
    as: ['Platform', platform.access_token],
    form: { ...identity, audience: 'imgstore' },
  });
  const [view, request] = [await link('view'), await link('request')];
  const begunByVisitor = await service.client.raw(
    'POST',
    `${new URL(request.url).pathname}/uploads`,
    {
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '94514' },
    },
  );
  const linkArchive = await service.client.post<{ url: string }>(
    `${new URL(view.url).pathname}/archive`,
  );
  const addressed = async (what: 'archive' | 'ledger'): Promise<string> => {
    const path = `/api/v1/users/${user.user_id}/images/${what}`;
    const { url } = await make<{ url: string }>('User', user.access_token, path, {});
    return new URL(url).pathname.split('/').at(-1) ?? '';
  };
  const ofPlatform = `/api/v1/platforms/${platform.id}`;
  const narrow = async (scheme: Scheme, token: string, base: string): Promise<string> => {
    const wanted = { name: 'narrow', allow: 'read' };
    return (await make<{ id: string }>(scheme, token, `${base}/tokens`, wanted)).id;
  };
  const { consoleSignIn, sessions } = service.service.tenants;
  const { code } = await consoleSignIn.makeUserCode(platform.id, user.user_id);
  const session = await consoleSignIn.exchange(code, { stays: true });
  const [{ id: sessionId } = { id: '' }] = await sessions.ofUser(platform.id, user.user_id);
  await logged(service.db);
  const secretOf = ({ url }: { url: string }): string => url.split('/').at(-1) ?? '';
  return {
    tokens: { Admin: admin, Platform: platform.access_token, User: user.access_token },
    session,
    ids: new Map<string, string | Blob>([
      ['platform_id', platform.id],
      ['user_id', user.user_id],
      ['folder_id', folder],
      ['archive_id', await addressed('archive')],
      ['ledger_id', await addressed('ledger')],
      ['address', new URL(linkArchive.result.url).searchParams.get('address') ?? ''],
      ['link_id', view.id],
      ['secret', secretOf(view)],
      ['request_secret', secretOf(request)],
      ['parent_id', await one('/folders', { title: 'another folder' })],
      ['image_id', image],
      ['trashed_image_id', trashed],
      ['image_ids', image],
      ['memo_id', memos[0]?.id ?? ''],
      ['custom_id', await one(`/images/${image}/customs`, { key: 'a', value: 'b' })],
      ['webhook_id', webhook.id],
      ['hold_id', hold.id],
      ['level', '0'],
      ['index', '000.p/1'],
      ['token_id', await narrow('User', user.access_token, `/api/v1/users/${user.user_id}`)],
      ['platform_token_id', await narrow('Platform', platform.access_token, ofPlatform)],
      ['session_id', sessionId],
      ['allow', 'read'],
      ...Object.entries(identity),
      ['upload_id', upload],
      ['request_upload_id', begunByVisitor.headers.get('location')?.split('/').at(-1) ?? ''],
      ['refresh_token', user.refresh_token],
      ['code', await consoleSignIn.makeCode()],
      ['image_data', picture],
      ['image_hash', hash],
      ...(['z', 'x', 'y'] as const).map((name) => [name, '0'] as const),
      ['upload_set_id', await one('/upload-sets', { hashes: hash })],
    ]),
  };
}
