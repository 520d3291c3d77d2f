-- A statement that changes images keeps the accounts of users and tells the change feed in one pass
-- (docs/adr/0003, docs/adr/0015). All SQL is static, so that a session plans it once. A plan made for one row
-- has to do for many: nothing joins two transition tables, which would be one loop within another, and what
-- groups their rows spills to disk.

CREATE TYPE image_change AS (
  user_id uuid, platform_id uuid, folder_id uuid, has_det text, located boolean,
  active_images bigint, trashed_images bigint, active_bytes bigint, trashed_bytes bigint,
  original_bytes bigint, latest_bytes bigint, stored_bytes bigint,
  upload_camera bigint, upload_gallery bigint, upload_request bigint, edits bigint,
  deletions bigint
);

CREATE FUNCTION keep_image_totals(was image_change, now image_change) RETURNS void
LANGUAGE plpgsql AS $function$
BEGIN
  IF (now.active_images, now.original_bytes, now.latest_bytes, now.stored_bytes, now.edits)
     <> (was.active_images, was.original_bytes, was.latest_bytes, was.stored_bytes, was.edits)
  THEN
    INSERT INTO usage_events (platform_id, user_id, upload_camera, upload_gallery, upload_request,
                              edits, deletions, active_images, original_bytes, latest_bytes,
                              stored_bytes)
    VALUES (now.platform_id, now.user_id, now.upload_camera, now.upload_gallery,
            now.upload_request, now.edits - was.edits,
            greatest(was.active_images - now.active_images, 0),
            now.active_images - was.active_images, now.original_bytes - was.original_bytes,
            now.latest_bytes - was.latest_bytes, now.stored_bytes - was.stored_bytes);
  END IF;
  IF (was.has_det, was.located, was.folder_id IS NULL)
     = (now.has_det, now.located, now.folder_id IS NULL) THEN
    INSERT INTO image_totals AS t (user_id, has_det, located, in_folder, active_images, trashed_images, active_bytes, trashed_bytes)
     VALUES (now.user_id, now.has_det, now.located, now.folder_id IS NOT NULL, now.active_images - was.active_images, now.trashed_images - was.trashed_images, now.active_bytes - was.active_bytes, now.trashed_bytes - was.trashed_bytes)
     ON CONFLICT (user_id, has_det, located, in_folder) DO UPDATE SET active_images = t.active_images + excluded.active_images, trashed_images = t.trashed_images + excluded.trashed_images, active_bytes = t.active_bytes + excluded.active_bytes, trashed_bytes = t.trashed_bytes + excluded.trashed_bytes;
  ELSE
    INSERT INTO image_totals AS t (user_id, has_det, located, in_folder, active_images, trashed_images, active_bytes, trashed_bytes)
    VALUES (was.user_id, was.has_det, was.located, was.folder_id IS NOT NULL, -was.active_images, -was.trashed_images, -was.active_bytes, -was.trashed_bytes),
           (now.user_id, now.has_det, now.located, now.folder_id IS NOT NULL, now.active_images, now.trashed_images, now.active_bytes, now.trashed_bytes)
    ON CONFLICT (user_id, has_det, located, in_folder) DO UPDATE SET active_images = t.active_images + excluded.active_images, trashed_images = t.trashed_images + excluded.trashed_images, active_bytes = t.active_bytes + excluded.active_bytes, trashed_bytes = t.trashed_bytes + excluded.trashed_bytes;
  END IF;
  IF was.folder_id = now.folder_id THEN
    IF (now.active_images - was.active_images, now.trashed_images - was.trashed_images, now.active_bytes - was.active_bytes, now.trashed_bytes - was.trashed_bytes) <> (0, 0, 0, 0) THEN
      INSERT INTO folder_totals AS t (folder_id, user_id, active_images, trashed_images, active_bytes, trashed_bytes)
     VALUES (now.folder_id, now.user_id, now.active_images - was.active_images, now.trashed_images - was.trashed_images, now.active_bytes - was.active_bytes, now.trashed_bytes - was.trashed_bytes)
     ON CONFLICT (folder_id) DO UPDATE SET active_images = t.active_images + excluded.active_images, trashed_images = t.trashed_images + excluded.trashed_images, active_bytes = t.active_bytes + excluded.active_bytes, trashed_bytes = t.trashed_bytes + excluded.trashed_bytes;
    END IF;
    RETURN;
  END IF;
  IF was.folder_id IS NOT NULL THEN
    INSERT INTO folder_totals AS t (folder_id, user_id, active_images, trashed_images, active_bytes, trashed_bytes)
     VALUES (was.folder_id, was.user_id, -was.active_images, -was.trashed_images, -was.active_bytes, -was.trashed_bytes)
     ON CONFLICT (folder_id) DO UPDATE SET active_images = t.active_images + excluded.active_images, trashed_images = t.trashed_images + excluded.trashed_images, active_bytes = t.active_bytes + excluded.active_bytes, trashed_bytes = t.trashed_bytes + excluded.trashed_bytes;
  END IF;
  IF now.folder_id IS NOT NULL THEN
    INSERT INTO folder_totals AS t (folder_id, user_id, active_images, trashed_images, active_bytes, trashed_bytes)
     VALUES (now.folder_id, now.user_id, now.active_images, now.trashed_images, now.active_bytes, now.trashed_bytes)
     ON CONFLICT (folder_id) DO UPDATE SET active_images = t.active_images + excluded.active_images, trashed_images = t.trashed_images + excluded.trashed_images, active_bytes = t.active_bytes + excluded.active_bytes, trashed_bytes = t.trashed_bytes + excluded.trashed_bytes;
  END IF;
END $function$;

CREATE FUNCTION post_image_changes(changes image_change[]) RETURNS void
LANGUAGE plpgsql AS $function$
BEGIN
  PERFORM FROM users WHERE id IN (SELECT user_id FROM unnest(changes)) ORDER BY id
  FOR NO KEY UPDATE;
  WITH account AS MATERIALIZED (
    SELECT platform_id, user_id, sum(upload_camera) AS camera, sum(upload_gallery) AS gallery,
           sum(upload_request) AS request, sum(edits) AS edits, sum(deletions) AS deletions,
           sum(active_images) AS active, sum(trashed_images) AS trashed,
           sum(active_bytes) AS active_bytes, sum(trashed_bytes) AS trashed_bytes,
           sum(original_bytes) AS original, sum(latest_bytes) AS latest,
           sum(stored_bytes) AS stored
    FROM unnest(changes) GROUP BY platform_id, user_id
  ),
  posted AS (
    INSERT INTO usage_events (platform_id, user_id, upload_camera, upload_gallery,
                              upload_request, edits, deletions, active_images, original_bytes,
                              latest_bytes, stored_bytes)
    SELECT platform_id, user_id, camera, gallery, request, edits, deletions, active, original,
           latest, stored
    FROM account
    WHERE (camera, gallery, request, edits, deletions, active, original, latest, stored)
          <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
  )
  UPDATE users u
  SET active_images = u.active_images + a.active,
      trashed_images = u.trashed_images + a.trashed,
      active_bytes = u.active_bytes + a.active_bytes,
      trashed_bytes = u.trashed_bytes + a.trashed_bytes,
      stored_bytes = u.stored_bytes + a.stored
  FROM account a
  WHERE u.id = a.user_id
    AND (a.active, a.trashed, a.active_bytes, a.trashed_bytes, a.stored) <> (0, 0, 0, 0, 0);

INSERT INTO image_totals AS t (user_id, has_det, located, in_folder, active_images, trashed_images, active_bytes, trashed_bytes)
SELECT c.user_id, c.has_det, c.located, c.folder_id IS NOT NULL, sum(c.active_images), sum(c.trashed_images), sum(c.active_bytes), sum(c.trashed_bytes) FROM unnest(changes) AS c JOIN users u ON u.id = c.user_id
GROUP BY c.user_id, c.has_det, c.located, c.folder_id IS NOT NULL
HAVING (sum(c.active_images), sum(c.trashed_images), sum(c.active_bytes), sum(c.trashed_bytes)) <> (0, 0, 0, 0)
ORDER BY c.user_id, c.has_det, c.located, c.folder_id IS NOT NULL
ON CONFLICT (user_id, has_det, located, in_folder) DO UPDATE SET active_images = t.active_images + excluded.active_images, trashed_images = t.trashed_images + excluded.trashed_images, active_bytes = t.active_bytes + excluded.active_bytes, trashed_bytes = t.trashed_bytes + excluded.trashed_bytes;

INSERT INTO folder_totals AS t (folder_id, user_id, active_images, trashed_images, active_bytes, trashed_bytes)
SELECT c.folder_id, c.user_id, sum(c.active_images), sum(c.trashed_images), sum(c.active_bytes), sum(c.trashed_bytes) FROM unnest(changes) AS c JOIN folders f ON f.id = c.folder_id
GROUP BY c.folder_id, c.user_id
HAVING (sum(c.active_images), sum(c.trashed_images), sum(c.active_bytes), sum(c.trashed_bytes)) <> (0, 0, 0, 0)
ORDER BY c.folder_id, c.user_id
ON CONFLICT (folder_id) DO UPDATE SET active_images = t.active_images + excluded.active_images, trashed_images = t.trashed_images + excluded.trashed_images, active_bytes = t.active_bytes + excluded.active_bytes, trashed_bytes = t.trashed_bytes + excluded.trashed_bytes;
END $function$;

CREATE FUNCTION post_to_user(was image_change, now image_change, image uuid, act smallint)
RETURNS void LANGUAGE plpgsql AS $function$
DECLARE
  redrawn CONSTANT integer := ((was.located AND was.active_images > 0) <> (now.located AND now.active_images > 0)
    OR now.located AND now.active_images > 0
       AND (was.folder_id, was.has_det) IS DISTINCT FROM (now.folder_id, now.has_det))::integer;
BEGIN
  IF act IS NOT NULL THEN
    WITH head AS (
      UPDATE users u
      SET
        active_images = u.active_images + now.active_images - was.active_images,
        trashed_images = u.trashed_images + now.trashed_images - was.trashed_images,
        active_bytes = u.active_bytes + now.active_bytes - was.active_bytes,
        trashed_bytes = u.trashed_bytes + now.trashed_bytes - was.trashed_bytes,
        stored_bytes = u.stored_bytes + now.stored_bytes - was.stored_bytes,
        map_version = u.map_version + redrawn,
          change_seq = u.change_seq + 1, change_first = u.change_seq + 1, change_xact = own,
          change_position = greatest(u.change_position, own)
      FROM (
        SELECT pg_current_xact_id()::text::bigint + c.xid_offset AS own FROM feed_clock c OFFSET 0
      ) AS clock
      WHERE u.id = now.user_id AND u.change_xact <> own
      RETURNING u.platform_id, u.change_seq, u.change_position
    )
    INSERT INTO changes (user_id, seq, platform_id, feed_position, at, type, action, actor, id)
    SELECT now.user_id, change_seq, platform_id, change_position, clock_timestamp(), 1,
           act,
           CASE current_setting('imgstore.actor', true)
             WHEN 'platform' THEN 2 WHEN 'admin' THEN 3 WHEN 'system' THEN 4 ELSE 1 END,
           image
    FROM head;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  IF (now.active_images - was.active_images, now.trashed_images - was.trashed_images, now.active_bytes - was.active_bytes, now.trashed_bytes - was.trashed_bytes, now.stored_bytes - was.stored_bytes, redrawn) <> (0, 0, 0, 0, 0, 0) THEN
    UPDATE users u SET
        active_images = u.active_images + now.active_images - was.active_images,
        trashed_images = u.trashed_images + now.trashed_images - was.trashed_images,
        active_bytes = u.active_bytes + now.active_bytes - was.active_bytes,
        trashed_bytes = u.trashed_bytes + now.trashed_bytes - was.trashed_bytes,
        stored_bytes = u.stored_bytes + now.stored_bytes - was.stored_bytes,
        map_version = u.map_version + redrawn WHERE u.id = now.user_id;
  ELSE
    PERFORM FROM users WHERE id = now.user_id FOR NO KEY UPDATE;
  END IF;
  IF act IS NOT NULL THEN
    PERFORM post_change(now.user_id, 1::int2, act, image, NULL);
  END IF;
END $function$;

CREATE FUNCTION account_for_images() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  one record;
  changes image_change[];
  t record;
BEGIN
  CASE TG_OP
  WHEN 'INSERT' THEN
    IF (SELECT count(*) FROM (SELECT FROM new_rows LIMIT 2) AS few) = 1 THEN

SELECT (
image.user_id, image.platform_id, image.folder_id, image.has_det, image.located,
0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)::image_change AS before, (
image.user_id, image.platform_id, image.folder_id, image.has_det, image.located, image.active,
image.trashed, image.active * image.bytes, image.trashed * image.bytes, image.original,
image.latest, image.stored, (upload_type = 'camera')::int, (upload_type = 'gallery')::int, (upload_type = 'request')::int, 0, 0)::image_change AS after, image.id,
       0 AS action
INTO one FROM (SELECT id, user_id, platform_id, folder_id, coalesce(has_det::text, 'none') AS has_det,
location IS NOT NULL AS located, (deleted_at IS NULL)::int AS active,
(deleted_at IS NOT NULL)::int AS trashed, bytes, original_bytes AS original,
original_bytes + CASE WHEN edits > 0 THEN bytes ELSE 0 END AS latest,
original_bytes + edit_bytes AS stored, upload_type FROM new_rows) AS image;

      IF one.before <> one.after THEN
        PERFORM post_to_user(one.before, one.after, one.id, one.action::int2);
        PERFORM keep_image_totals(one.before, one.after);
      ELSIF one.action IS NOT NULL THEN
        PERFORM post_change((one.after).user_id, 1::int2, one.action::int2, one.id, NULL);
      END IF;
      RETURN NULL;
    END IF;

SELECT array_agg(c) INTO changes FROM (
  SELECT (user_id, platform_id, folder_id, has_det, located, sum(sign * active),
          sum(sign * trashed), sum(sign * active * bytes), sum(sign * trashed * bytes),
          sum(sign * original), sum(sign * latest), sum(sign * stored),
          count(*) FILTER (WHERE uploaded = 'camera'),
          count(*) FILTER (WHERE uploaded = 'gallery'),
          count(*) FILTER (WHERE uploaded = 'request'),
          sum(edited), sum(trashings))::image_change AS c
  FROM (
SELECT 1 AS sign, user_id, platform_id, folder_id, coalesce(has_det::text, 'none') AS has_det,
location IS NOT NULL AS located, (deleted_at IS NULL)::int AS active,
(deleted_at IS NOT NULL)::int AS trashed, bytes, original_bytes AS original,
original_bytes + CASE WHEN edits > 0 THEN bytes ELSE 0 END AS latest,
original_bytes + edit_bytes AS stored, upload_type AS uploaded, 0 AS edited, 0 AS trashings FROM new_rows) AS change
  GROUP BY user_id, platform_id, folder_id, has_det, located
  HAVING (sum(sign * active), sum(sign * trashed), sum(sign * active * bytes),
          sum(sign * trashed * bytes), sum(sign * original), sum(sign * latest),
          sum(sign * stored), sum(edited), sum(trashings)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
) AS changed;
    IF changes IS NOT NULL THEN
      PERFORM post_image_changes(changes);
    END IF;

    FOR t IN
      SELECT user_id, array_agg((1, action, id, image)::change_entry ORDER BY id)
               AS entries
      FROM (
      SELECT user_id, id, NULL::uuid AS image, 0 AS action FROM new_rows r
      WHERE true) AS told
      GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  WHEN 'UPDATE' THEN
    IF (SELECT count(*) FROM (SELECT FROM new_rows LIMIT 2) AS few) = 1 THEN

SELECT (
o.user_id, o.platform_id, o.folder_id, o.has_det, o.located, o.active,
o.trashed, o.active * o.bytes, o.trashed * o.bytes, o.original,
o.latest, o.stored, 0, 0, 0, o.edits, 0)::image_change AS before, (
n.user_id, n.platform_id, n.folder_id, n.has_det, n.located, n.active,
n.trashed, n.active * n.bytes, n.trashed * n.bytes, n.original,
n.latest, n.stored, 0, 0, 0, n.edits, 0)::image_change AS after,
       now.id, CASE

    WHEN was.deleted_at IS NULL AND now.deleted_at IS NOT NULL THEN 4
    WHEN was.deleted_at IS NOT NULL AND now.deleted_at IS NULL THEN 3
    WHEN was.folder_id IS DISTINCT FROM now.folder_id THEN 2
    WHEN (was.created_at, was.deleted_at, was.taken_at, was.location, was.address_road, was.address_land, was.address_land_number, was.building_name, was.address_sort, was.address_det, was.has_det, was.is_shared, was.is_signed, was.original_extension, was.original_name, was.direction, was.altitude_m, was.accuracy_m, was.camera) IS DISTINCT FROM (now.created_at, now.deleted_at, now.taken_at, now.location, now.address_road, now.address_land, now.address_land_number, now.building_name, now.address_sort, now.address_det, now.has_det, now.is_shared, now.is_signed, now.original_extension, now.original_name, now.direction, now.altitude_m, now.accuracy_m, now.camera) THEN 1
    WHEN was.version_id = now.version_id AND (was.filename, was.format, was.extension, was.display_extension, was.thumb_extension, was.hash, was.bytes, was.width, was.height, was.is_incomplete, was.thumbhash, was.edits) IS DISTINCT FROM (now.filename, now.format, now.extension, now.display_extension, now.thumb_extension, now.hash, now.bytes, now.width, now.height, now.is_incomplete, now.thumbhash, now.edits) THEN 1 END AS action
INTO one
FROM old_rows was, new_rows now,
     LATERAL (SELECT user_id, platform_id, folder_id, coalesce(has_det::text, 'none') AS has_det,
location IS NOT NULL AS located, (deleted_at IS NULL)::int AS active,
(deleted_at IS NOT NULL)::int AS trashed, bytes, original_bytes AS original,
original_bytes + CASE WHEN edits > 0 THEN bytes ELSE 0 END AS latest,
original_bytes + edit_bytes AS stored, edits FROM (SELECT was.*) AS image) AS o,
     LATERAL (SELECT user_id, platform_id, folder_id, coalesce(has_det::text, 'none') AS has_det,
location IS NOT NULL AS located, (deleted_at IS NULL)::int AS active,
(deleted_at IS NOT NULL)::int AS trashed, bytes, original_bytes AS original,
original_bytes + CASE WHEN edits > 0 THEN bytes ELSE 0 END AS latest,
original_bytes + edit_bytes AS stored, edits FROM (SELECT now.*) AS image) AS n;
      IF (one.before).user_id = (one.after).user_id THEN

      IF one.before <> one.after THEN
        PERFORM post_to_user(one.before, one.after, one.id, one.action::int2);
        PERFORM keep_image_totals(one.before, one.after);
      ELSIF one.action IS NOT NULL THEN
        PERFORM post_change((one.after).user_id, 1::int2, one.action::int2, one.id, NULL);
      END IF;
      RETURN NULL;
      END IF;
    END IF;

SELECT array_agg(c) INTO changes FROM (
  SELECT (user_id, platform_id, folder_id, has_det, located, sum(sign * active),
          sum(sign * trashed), sum(sign * active * bytes), sum(sign * trashed * bytes),
          sum(sign * original), sum(sign * latest), sum(sign * stored),
          count(*) FILTER (WHERE uploaded = 'camera'),
          count(*) FILTER (WHERE uploaded = 'gallery'),
          count(*) FILTER (WHERE uploaded = 'request'),
          sum(edited), sum(trashings))::image_change AS c
  FROM (
SELECT -1 AS sign, user_id, platform_id, folder_id, coalesce(has_det::text, 'none') AS has_det,
location IS NOT NULL AS located, (deleted_at IS NULL)::int AS active,
(deleted_at IS NOT NULL)::int AS trashed, bytes, original_bytes AS original,
original_bytes + CASE WHEN edits > 0 THEN bytes ELSE 0 END AS latest,
original_bytes + edit_bytes AS stored, NULL AS uploaded, -edits AS edited, 0 AS trashings FROM old_rows
UNION ALL
SELECT 1, user_id, platform_id, folder_id, coalesce(has_det::text, 'none') AS has_det,
location IS NOT NULL AS located, (deleted_at IS NULL)::int AS active,
(deleted_at IS NOT NULL)::int AS trashed, bytes, original_bytes AS original,
original_bytes + CASE WHEN edits > 0 THEN bytes ELSE 0 END AS latest,
original_bytes + edit_bytes AS stored, NULL, edits,
       (deleted_at IS NOT NULL
        AND id IN (SELECT id FROM old_rows WHERE deleted_at IS NULL))::int FROM new_rows) AS change
  GROUP BY user_id, platform_id, folder_id, has_det, located
  HAVING (sum(sign * active), sum(sign * trashed), sum(sign * active * bytes),
          sum(sign * trashed * bytes), sum(sign * original), sum(sign * latest),
          sum(sign * stored), sum(edited), sum(trashings)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
) AS changed;
    IF changes IS NOT NULL THEN
      PERFORM post_image_changes(changes);
    END IF;

    FOR t IN
      SELECT user_id, array_agg((1, action, id, image)::change_entry ORDER BY id)
               AS entries
      FROM (SELECT (states[2]).user_id, id, NULL::uuid AS image,
              images_action(states[1], states[2]) AS action
       FROM (
         SELECT id, array_agg(state ORDER BY time) AS states
         FROM (SELECT id, 1 AS time, ROW(r.*)::images AS state FROM old_rows r
               UNION ALL SELECT id, 2, ROW(r.*)::images FROM new_rows r) AS state
         GROUP BY id OFFSET 0
       ) AS changed
       WHERE images_action(states[1], states[2]) IS NOT NULL) AS told
      GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  ELSE

SELECT array_agg(c) INTO changes FROM (
  SELECT (user_id, platform_id, folder_id, has_det, located, sum(sign * active),
          sum(sign * trashed), sum(sign * active * bytes), sum(sign * trashed * bytes),
          sum(sign * original), sum(sign * latest), sum(sign * stored),
          count(*) FILTER (WHERE uploaded = 'camera'),
          count(*) FILTER (WHERE uploaded = 'gallery'),
          count(*) FILTER (WHERE uploaded = 'request'),
          sum(edited), sum(trashings))::image_change AS c
  FROM (
SELECT -1 AS sign, user_id, platform_id, folder_id, coalesce(has_det::text, 'none') AS has_det,
location IS NOT NULL AS located, (deleted_at IS NULL)::int AS active,
(deleted_at IS NOT NULL)::int AS trashed, bytes, original_bytes AS original,
original_bytes + CASE WHEN edits > 0 THEN bytes ELSE 0 END AS latest,
original_bytes + edit_bytes AS stored, NULL AS uploaded, 0 AS edited,
       (deleted_at IS NULL)::int AS trashings FROM old_rows) AS change
  GROUP BY user_id, platform_id, folder_id, has_det, located
  HAVING (sum(sign * active), sum(sign * trashed), sum(sign * active * bytes),
          sum(sign * trashed * bytes), sum(sign * original), sum(sign * latest),
          sum(sign * stored), sum(edited), sum(trashings)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
) AS changed;
    IF changes IS NOT NULL THEN
      PERFORM post_image_changes(changes);
    END IF;

    FOR t IN
      SELECT user_id, array_agg((1, action, id, image)::change_entry ORDER BY id)
               AS entries
      FROM (
      SELECT user_id, id, NULL::uuid AS image, 5 AS action FROM old_rows r
      WHERE true) AS told
      GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;

    -- No key does this, which would subtract from the user's row once per image.
    FOR t IN
      WITH forgotten AS (
        DELETE FROM annotation_totals a USING old_rows o WHERE a.image_id = o.id
        RETURNING o.user_id, a.text_bytes
      )
      SELECT user_id, sum(text_bytes) AS bytes FROM forgotten
      GROUP BY user_id HAVING sum(text_bytes) > 0 ORDER BY user_id
    LOOP
      UPDATE users u SET text_bytes = u.text_bytes - t.bytes WHERE u.id = t.user_id;
    END LOOP;
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

CREATE FUNCTION reclaim_versions() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  INSERT INTO object_reclaim (key, not_before, waits, bytes)
  SELECT o.platform_id || '/' || o.user_id || '/' || o.image_id || '/' || o.id || '/' || n.name,
         now(), true, n.bytes
  FROM old_rows o
  CROSS JOIN LATERAL (VALUES ('original.' || o.extension, o.bytes), ('display.' || o.display_extension, 0),
                             ('thumb.' || o.thumb_extension, 0), ('full.' || o.full_extension, 0))
    AS n (name, bytes)
  WHERE n.name IS NOT NULL
  ON CONFLICT (key) DO UPDATE SET not_before = excluded.not_before, waits = true, bytes = excluded.bytes;
  RETURN NULL;
END $function$;

CREATE TRIGGER reclaim_deleted_versions AFTER DELETE ON image_versions
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION reclaim_versions();

CREATE FUNCTION searchable_filename(image images) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN searchable(image.filename || coalesce(U&'\001F' || image.original_name, ''));

CREATE FUNCTION searchable_address(image images) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN nullif(searchable(
    coalesce(image.address_road, '') || U&'\001F' || coalesce(image.address_land, '') ||
    U&'\001F' || coalesce(image.address_land_number, '') || U&'\001F' ||
    coalesce(image.building_name, '') || U&'\001F' || coalesce(image.address_sort, '') ||
    U&'\001F' || coalesce(image.address_det, '')), repeat(U&'\001F', 5));

CREATE FUNCTION keep_image_texts() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO image_texts (image_id, user_id, filename, address)
    VALUES (NEW.id, NEW.user_id, searchable_filename(NEW), searchable_address(NEW));
  ELSE
    UPDATE image_texts
    SET user_id = NEW.user_id, filename = searchable_filename(NEW),
        address = searchable_address(NEW)
    WHERE image_id = NEW.id;
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER keep_texts AFTER INSERT OR UPDATE OF user_id, filename, original_name, address_road,
    address_land, address_land_number, building_name, address_sort, address_det ON images
  FOR EACH ROW EXECUTE FUNCTION keep_image_texts();
