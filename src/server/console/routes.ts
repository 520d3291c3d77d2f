import { z } from 'zod';
import { operation } from '../../http/operation.js';
import type { Operation } from '../../http/operation.js';
import { text } from '../../http/request-fields.js';
import type { ConsoleSignIn } from '../../http/auth/sign-in.js';

export const consoleOperations = (signIn: ConsoleSignIn): Operation[] => [
  operation(
    {
      id: 'exchangeConsoleCode',
      method: 'post',
      path: '/api/v1/auth/console',
      scheme: 'none',
      ext: true,
      keyless: true,
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
