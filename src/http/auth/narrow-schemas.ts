import { z } from 'zod';
import { id, timestamp } from '../record-fields.js';
import { integer, text, textList } from '../request-fields.js';
import { type Scope, allowWords } from './claims.js';

/** How long a narrow token may last, and does by default, in days. */
const maxDays = 365;
const defaultDays = 90;

/** What `allow` of an owner's tokens takes: some of the owner's words, in any order. */
export function allowField(scope: Scope) {
  const words: readonly string[] = allowWords[scope];
  const wanted = { error: `a list of one or more of ${words.join(', ')}` };
  return textList(wanted, { example: words[1] ?? '' })
    .refine((given) => given.length > 0 && given.every((word) => words.includes(word)), wanted)
    .meta({ description: `what the token may: one or more of ${words.join(', ')}` });
}

export const newNarrowToken = (scope: Scope) =>
  z.object({
    name: text(1, 100).meta({ description: 'what it is for, as audit and feed name it' }),
    allow: allowField(scope),
    expires_in_days: integer(1, maxDays).default(defaultDays),
  });
export type NewNarrowToken = z.output<ReturnType<typeof newNarrowToken>>;

const fields = {
  id,
  name: z.string(),
  allow: z.array(z.string()),
  created_at: timestamp,
  expires_at: timestamp,
  last_used_at: timestamp.nullable().meta({ description: 'to the hour; null: never' }),
  created_by: z.enum(['user', 'platform', 'admin']),
};

export const narrowToken = z.object(fields).meta({ id: 'NarrowToken' });
export type NarrowToken = z.output<typeof narrowToken>;

export const createdNarrowToken = z
  .object({
    ...fields,
    access_token: z.string().meta({ description: 'the token itself; shown only once' }),
  })
  .meta({ id: 'CreatedNarrowToken' });
export type CreatedNarrowToken = z.output<typeof createdNarrowToken>;
