import {
  added,
  addOne,
  byType,
  counters,
  deleted,
  difference,
  facts,
  imageKey,
  inserted,
  summedChanges,
  updated,
  usageEvent,
  values,
} from './0014-image-accounts.js';
import { actions, things } from './0020-change-posting.js';
import { few, postRows, postUpdates, told } from './0020-change-triggers.js';

const { image: thing } = things;
const { updates } = told.images;

/** A row as a change from nothing. @param counts what it adds to uploads by type and to edits. */
const change = (row: string, counts: string): string => `(
  ${row}.user_id, ${row}.platform_id, ${row}.folder_id, ${row}.has_det, ${row}.located, ${row}.active,
  ${row}.trashed, ${row}.active * ${row}.bytes, ${row}.trashed * ${row}.bytes, ${row}.original,
  ${row}.latest, ${row}.stored, ${counts}, 0)::image_change`;

const nothing = `(
  image.user_id, image.platform_id, image.folder_id, image.has_det, image.located,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)::image_change`;

/** What one image, which is alone in its statement, has become. */
const oneInserted = `
  SELECT ${nothing} AS before, ${change('image', `${byType}, 0`)} AS after, image.id,
         ${actions.created} AS action
  INTO one FROM (SELECT id, ${facts}, upload_type FROM new_rows) AS image;`;
const oneUpdated = `
  SELECT ${change('o', '0, 0, 0, o.edits')} AS before, ${change('n', '0, 0, 0, n.edits')} AS after,
         now.id, CASE ${updates} END AS action
  INTO one
  FROM old_rows was, new_rows now,
       LATERAL (SELECT ${facts}, edits FROM (SELECT was.*) AS image) AS o,
       LATERAL (SELECT ${facts}, edits FROM (SELECT now.*) AS image) AS n;`;

const counted = `
          active_images = u.active_images + now.active_images - was.active_images,
          trashed_images = u.trashed_images + now.trashed_images - was.trashed_images,
          active_bytes = u.active_bytes + now.active_bytes - was.active_bytes,
          trashed_bytes = u.trashed_bytes + now.trashed_bytes - was.trashed_bytes,
          stored_bytes = u.stored_bytes + now.stored_bytes - was.stored_bytes`;

// Nearly every change is the first one of its transaction: its number and the user's counters are then
// one write. Otherwise, post_change merges it with what the transaction has told already.
const usersRow = `
  CREATE FUNCTION post_to_user(was image_change, now image_change, image uuid, act smallint)
  RETURNS void LANGUAGE plpgsql AS $function$
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
      SELECT now.user_id, change_seq, platform_id, change_position, clock_timestamp(), ${thing}, act,
             CASE current_setting('imgstore.actor', true)
               WHEN 'platform' THEN 2 WHEN 'admin' THEN 3 WHEN 'system' THEN 4 ELSE 1 END,
             image
      FROM head;
      IF FOUND THEN
        RETURN;
      END IF;
    END IF;
    IF (${difference}, now.stored_bytes - was.stored_bytes) <> (0, 0, 0, 0, 0) THEN
      UPDATE users u SET ${counted} WHERE u.id = now.user_id;
    ELSE
      PERFORM FROM users WHERE id = now.user_id FOR NO KEY UPDATE;
    END IF;
    IF act IS NOT NULL THEN
      PERFORM post_change(now.user_id, ${thing}::int2, act, image, NULL);
    END IF;
  END $function$;
`;

// As in migration 14, but for the user's row.
const totals = `
  CREATE FUNCTION keep_image_totals(was image_change, now image_change) RETURNS void
  LANGUAGE plpgsql AS $function$
  BEGIN
${usageEvent}    IF (was.has_det, was.located, was.folder_id IS NULL)
       = (now.has_det, now.located, now.folder_id IS NULL) THEN
      ${addOne('image_totals', 'now', difference)}
    ELSE
      INSERT INTO image_totals AS t (${imageKey}, ${counters.join(', ')})
      VALUES (was.user_id, was.has_det, was.located, was.folder_id IS NOT NULL, ${values('-', 'was')}),
             (now.user_id, now.has_det, now.located, now.folder_id IS NOT NULL, ${values('', 'now')})
      ON CONFLICT (${imageKey}) DO UPDATE SET ${added('t')};
    END IF;
    IF was.folder_id = now.folder_id THEN
      IF (${difference}) <> (0, 0, 0, 0) THEN
        ${addOne('folder_totals', 'now', difference)}
      END IF;
      RETURN;
    END IF;
    IF was.folder_id IS NOT NULL THEN
      ${addOne('folder_totals', 'was', values('-', 'was'))}
    END IF;
    IF now.folder_id IS NOT NULL THEN
      ${addOne('folder_totals', 'now', values('', 'now'))}
    END IF;
  END $function$;
`;

const one = `
        IF one.before <> one.after THEN
          PERFORM post_to_user(one.before, one.after, one.id, one.action::int2);
          PERFORM keep_image_totals(one.before, one.after);
        ELSIF one.action IS NOT NULL THEN
          PERFORM post_change((one.after).user_id, ${thing}::int2, one.action::int2, one.id, NULL);
        END IF;
        RETURN NULL;`;

const many = (sums: string, entries: string): string => `
      ${summedChanges(sums)}
      IF changes IS NOT NULL THEN
        PERFORM post_image_changes(changes);
      END IF;
      ${entries}`;

// Nearly every statement has one row.
const accounts = `
  CREATE OR REPLACE FUNCTION account_for_images() RETURNS trigger LANGUAGE plpgsql AS $function$
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

  DROP FUNCTION post_images() CASCADE;
  DROP FUNCTION post_image_change(image_change, image_change);
`;

export const imageChanges = usersRow + totals + accounts;
