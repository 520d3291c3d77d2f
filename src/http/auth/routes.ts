import { z } from 'zod';
import { checkedKey, keyHeader } from '../idempotency/keyed-requests.js';
import { operation, type Operation } from '../operation.js';
import { tokenFields } from '../record-fields.js';
import { text } from '../request-fields.js';
import type { ConsoleSignIn } from './sign-in.js';
import type { Tokens } from './tokens.js';

export const consoleOperations = (signIn: ConsoleSignIn): Operation[] => [
  operation(
    {
      id: 'exchangeConsoleCode',
      allow: 'full',
      method: 'post',
      path: '/api/v1/auth/console',
      scheme: 'none',
      ext: true,
      keyless: true,
      inMaintenance: true,
      summary: 'Exchange the one-time code of a link to the console for a token',
      bodyAlone: true,
      body: z.object({ code: text(1, 100) }),
      result: z
        .object({
          access_token: z.string(),
          expires_in: z.int().meta({ description: 'seconds' }),
        })
        .meta({ id: 'ConsoleSession' }),
    },
    ({ input }) => signIn.exchange(input.code),
  ),
];

/** The one operation without Authorization: the refresh token itself authenticates. */
export const refreshOperation = (tokens: Tokens): Operation =>
  operation(
    {
      id: 'refreshToken',
      allow: 'full',
      method: 'post',
      path: '/api/v1/auth/refresh',
      scheme: 'none',
      ext: true,
      keyless: true,
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
