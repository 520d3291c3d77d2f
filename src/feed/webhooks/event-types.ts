import { actions, types } from '../changes/schemas.js';

const annotated = ['created', 'updated', 'deleted'] as const;

/** The possible actions on each type of record. */
const actionsOf = {
  image: actions,
  version: ['created'],
  folder: actions,
  memo: annotated,
  custom: annotated,
  upload_set: annotated,
  user: annotated,
} as const satisfies Record<(typeof types)[number], readonly (typeof actions)[number][]>;

/** The types of events: `image.created` and so on. */
export const eventTypes: readonly string[] = types.flatMap((type) =>
  actionsOf[type].map((action) => `${type}.${action}`),
);

const listed = (words: readonly string[]): string => `'{${words.join(',')}}'::text[]`;

/** SQL: the event type of an entry of the change feed. */
export const eventTypeOf = (entry: string): string =>
  `(${listed(types)})[${entry}.type] || '.' || (${listed(actions)})[${entry}.action + 1]`;
