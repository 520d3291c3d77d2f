import { column, type Queryable } from '../../database/sql.js';

// What a hold keeps is decided by functions of the database (migrations/rules/holds.sql).

/** What is held of the user `who`, or was after `since`: a table `kept` for {@link isFree}. */
export const kept = (who: string, since: string): string =>
  `kept AS MATERIALIZED (SELECT * FROM held_of(${who}, ${since}))`;

/** Whether nothing of `kept` keeps an image. */
export const isFree = (images: string): string => `
  (${images}.id IN (SELECT id FROM kept WHERE kind = 'image')
    OR ${images}.folder_id IN (SELECT id FROM kept WHERE kind = 'folder')
    OR EXISTS (SELECT FROM kept WHERE kind = 'user')) IS NOT TRUE`;

/** Holds that keep what has been in the trash of a user since `before`. */
export const selectHoldsOnTrash = (db: Queryable, userId: string, before: string) =>
  column<string>(
    db,
    `WITH ${kept('$1', '$2')}
     SELECT DISTINCT k.hold_id FROM kept k WHERE CASE k.kind
       WHEN 'image' THEN EXISTS (
         SELECT FROM images i WHERE i.id = k.id AND i.user_id = $1 AND i.deleted_at <= $2)
       WHEN 'folder' THEN EXISTS (
         SELECT FROM folders f WHERE f.id = k.id AND f.user_id = $1 AND f.deleted_at <= $2
         UNION ALL
         SELECT FROM images i WHERE i.folder_id = k.id AND i.user_id = $1 AND i.deleted_at <= $2)
       ELSE EXISTS (
         SELECT FROM folders f WHERE f.user_id = $1 AND f.deleted_at <= $2
         UNION ALL
         SELECT FROM images i WHERE i.user_id = $1 AND i.deleted_at <= $2) END
     ORDER BY k.hold_id`,
    [userId, before],
  );
