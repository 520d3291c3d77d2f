import { asJson } from '../../core/api';
import type { components } from '../../core/api';
import type { Access } from '../library/access';

export type Link = components['schemas']['Link'];

/** What a new link opens, and how. */
export interface NewLink {
  readonly kind: Link['kind'];
  readonly folder_id?: string;
  readonly image_ids?: string[];
  readonly title?: string;
  readonly message?: string;
  readonly password?: string;
  /** `YYYYMMDD_HHMMSS`; by default, in 30 days. */
  readonly expires_at?: string;
  readonly allow_download: 'True' | 'False';
  readonly show_place: 'True' | 'False';
}

const all = '/api/v1/users/{user_id}/links';
const one = `${all}/{link_id}` as const;

/** @throws Problem. */
export const createLink = (access: Access, body: NewLink, key: string): Promise<Link> =>
  access.call((client) =>
    client.POST(all, {
      params: { path: { user_id: access.userId }, header: { 'Idempotency-Key': key } },
      body,
      ...asJson,
    }),
  );

/** A user has no more than so many. */
const maxLinks = 1_000;

/** All links, the newest first. @throws Problem. */
export async function readLinks(access: Access, signal: AbortSignal): Promise<readonly Link[]> {
  const params = { path: { user_id: access.userId }, query: { page_size: maxLinks } };
  const { items } = await access.call((client) => client.GET(all, { params, signal }));
  return items;
}

export const setPaused = (access: Access, link_id: string, paused: boolean): Promise<Link> =>
  access.call((client) =>
    client.PUT(one, {
      params: { path: { user_id: access.userId, link_id } },
      body: { state: paused ? 'paused' : 'active' },
    }),
  );

export const endLink = (access: Access, link_id: string): Promise<Link> =>
  access.call((client) =>
    client.DELETE(one, { params: { path: { user_id: access.userId, link_id } } }),
  );
