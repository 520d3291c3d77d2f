import { z } from 'zod';
import { checkedKey, keyHeader } from '../idempotency/keyed-requests.js';
import { operation, type Operation } from '../operation.js';
import { tokenFields } from '../record-fields.js';
import { text } from '../request-fields.js';
import type { Tokens } from './tokens.js';

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
