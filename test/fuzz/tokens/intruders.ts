import type { DocumentedOperation, Scheme } from '../harness/document.js';
import type { Appliance } from '../../../testkit/appliance.js';
import type { TokenCast } from './cast.js';
import { forgeries } from './forgeries.js';

/** A way to request foreign records, and the expected answer. */
export interface Intruder {
  readonly name: string;
  /** Value of the Authorization header; undefined to send none. */
  readonly header: string | undefined;
  /** Query to append to the path. */
  readonly query?: string;
  readonly cookie?: string;
  readonly status: 401 | 403;
  readonly code?: string;
  /** Not a complete token: refused before permissions are checked. */
  readonly forged?: true;
}

const words = ['Admin', 'Platform', 'User', 'Basic', 'Users', ''];

/** Everybody who must be refused where the victim's token of the first scheme is accepted. */
export function* intruders(
  { scheme, otherSchemes }: DocumentedOperation & { readonly scheme: Scheme },
  target: Appliance,
  cast: TokenCast,
): Generator<Intruder> {
  const { victim, sibling, stranger, gone, revoked } = cast;
  const right = {
    Admin: target.world.adminToken,
    Platform: victim.platform.token,
    User: victim.user.token,
  };
  const own = right[scheme];
  const unauthorized = { status: 401, code: 'unauthorized' } as const;
  const malformed = { ...unauthorized, forged: true } as const;
  const forbidden = { status: 403, code: 'forbidden' } as const;
  const under = (token: string): string => `${scheme} ${token}`;

  yield { name: 'nobody', header: undefined, ...unauthorized };
  yield { name: 'an empty header', header: '', ...malformed };
  yield { name: 'the word alone', header: scheme, ...malformed };
  yield {
    name: 'the token in the query',
    header: undefined,
    query: `access_token=${own}`,
    ...malformed,
  };
  yield {
    name: 'the token in a cookie',
    header: undefined,
    cookie: `access_token=${own}`,
    ...malformed,
  };
  yield { name: 'two tokens', header: `${under(own)} ${own}`, ...malformed };
  yield {
    name: 'two tokens with a comma',
    header: `${under('x')}, ${under(own)}`,
    ...malformed,
  };
  yield {
    name: 'expired',
    header: under(cast.expired[scheme]),
    status: 401,
    code: 'token_expired',
  };
  for (const word of words.filter((word) => word !== scheme)) {
    yield {
      name: `the right token under ${word || 'no word'}`,
      header: `${word} ${own}`,
      ...malformed,
    };
  }
  for (const [whose, token] of Object.entries(right) as [Scheme, string][]) {
    if (whose === scheme) continue;
    yield { name: `a token of a ${whose}`, header: under(token), ...unauthorized };
    if (otherSchemes.includes(whose)) continue;
    yield { name: `the same as Bearer`, header: `Bearer ${token}`, ...unauthorized };
  }
  for (const [how, token] of Object.entries(forgeries(own))) {
    yield { name: how, header: under(token), ...malformed };
  }
  if (scheme === 'Admin') return;
  const side = scheme === 'User' ? 'user' : 'platform';
  yield {
    name: 'the refresh token',
    header: under(victim[side].record.refresh_token),
    ...unauthorized,
  };
  yield { name: `another ${scheme}`, header: under(stranger[side].token), ...forbidden };
  yield {
    name: 'a revoked token',
    header: under(revoked[side].token),
    status: 401,
    code: 'token_revoked',
  };
  if (scheme === 'Platform') return;
  yield { name: 'a sibling', header: under(sibling.user.token), ...forbidden };
  yield {
    name: 'a deleted user',
    header: under(gone.user.token),
    status: 401,
    code: 'token_revoked',
  };
}
