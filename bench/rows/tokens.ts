import { Issuer, seconds } from '../../testkit/issuer.js';
import type { BenchService, BenchUser } from '../harness/bench-service.js';
import type { Row } from '../harness/row.js';
import { requestsPerSecond } from '../harness/wrk.js';

const load = { connections: 8, seconds: 3 };

/** A small request, of which the token is a large part: the user's record. */
const recordOf = ({ url }: BenchUser): string => url.replace(/\/images$/, '');

type Headers = BenchUser['headers'];

async function send<Result>(
  method: string,
  url: string,
  headers: Headers,
  form?: Readonly<Record<string, string>>,
): Promise<Result> {
  const answer = await fetch(url, {
    method,
    headers,
    ...(form && { body: new URLSearchParams(form) }),
  });
  if (!answer.ok) throw new Error(`${answer.status} at ${url}: ${await answer.text()}`);
  return ((await answer.json()) as { readonly result: Result }).result;
}

async function narrowToken(_service: BenchService, user: BenchUser): Promise<Headers> {
  const url = `${recordOf(user)}/tokens`;
  const form = { name: 'bench', allow: 'read' };
  const made = await send<{ id: string; access_token: string }>('POST', url, user.headers, form);
  return { Authorization: `User ${made.access_token}` };
}

/** A token of an identity provider of the user's platform, whose key the service is given. */
async function foreignToken(service: BenchService, user: BenchUser): Promise<Headers> {
  const { platform_user_id: name } = await send<{ platform_user_id: string }>(
    'GET',
    recordOf(user),
    user.headers,
  );
  const { platformId } = user;
  const issuer = await Issuer.of('https://bench.example');
  const as = await service.asPlatform(platformId);
  const form = { issuer: issuer.name, audience: 'imgstore', jwks: issuer.jwks };
  await send('PUT', `${service.url}/api/v1/platforms/${platformId}/identity`, as, form);
  return { Authorization: `User ${await issuer.sign(name, { exp: seconds() + 3_600 })}` };
}

/** Requests with tokens that may do less, and with those of a platform's own provider. */
export const tokenRows = (): Row[] => [
  row('narrow', 'A small request with a narrow token', narrowToken),
  row('foreign', "A small request with a token of the platform's provider", foreignToken),
];

const row = (name: string, title: string, headersFor: typeof narrowToken): Row => ({
  name: `tokens/${name}`,
  title,
  unit: '/s',
  limit: 'with a plain token',
  goal: { atLeast: 0.95 },
  open: async ({ small }) => {
    const service = await small();
    const user = await service.user(0);
    const url = recordOf(user);
    const headers = await headersFor(service, user);
    return {
      ours: () => requestsPerSecond([{ url, headers }], load),
      limit: () => requestsPerSecond([{ url, headers: user.headers }], load),
    };
  },
});
