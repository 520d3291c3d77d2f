import { z } from 'zod';
import { timestamp } from '../record-fields.js';
import { asJson, clearable, expecting, flag, text } from '../request-fields.js';
import { allowWords } from './claims.js';
import { usableKeys } from './key-sets.js';
import { allowField } from './narrow-schemas.js';
import { issuer as ownIssuer } from './token-codec.js';

const jwks = z.preprocess(
  (raw) => asJson(raw),
  z
    .record(z.string(), z.unknown(), expecting('a JSON object with a list of keys'))
    .transform((value, context) => {
      const keys = usableKeys(value);
      if (typeof keys !== 'string') return { keys };
      context.addIssue(keys);
      return z.NEVER;
    }),
);

const identityText = text(1, 2_048);

export const newIdentity = z.object({
  issuer: identityText
    .refine((value) => value !== ownIssuer, expecting('another issuer than that of our own tokens'))
    .meta({
      description: '`iss` of the tokens, to the letter',
      example: 'https://login.example.com/realms/field',
    }),
  audience: identityText.meta({
    description: '`aud` of the tokens, or one of it: what they are issued for',
    example: 'imgstore',
  }),
  jwks_url: clearable(identityText).optional().meta({
    description: 'where the public keys are: https, or http if the server allows it',
    example: 'https://login.example.com/realms/field/protocol/openid-connect/certs',
  }),
  jwks: clearable(jwks)
    .optional()
    .meta({ description: 'in place of jwks_url: the key set (RFC 7517) itself, as JSON' }),
  user_claim: text(1, 255)
    .default('sub')
    .meta({ description: 'the claim that has the platform_user_id' }),
  create_users: flag.default(false).meta({
    description: 'True: the first token of a user whom the platform does not have makes it',
  }),
  allow: allowField('user')
    .default([...allowWords.user])
    .meta({ description: `what the tokens may: by default all of ${allowWords.user.join(', ')}` }),
});
export type NewIdentity = z.output<typeof newIdentity>;

export const identityRecord = z
  .object({
    issuer: z.string(),
    audience: z.string(),
    jwks_url: z.string().nullable(),
    jwks: z
      .object({ keys: z.array(z.record(z.string(), z.unknown())) })
      .nullable()
      .meta({ description: 'the usable keys of the key set that was given' }),
    user_claim: z.string(),
    create_users: z.boolean(),
    allow: z.array(z.string()),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Identity' });
export type IdentityRecord = z.output<typeof identityRecord>;
