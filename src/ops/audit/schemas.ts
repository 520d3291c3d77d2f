import { z } from 'zod';
import type { WallClock } from '../../base/time.js';
import { id, timestamp, tokenUsed } from '../../http/record-fields.js';
import { actNames } from '../../http/audit/acts.js';
import { dayOrTime, flag, identifier, integer, oneOf, text } from '../../http/request-fields.js';
import { eventTypes } from '../../feed/webhooks/schemas.js';

const actors = ['operator', 'admin', 'platform', 'user', 'system'] as const;

const filters = (clock: WallClock) => ({
  user_id: identifier.optional(),
  since: dayOrTime(clock).optional(),
  until: dayOrTime(clock).optional().meta({ description: 'including this day or second' }),
  act: oneOf([...actNames, ...eventTypes])
    .optional()
    .meta({ example: 'user.suspend' }),
  content: flag.default(false).meta({
    description: 'whether changes of folders and images are included, besides those of accounts',
  }),
  before: text(1, 100).optional().meta({
    description: '`last` of the previous response; by default, starts at the newest',
    example: '-.-',
  }),
  limit: integer(1, 1000).default(100),
});

export const auditQuery = (clock: WallClock) =>
  z.object({
    platform_id: identifier
      .optional()
      .meta({ description: 'required for changes of records, unless user_id is given' }),
    actor: oneOf(actors).optional(),
    ...filters(clock),
  });

export const platformAuditQuery = (clock: WallClock) =>
  z.object({ actor: oneOf(['admin', 'platform', 'user', 'system']).optional(), ...filters(clock) });

/** As either of them is parsed. */
export type AuditQuery = z.output<ReturnType<typeof auditQuery>>;

const auditEntry = z
  .object({
    at: timestamp,
    act: z.string().meta({ example: 'user.suspend' }),
    actor: z.string().meta({ description: `one of ${actors.join(', ')}` }),
    operator: z
      .string()
      .nullable()
      .meta({ description: 'user of the operating system, from the terminal' }),
    token_id: id.nullable(),
    token: tokenUsed.nullable(),
    platform_id: id.nullable(),
    platform: z.string().nullable().meta({ description: 'its name; null if it is gone' }),
    user_id: id.nullable(),
    platform_user_id: z.string().nullable(),
    details: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'AuditEntry' });

export const auditPage = z
  .object({
    entries: z.array(auditEntry),
    last: z.string(),
    more: z.boolean().meta({
      description:
        'whether there may be older entries; a page that few entries pass ends early, even empty',
    }),
  })
  .meta({ id: 'AuditPage' });
export type AuditPage = z.output<typeof auditPage>;
