import { actions, types } from '../changes/schemas.js';

const annotated = ['created', 'updated', 'deleted'] as const;

/** What can happen to each kind of thing. */
const happening = {
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
  happening[type].map((action) => `${type}.${action}`),
);

const listed = (words: readonly string[]): string => `'{${words.join(',')}}'::text[]`;

/** SQL: the type of the event that an entry of the change feed is. */
export const eventTypeOf = (entry: string): string =>
  `(${listed(types)})[${entry}.type] || '.' || (${listed(actions)})[${entry}.action + 1]`;
