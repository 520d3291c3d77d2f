import { z } from 'zod';
import { ServiceError } from '../../base/errors/catalogue.js';
import type { WallClock } from '../../base/time.js';
import { dayMs, secondMs } from '../../base/units.js';
import { checkedKey, keyHeader } from '../idempotency/keyed-requests.js';
import { operation, type Operation, type ResolveUrl } from '../operation.js';
import { id, timestamp, tokenFields } from '../record-fields.js';
import { flag, identifier, text } from '../request-fields.js';
import { sessionRecord, type Sessions } from './sessions.js';
import type { ConsoleSignIn } from './sign-in.js';
import type { Tokens } from './tokens.js';

const cookieName = 'imgstore_session';
const cookiePath = '/api/v1/auth/session';
/** As long as a session lasts unused. */
const cookieSeconds = (30 * dayMs) / secondMs;

/** The cookie with the refresh token of a session, for this server alone. */
function cookieOf(token: string, resolveUrl: ResolveUrl): string {
  const { protocol, pathname } = new URL(resolveUrl(cookiePath));
  const secure = protocol === 'https:' ? '; Secure' : '';
  const age = token === '' ? 0 : cookieSeconds;
  return `${cookieName}=${token}; Max-Age=${age}; Path=${pathname}; HttpOnly; SameSite=Strict${secure}`;
}

const tokenIn = (cookies = ''): string | undefined =>
  cookies
    .split(';')
    .map((cookie) => cookie.trim().split('='))
    .find(([name]) => name === cookieName)?.[1];

const consoleSession = z
  .object({
    access_token: z.string().optional(),
    expires_in: z.int().optional().meta({ description: 'seconds' }),
    platforms: z
      .array(z.object({ id, name: z.string() }))
      .optional()
      .meta({ description: 'in place of a token: those to choose from; the code still works' }),
  })
  .meta({ id: 'ConsoleSession' });

const signInLink = z
  .object({
    url: z.string().meta({ description: 'opens a page with a button, which signs in once' }),
    expires_at: timestamp,
  })
  .meta({ id: 'SignInLink' });

const anonymous = { scheme: 'none', allow: 'full', ext: true, keyless: true } as const;

/** The one operation without Authorization: the refresh token itself authenticates. */
export const refreshOperation = (tokens: Tokens): Operation =>
  operation(
    {
      ...anonymous,
      id: 'refreshToken',
      method: 'post',
      path: '/api/v1/auth/refresh',
      inMaintenance: true,
      readsKey: true,
      summary:
        'Exchange a refresh token, which works once, for a new pair of tokens; a repeat of the request gets the same refresh token',
      bodyAlone: true,
      body: z.object({ refresh_token: text(1, 10_000) }),
      result: z.object(tokenFields).meta({ id: 'Tokens' }),
    },
    ({ input, header }) => tokens.refresh(input.refresh_token, checkedKey(header(keyHeader))),
  );

/** How people sign in to the console. */
const signInOperations = (signIn: ConsoleSignIn, sessions: Sessions): Operation[] => [
  operation(
    {
      ...anonymous,
      id: 'exchangeConsoleCode',
      method: 'post',
      path: '/api/v1/auth/console',
      inMaintenance: true,
      summary: 'Exchange the one-time code of a link to the console for a token',
      bodyAlone: true,
      body: z.object({
        code: text(1, 100),
        platform_id: identifier
          .optional()
          .meta({ description: 'for who has several platforms: the one to sign in to' }),
        stay: flag.default(false).meta({
          description: 'True: a user stays signed in on this device; the response sets a cookie',
        }),
      }),
      result: consoleSession,
      errors: ['platform_not_found'],
    },
    async ({ input, header, setHeader, resolveUrl }) => {
      const { code, platform_id: platformId, stay: stays } = input;
      const wish = { platformId, stays, agent: header('user-agent') };
      const { refresh_token: token, ...session } = await signIn.exchange(code, wish);
      if (token !== undefined) setHeader('Set-Cookie', cookieOf(token, resolveUrl));
      return session;
    },
  ),
  operation(
    {
      ...anonymous,
      id: 'renewConsoleSession',
      method: 'post',
      path: cookiePath,
      inMaintenance: true,
      summary: 'Get a new token for the cookie of a user who stays signed in',
      result: consoleSession,
    },
    async ({ header, setHeader, resolveUrl }) => {
      const token = tokenIn(header('cookie'));
      if (!token) throw new ServiceError('unauthorized', { message: 'Nobody is signed in here.' });
      try {
        const { access_token, refresh_token, expires_in } = await sessions.renew(token);
        setHeader('Set-Cookie', cookieOf(refresh_token, resolveUrl));
        return { access_token, expires_in };
      } catch (error) {
        const isOver = error instanceof ServiceError && error.status === 401;
        if (isOver) setHeader('Set-Cookie', cookieOf('', resolveUrl));
        throw error;
      }
    },
  ),
];

/** Whoever is signed in ends that. */
const signOut = (sessions: Sessions): Operation =>
  operation(
    {
      id: 'signOut',
      method: 'delete',
      path: cookiePath,
      scheme: ['User', 'Platform', 'Admin'],
      allow: 'full',
      ext: true,
      keyless: true,
      inMaintenance: true,
      summary: 'End the session of the token, from the next request on',
      result: sessionRecord,
      errors: ['session_not_found'],
    },
    async ({ caller, setHeader, resolveUrl }) => {
      const session = await sessions.end(caller.session === undefined ? undefined : caller.fam);
      const { id, created_at, last_used_at, device } = session;
      setHeader('Set-Cookie', cookieOf('', resolveUrl));
      return { id, created_at, last_used_at, device };
    },
  );

const ofUser = {
  path: '/api/v1/users/:user_id/sessions',
  scheme: ['User', 'Platform'],
  allow: 'full',
  ext: true,
  errors: ['user_not_found'],
} as const;

interface SessionOperationParts {
  readonly signIn: ConsoleSignIn;
  readonly sessions: Sessions;
  readonly clock: WallClock;
}

export const sessionOperations = ({
  signIn,
  sessions,
  clock,
}: SessionOperationParts): Operation[] => [
  ...signInOperations(signIn, sessions),
  signOut(sessions),
  operation(
    {
      id: 'createSignIn',
      method: 'post',
      path: '/api/v1/users/:user_id/sign-in',
      scheme: ['Platform', 'Admin'],
      allow: 'full',
      ext: true,
      keyless: true,
      summary: 'Make a link that signs the user in to the console, once within ten minutes',
      result: signInLink,
      errors: ['user_not_found'],
    },
    async ({ path, caller, resolveUrl }) => {
      const { code, expiresAt } = await signIn.makeUserCode(caller.platformId, path.user_id);
      // After a #: browsers do not send that part, and proxies do not log it.
      const url = resolveUrl(`/console/#sign-in=${code}`);
      return { url, expires_at: clock.format(expiresAt) };
    },
  ),
  operation(
    {
      ...ofUser,
      id: 'listSessions',
      method: 'get',
      summary: 'List the devices on which the user stays signed in, the last used first',
      result: z.array(sessionRecord),
    },
    ({ path, caller }) => sessions.ofUser(caller.platformId, path.user_id),
  ),
  operation(
    {
      ...ofUser,
      id: 'endSessions',
      method: 'delete',
      summary: 'Sign the user out on all devices',
      result: z.array(sessionRecord),
    },
    ({ path, caller }) => sessions.endOf(caller.platformId, path.user_id),
  ),
  operation(
    {
      ...ofUser,
      id: 'endSession',
      method: 'delete',
      path: `${ofUser.path}/:session_id`,
      summary: 'Sign the user out on one device, from the next request on',
      result: z.array(sessionRecord),
      errors: [...ofUser.errors, 'session_not_found'],
    },
    ({ path, caller }) => sessions.endOf(caller.platformId, path.user_id, path.session_id),
  ),
];
