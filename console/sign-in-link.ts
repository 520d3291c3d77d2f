import { createImgstoreClient } from '../clients/typescript/src/index.js';
import { problemOf } from './core/problem';
import { unanswered } from './core/reach';
import { sessionOf } from './core/session';
import type { Session } from './core/session';

/** The code of a link by `imgstore console`, which is removed from the URL at once. */
export function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? undefined;
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/** @throws Problem. */
export async function exchange(code: string): Promise<Session> {
  const client = createImgstoreClient({ baseUrl: location.origin, scheme: 'Admin', token: '' });
  const { data, error, response } = await client
    .POST('/api/v1/auth/console', { body: { code } })
    .catch(() => {
      throw unanswered();
    });
  const next = data && sessionOf(data.result.access_token);
  if (!next) throw problemOf(response.status, error);
  return next;
}
