import { z } from 'zod';

/** Pieces of the records that answers carry; for the types of handlers and for the OpenAPI document. */
export const id = z.string().meta({ format: 'uuid' });
export const timestamp = z
  .string()
  .meta({ pattern: '^\\d{8}_\\d{6}$', example: '20250131_235959' });
export const megabytes = z.number().meta({ description: 'megabytes of 1,048,576 bytes' });

/** Meta of a parameter or field that the interface does not have. */
export const ext = { 'x-ext': true } as const;

export const tokenFields = {
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('bearer'),
};
