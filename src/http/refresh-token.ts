import { z } from 'zod';
import type { Tokens } from '../auth/tokens.js';
import { text } from './request-fields.js';
import { operation } from './operation.js';
import type { Operation } from './operation.js';
import { tokenFields } from './record-fields.js';

/** The one operation without Authorization: the refresh token itself authenticates. */
export const refreshOperation = (tokens: Tokens): Operation =>
  operation(
    {
      id: 'refreshToken',
      method: 'post',
      path: '/api/v1/auth/refresh',
      scheme: 'none',
      ext: true,
      keyless: true,
      summary: 'Exchange a refresh token, which works once, for a new pair of tokens',
      bodyAlone: true,
      body: z.object({ refresh_token: text(1, 10_000) }),
      result: z.object(tokenFields).meta({ id: 'Tokens' }),
    },
    ({ input }) => tokens.refresh(input.refresh_token),
  );
