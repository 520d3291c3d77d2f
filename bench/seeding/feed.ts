import { actions, things } from '../../migrations/baseline/change-posting.js';
import { freshImages } from './rows.js';

/**
 * Adds entries to the change feed for new rows, folders before images. New folders are those created in
 * this transaction.
 */
export const feed = `
  WITH fresh AS (
    SELECT user_id, ${things.folder} AS type, id, 0 AS turn
    FROM folders WHERE created_at = now() AND user_id IN (SELECT user_id FROM seeded)
    UNION ALL
    SELECT i.user_id, ${things.image}, i.id, 1 FROM ${freshImages}
  ),
  entry AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY turn, id) AS n FROM fresh
  ),
  clock AS MATERIALIZED (SELECT feed_position() AS position),
  inserted AS (
    INSERT INTO changes (user_id, seq, platform_id, feed_position, at, type, action, actor, id)
    SELECT u.id, u.change_seq + e.n, u.platform_id, clock.position, now(), e.type,
           ${actions.created}, 1, e.id
    FROM entry e JOIN users u ON u.id = e.user_id CROSS JOIN clock
  )
  UPDATE users u
  SET change_seq = u.change_seq + e.entries, change_first = u.change_seq + 1,
      change_xact = clock.position, change_position = clock.position
  FROM (SELECT user_id, count(*) AS entries FROM entry GROUP BY user_id) AS e CROSS JOIN clock
  WHERE u.id = e.user_id`;
