import { horizon, rows, type Queryable } from '../../database/sql.js';

/** Entries of a platform that one poll reads; if there are more, all waiting readers are woken. */
const maxEntriesPerPoll = 50_000;

export interface NewEntries {
  readonly platformId: string;
  readonly users: readonly string[];
  /** The number of the newest entry of each of these users. */
  readonly newest: readonly number[];
  /** Whether the platform's feed shows new entries since the previous poll. */
  readonly shown: boolean;
  /** Whether there are more entries than were read. */
  readonly more: boolean;
}

/**
 * The users of these platforms with entries that were not committed yet at the previous poll. One
 * statement, so that entries it does not find are committed after its own horizon. @param since the
 * horizon of the previous poll; without one, no entries are returned.
 */
export async function pollEntries(
  db: Queryable,
  platformIds: readonly string[],
  since: number | undefined,
): Promise<{ horizon: number; entries: NewEntries[] }> {
  const found = await rows<{ horizon: number } & (NewEntries | { readonly platformId: null })>(
    db,
    `WITH clock AS MATERIALIZED (SELECT (${horizon}) AS horizon)
     SELECT clock.horizon, n.* FROM clock LEFT JOIN LATERAL (
       SELECT u.platform_id AS "platformId", array_agg(u.user_id) AS users,
              array_agg(u.newest::float8) AS newest, bool_or(u.shown) AS shown,
              sum(u.entries) = ${maxEntriesPerPoll} AS more
       FROM (
       SELECT c.platform_id, c.user_id, max(c.seq) AS newest, count(*) AS entries,
              bool_or(c.feed_position < clock.horizon) AS shown
       FROM unnest($1::uuid[]) AS p (id) CROSS JOIN LATERAL (
         SELECT platform_id, user_id, feed_position, seq FROM changes
         WHERE platform_id = p.id AND feed_position >= $2
         ORDER BY feed_position, user_id, seq LIMIT ${maxEntriesPerPoll}
       ) AS c
       GROUP BY c.platform_id, c.user_id
       ) AS u
       GROUP BY u.platform_id
     ) AS n ON true`,
    [platformIds, since ?? Number.MAX_SAFE_INTEGER],
  );
  const [first] = found;
  if (!first) throw new Error('the feed has no clock');
  const entries = found.flatMap((one) => (one.platformId === null ? [] : [one]));
  return { horizon: first.horizon, entries };
}
