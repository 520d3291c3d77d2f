import type { DataSource } from 'typeorm';
import { namesOf } from '../../database/columns.js';
import { row, rows } from '../../database/sql.js';
import { totalColumns } from '../../library/images/kept.entity.js';
import { each } from '../../library/statistics/entity.js';
import { sums } from './account.sql.js';
import { rebuildMap } from './place.sql.js';

const totals = namesOf(totalColumns);
const names = each(totals, (name) => name);
const counted = each(totals, (name) => `coalesce(${name}, 0)`);

const annotations = [
  'DELETE FROM annotation_totals t USING images i WHERE i.id = t.image_id AND i.user_id = $1',
  `INSERT INTO annotation_totals (image_id, memos, customs, text_bytes)
   SELECT image_id, sum(memos), sum(customs), sum(bytes)
   FROM (
     SELECT image_id, 1 AS memos, 0 AS customs, octet_length(message) AS bytes
     FROM memos WHERE user_id = $1
     UNION ALL
     SELECT image_id, 0, 1, octet_length(key) + octet_length(value) FROM customs WHERE user_id = $1
   ) AS annotation
   GROUP BY image_id`,
];

const images = [
  'DELETE FROM image_totals WHERE user_id = $1',
  `INSERT INTO image_totals (user_id, has_det, located, in_folder, ${names})
   SELECT $1, has_det, located, in_folder, ${counted}
   FROM (
     SELECT coalesce(has_det::text, 'none') AS has_det, location IS NOT NULL AS located,
            folder_id IS NOT NULL AS in_folder, ${sums}
     FROM images WHERE user_id = $1 GROUP BY 1, 2, 3
   ) AS image`,
  'DELETE FROM folder_totals WHERE user_id = $1',
  `INSERT INTO folder_totals (folder_id, user_id, ${names})
   SELECT folder_id, $1, ${counted}
   FROM (
     SELECT folder_id, ${sums} FROM images WHERE user_id = $1 AND folder_id IS NOT NULL GROUP BY 1
   ) AS image`,
  `UPDATE users SET (${names}, stored_bytes, text_bytes, announced_bytes) = (
     SELECT ${counted}, coalesce(stored_bytes, 0), (
       SELECT coalesce(sum(t.text_bytes), 0)
       FROM annotation_totals t JOIN images i ON i.id = t.image_id WHERE i.user_id = $1
     ), (
       SELECT coalesce(sum(length), 0) FROM resumable_uploads
       WHERE user_id = $1 AND state = 'receiving'
     )
     FROM (
       SELECT ${sums}, sum(original_bytes + edit_bytes) AS stored_bytes
       FROM images WHERE user_id = $1
     ) AS image
   )
   WHERE id = $1`,
];

const texts = [
  `INSERT INTO image_texts (image_id, user_id, filename, address)
   SELECT i.id, i.user_id, searchable_filename(i), searchable_address(i)
   FROM images i LEFT JOIN image_texts t ON t.image_id = i.id
   WHERE i.user_id = $1 AND (t.user_id, t.filename, t.address)
     IS DISTINCT FROM (i.user_id, searchable_filename(i), searchable_address(i))
   ON CONFLICT (image_id) DO UPDATE
   SET user_id = excluded.user_id, filename = excluded.filename, address = excluded.address`,
];

const uploadSets = [
  `UPDATE upload_set_files f SET arrived = true
   WHERE user_id = $1 AND NOT arrived
     AND EXISTS (SELECT FROM image_versions v WHERE v.user_id = f.user_id AND v.hash = f.hash)`,
  `UPDATE upload_sets s
   SET expected = f.expected, arrived = f.arrived,
       completed_at = CASE WHEN f.arrived = f.expected
         THEN coalesce(s.completed_at, clock_timestamp()) END
   FROM (
     SELECT upload_set_id, count(*) AS expected, count(*) FILTER (WHERE arrived) AS arrived
     FROM upload_set_files WHERE user_id = $1 GROUP BY 1
   ) AS f
   WHERE s.id = f.upload_set_id AND (s.expected, s.arrived) <> (f.expected, f.arrived)`,
];

/**
 * Counts anew all that triggers keep of a user's rows. The user's lock is taken first: each statement
 * sees every change of that user, and no change comes between two of them. @returns the platform;
 * undefined if the user is gone.
 */
export const recount = (db: DataSource, userId: string): Promise<string | undefined> =>
  db.transaction(async (tx) => {
    const user = await row<{ platformId: string }>(
      tx,
      'SELECT platform_id AS "platformId" FROM users WHERE id = $1 FOR NO KEY UPDATE',
      [userId],
    );
    if (!user) return undefined;
    for (const sql of [...annotations, ...images, ...texts, ...uploadSets]) {
      await rows(tx, sql, [userId]);
    }
    await rebuildMap(tx, userId);
    return user.platformId;
  });

/** Counts anew what the limits of a platform leave, after the counters of its users have changed. */
export const recountLimits = (db: DataSource, platformId: string): Promise<unknown> =>
  db.transaction((tx) => rows(tx, 'SELECT FROM settle_platform($1)', [platformId]));
