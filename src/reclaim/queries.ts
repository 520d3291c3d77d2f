/**
 * $1: how many. Locks due rows until the transaction ends; those that another transaction holds
 * (another node's job, an upload that ends late) are left to it.
 */
export const lockDueObjects = `
  SELECT key FROM object_reclaim
  WHERE not_before <= now()
  ORDER BY not_before
  LIMIT $1
  FOR UPDATE SKIP LOCKED`;

/** $1: keys. */
export const forgetObjects = `DELETE FROM object_reclaim WHERE key = ANY($1::text[])`;

/**
 * $1: keys, $2: what went wrong. Waits 10 s, 20 s, 40 s … up to an hour, each between half and all
 * of that, so that one bad key does not meet the same companions again and again.
 */
export const postponeObjects = `
  UPDATE object_reclaim
  SET attempts = attempts + 1,
      last_error = $2,
      not_before = clock_timestamp()
        + least(interval '1 hour', interval '10 seconds' * power(2, least(attempts, 10)))
        * (0.5 + random() / 2)
  WHERE key = ANY($1::text[])`;

/** One row; counts as bigint strings. */
export const backlog = `
  SELECT count(*) AS pending,
         count(*) FILTER (WHERE not_before <= now()) AS due,
         min(not_before) FILTER (WHERE not_before <= now()) AS oldest
  FROM object_reclaim`;
