import { difference } from './0014-image-accounts.js';
import { things } from './0020-change-posting.js';

/** Whether the map shows an image, or two states of one. */
const isShown = (image: 'was' | 'now'): string => `${image}.located AND ${image}.active_images > 0`;

const counted = `
          active_images = u.active_images + now.active_images - was.active_images,
          trashed_images = u.trashed_images + now.trashed_images - was.trashed_images,
          active_bytes = u.active_bytes + now.active_bytes - was.active_bytes,
          trashed_bytes = u.trashed_bytes + now.trashed_bytes - was.trashed_bytes,
          stored_bytes = u.stored_bytes + now.stored_bytes - was.stored_bytes,
          map_version = u.map_version + redrawn`;

// Users who have a map begin with 1, so that a platform's map is told from one without them.
export const mapVersions = `
  ALTER TABLE users ADD map_version bigint NOT NULL DEFAULT 0;
  UPDATE users u SET map_version = 1
  WHERE EXISTS (SELECT FROM map_cells c WHERE c.user_id = u.id AND c.zoom = 0);
  COMMENT ON COLUMN users.map_version IS
    'raised with every change to the location, trash, folder or has_det of an image that maps show';
`;

// As in migration 25, but for the version of the map, which costs nothing in the same write.
export const usersRow = `
  CREATE OR REPLACE FUNCTION post_to_user(was image_change, now image_change, image uuid, act smallint)
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
      SELECT now.user_id, change_seq, platform_id, change_position, clock_timestamp(), ${things.image},
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
      PERFORM post_change(now.user_id, ${things.image}::int2, act, image, NULL);
    END IF;
  END $function$;
`;
