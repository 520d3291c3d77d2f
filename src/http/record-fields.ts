import { z } from 'zod';
import { tokenType } from './auth/claims.js';

/** Parts of the records in responses; used for handler types and for the OpenAPI document. */
export const id = z.string().meta({ format: 'uuid' });
export const timestamp = z
  .string()
  .meta({ pattern: '^\\d{8}_\\d{6}$', example: '20250131_235959' });
export const fileHash = z.string().meta({ description: 'SHA-256 in lower case' });
export const megabytes = z.number().meta({ description: 'megabytes of 1,048,576 bytes' });

/** Metadata of a parameter or field that is not part of the original interface. */
export const ext = { 'x-ext': true } as const;

/** In the answer to a change of so many images that they follow in batches. */
export const inProgress = z
  .literal(true)
  .optional()
  .meta({
    ...ext,
    description: 'the change has begun and will be carried to its end; images follow',
  });
export interface InProgress {
  readonly in_progress?: true;
}

/**
 * Text that is null in answers to narrow tokens that may not have it. It is typed as text, which whoever
 * has a plain token need not check.
 */
export const withheldText = z.string().nullable() as z.ZodType as z.ZodType<string>;
export const withheld = null as unknown as string;

/** The narrow token or session that something was done with. */
export const tokenUsed = z.object({ id, name: z.string() }).meta({
  id: 'TokenUsed',
  description: 'the narrow token, or the session of a person, with which it was done',
});
export type TokenUsed = z.output<typeof tokenUsed>;

export const tokenFields = {
  access_token: withheldText.meta({ description: 'null for a narrow token' }),
  refresh_token: withheldText.meta({ description: 'null for a narrow token' }),
  token_type: z.literal(tokenType),
};

export const withheldPair = {
  access_token: withheld,
  refresh_token: withheld,
  token_type: tokenType,
} as const;
