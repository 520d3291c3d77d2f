import { actions, things } from './change-posting.js';
import { few, postRows, postUpdates, told } from './change-triggers.js';
import { difference } from './image-totals.js';

// A statement that changes images keeps the accounts of users and tells the change feed in one pass
// (docs/adr/0003, docs/adr/0015). All SQL is static, so that a session plans it once. A plan made for one
// row has to do for many: nothing joins two transition tables, which would be one loop within another,
// and what groups their rows spills to disk.

const { image: thing } = things;

/** Whether the map shows an image, or two states of one. */
const isShown = (image: 'was' | 'now'): string => `${image}.located AND ${image}.active_images > 0`;

const counted = `
          active_images = u.active_images + now.active_images - was.active_images,
          trashed_images = u.trashed_images + now.trashed_images - was.trashed_images,
          active_bytes = u.active_bytes + now.active_bytes - was.active_bytes,
          trashed_bytes = u.trashed_bytes + now.trashed_bytes - was.trashed_bytes,
          stored_bytes = u.stored_bytes + now.stored_bytes - was.stored_bytes,
          map_version = u.map_version + redrawn`;

// Nearly every change is the first one of its transaction: its number and the user's counters are then
// one write. Otherwise, post_change merges it with what the transaction has told already. The
// version of the map costs nothing in the same write (docs/adr/0013).
const usersRow = `
  CREATE FUNCTION post_to_user(was image_change, now image_change, image uuid, act smallint)
  RETURNS void LANGUAGE plpgsql AS $function$
  DECLARE
    redrawn CONSTANT integer := ((${isShown('was')}) <> (${isShown('now')})
      OR ${isShown('now')}
         AND (was.folder_id, was.has_det) IS DISTINCT FROM (now.folder_id, now.has_det))::integer;
  BEGIN
    IF act IS NOT NULL AND current_setting('imgstore.removed_user', true)
                           IS DISTINCT FROM now.user_id::text THEN
      WITH head AS (
        UPDATE users u
        SET ${counted},
            change_seq = u.change_seq + 1, change_first = u.change_seq + 1, change_xact = own,
            change_position = greatest(u.change_position, own)
        FROM (
          SELECT pg_current_xact_id()::text::bigint + c.xid_offset AS own FROM feed_clock c OFFSET 0
        ) AS clock
        WHERE u.id = now.user_id AND u.change_xact <> own
        RETURNING u.platform_id, u.change_seq, u.change_position
      )
      INSERT INTO changes (user_id, seq, platform_id, feed_position, at, type, action, actor, id)
      SELECT now.user_id, change_seq, platform_id, change_position, clock_timestamp(), ${thing},
             act,
             CASE current_setting('imgstore.actor', true)
               WHEN 'platform' THEN 2 WHEN 'admin' THEN 3 WHEN 'system' THEN 4 ELSE 1 END,
             image
      FROM head;
      IF FOUND THEN
        RETURN;
      END IF;
    END IF;
    IF (${difference}, now.stored_bytes - was.stored_bytes, redrawn) <> (0, 0, 0, 0, 0, 0) THEN
      UPDATE users u SET ${counted} WHERE u.id = now.user_id;
    ELSE
      PERFORM FROM users WHERE id = now.user_id FOR NO KEY UPDATE;
    END IF;
    IF act IS NOT NULL THEN
      PERFORM post_change(now.user_id, ${thing}::int2, act, image, NULL);
    END IF;
  END $function$;
`;

/** What counts of an image. */
const facts = `user_id, platform_id, folder_id, coalesce(has_det::text, 'none') AS has_det,
  location IS NOT NULL AS located, (deleted_at IS NULL)::int AS active,
  (deleted_at IS NOT NULL)::int AS trashed, bytes, original_bytes AS original,
  original_bytes + CASE WHEN edits > 0 THEN bytes ELSE 0 END AS latest,
  original_bytes + edit_bytes AS stored`;

/** A row as a change from nothing. @param counts what it adds to uploads by type and to edits. */
const change = (row: string, counts: string): string => `(
  ${row}.user_id, ${row}.platform_id, ${row}.folder_id, ${row}.has_det, ${row}.located, ${row}.active,
  ${row}.trashed, ${row}.active * ${row}.bytes, ${row}.trashed * ${row}.bytes, ${row}.original,
  ${row}.latest, ${row}.stored, ${counts}, 0)::image_change`;

const nothing = `(
  image.user_id, image.platform_id, image.folder_id, image.has_det, image.located,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)::image_change`;

const byType = ['camera', 'gallery', 'request']
  .map((type) => `(upload_type = '${type}')::int`)
  .join(', ');

/** What one image, which is alone in its statement, has become. */
const oneInserted = `
  SELECT ${nothing} AS before, ${change('image', `${byType}, 0`)} AS after, image.id,
         ${actions.created} AS action
  INTO one FROM (SELECT id, ${facts}, upload_type FROM new_rows) AS image;`;
const oneUpdated = `
  SELECT ${change('o', '0, 0, 0, o.edits')} AS before, ${change('n', '0, 0, 0, n.edits')} AS after,
         now.id, CASE ${told.images.updates} END AS action
  INTO one
  FROM old_rows was, new_rows now,
       LATERAL (SELECT ${facts}, edits FROM (SELECT was.*) AS image) AS o,
       LATERAL (SELECT ${facts}, edits FROM (SELECT now.*) AS image) AS n;`;

/** Keeps and tells what has become of it. */
const one = `
        IF one.before <> one.after THEN
          PERFORM post_to_user(one.before, one.after, one.id, one.action::int2);
          PERFORM keep_image_totals(one.before, one.after);
        ELSIF one.action IS NOT NULL THEN
          PERFORM post_change((one.after).user_id, ${thing}::int2, one.action::int2, one.id, NULL);
        END IF;
        RETURN NULL;`;

/** The sums of changes by what totals are kept for, null if there are none. @param rows of images. */
const summedChanges = (rows: string): string => `
  SELECT array_agg(c) INTO changes FROM (
    SELECT (user_id, platform_id, folder_id, has_det, located, sum(sign * active),
            sum(sign * trashed), sum(sign * active * bytes), sum(sign * trashed * bytes),
            sum(sign * original), sum(sign * latest), sum(sign * stored),
            count(*) FILTER (WHERE uploaded = 'camera'),
            count(*) FILTER (WHERE uploaded = 'gallery'),
            count(*) FILTER (WHERE uploaded = 'request'),
            sum(edited), sum(trashings))::image_change AS c
    FROM (${rows}) AS change
    GROUP BY user_id, platform_id, folder_id, has_det, located
    HAVING (sum(sign * active), sum(sign * trashed), sum(sign * active * bytes),
            sum(sign * trashed * bytes), sum(sign * original), sum(sign * latest),
            sum(sign * stored), sum(edited), sum(trashings)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
  ) AS changed;`;

// Below the SELECT list, IN is a hashed subplan; as a condition it could become a nested loop.
const inserted = `
  SELECT 1 AS sign, ${facts}, upload_type AS uploaded, 0 AS edited, 0 AS trashings FROM new_rows`;
const deleted = `
  SELECT -1 AS sign, ${facts}, NULL AS uploaded, 0 AS edited,
         (deleted_at IS NULL)::int AS trashings FROM old_rows`;
const updated = `
  SELECT -1 AS sign, ${facts}, NULL AS uploaded, -edits AS edited, 0 AS trashings FROM old_rows
  UNION ALL
  SELECT 1, ${facts}, NULL, edits,
         (deleted_at IS NOT NULL
          AND id IN (SELECT id FROM old_rows WHERE deleted_at IS NULL))::int FROM new_rows`;

const many = (sums: string, entries: string): string => `
      ${summedChanges(sums)}
      IF changes IS NOT NULL THEN
        PERFORM post_image_changes(changes);
      END IF;
      ${entries}`;

// Nearly every statement has one row.
const accounts = `
  CREATE FUNCTION account_for_images() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    one record;
    changes image_change[];
    t record;
  BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN
      IF ${few('new_rows')} = 1 THEN
        ${oneInserted}
        ${one}
      END IF;
      ${many(inserted, postRows(told.images, 'new_rows', actions.created))}
    WHEN 'UPDATE' THEN
      IF ${few('new_rows')} = 1 THEN
        ${oneUpdated}
        IF (one.before).user_id = (one.after).user_id THEN
          ${one}
        END IF;
      END IF;
      ${many(updated, postUpdates(told.images))}
    ELSE
      ${many(deleted, postRows(told.images, 'old_rows', actions.deleted))}
    END CASE;
    RETURN NULL;
  END $function$;

  CREATE TRIGGER account_for_inserted AFTER INSERT ON images
    REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION account_for_images();
  CREATE TRIGGER account_for_updated AFTER UPDATE ON images
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION account_for_images();
  CREATE TRIGGER account_for_deleted AFTER DELETE ON images
    REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION account_for_images();
`;

// The keys are spelled as in src/store/object-key.ts; a test holds the two together.
const reclaiming = `
  CREATE FUNCTION reclaim_versions() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    INSERT INTO object_reclaim (key, not_before)
    SELECT o.platform_id || '/' || o.user_id || '/' || o.image_id || '/' || o.id || '/' || n.name,
           now()
    FROM old_rows o
    CROSS JOIN LATERAL (VALUES ('original.' || o.extension), ('display.' || o.display_extension),
                               ('thumb.' || o.thumb_extension), ('full.' || o.full_extension))
      AS n (name)
    WHERE n.name IS NOT NULL
    ON CONFLICT (key) DO UPDATE SET not_before = excluded.not_before;
    RETURN NULL;
  END $function$;

  CREATE TRIGGER reclaim_deleted_versions AFTER DELETE ON image_versions
    REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION reclaim_versions();
`;

export const imageAccounts = usersRow + accounts + reclaiming;
