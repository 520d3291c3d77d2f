-- What the change feed is told of each table. A plan made for one row has to do for many: nothing joins two
-- transition tables, which would be one loop within another.

CREATE FUNCTION images_action(was images, now images) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $function$
BEGIN
  RETURN CASE

    WHEN was.deleted_at IS NULL AND now.deleted_at IS NOT NULL THEN 4
    WHEN was.deleted_at IS NOT NULL AND now.deleted_at IS NULL THEN 3
    WHEN was.folder_id IS DISTINCT FROM now.folder_id THEN 2
    WHEN (was.created_at, was.deleted_at, was.taken_at, was.location, was.address_road, was.address_land, was.address_land_number, was.building_name, was.address_sort, was.address_det, was.has_det, was.is_shared, was.is_signed, was.original_extension, was.original_name, was.direction, was.altitude_m, was.accuracy_m, was.camera) IS DISTINCT FROM (now.created_at, now.deleted_at, now.taken_at, now.location, now.address_road, now.address_land, now.address_land_number, now.building_name, now.address_sort, now.address_det, now.has_det, now.is_shared, now.is_signed, now.original_extension, now.original_name, now.direction, now.altitude_m, now.accuracy_m, now.camera) THEN 1
    WHEN was.version_id = now.version_id AND (was.filename, was.format, was.extension, was.display_extension, was.thumb_extension, was.hash, was.bytes, was.width, was.height, was.is_incomplete, was.thumbhash, was.edits) IS DISTINCT FROM (now.filename, now.format, now.extension, now.display_extension, now.thumb_extension, now.hash, now.bytes, now.width, now.height, now.is_incomplete, now.thumbhash, now.edits) THEN 1 END;
END $function$;

CREATE FUNCTION folders_action(was folders, now folders) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $function$
BEGIN
  RETURN CASE

    WHEN was.deleting_at IS NULL AND now.deleting_at IS NOT NULL THEN 5
    WHEN was.deleted_at IS NULL AND now.deleted_at IS NOT NULL THEN 4
    WHEN was.deleted_at IS NOT NULL AND now.deleted_at IS NULL THEN 3
    WHEN was.parent_id IS DISTINCT FROM now.parent_id THEN 2
    WHEN (was.title, was.created_at, was.deleted_at) IS DISTINCT FROM (now.title, now.created_at, now.deleted_at) THEN 1 END;
END $function$;

CREATE FUNCTION memos_action(was memos, now memos) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $function$
BEGIN
  RETURN CASE WHEN (was.message, was.is_client) IS DISTINCT FROM (now.message, now.is_client) THEN 1 END;
END $function$;

CREATE FUNCTION customs_action(was customs, now customs) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $function$
BEGIN
  RETURN CASE WHEN (was.key, was.value) IS DISTINCT FROM (now.key, now.value) THEN 1 END;
END $function$;

CREATE FUNCTION post_folders() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  t record;
BEGIN
  CASE TG_OP
  WHEN 'INSERT' THEN
    IF (SELECT count(*) FROM (SELECT FROM new_rows LIMIT 2) AS few) < 2 THEN

      PERFORM post_change(user_id, 3::int2, 0::int2, id, NULL::uuid)
      FROM new_rows r WHERE true;
      RETURN NULL;
    END IF;

    FOR t IN
      SELECT user_id, array_agg((3, action, id, image)::change_entry ORDER BY id)
               AS entries
      FROM (
      SELECT user_id, id, NULL::uuid AS image, 0 AS action FROM new_rows r
      WHERE true) AS told
      GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  WHEN 'UPDATE' THEN
    IF (SELECT count(*) FROM (SELECT FROM new_rows LIMIT 2) AS few) < 2 THEN
      PERFORM post_change(now.user_id, 3::int2, action::int2, now.id,
                          NULL::uuid)
      FROM old_rows was, new_rows now, LATERAL (SELECT CASE

    WHEN was.deleting_at IS NULL AND now.deleting_at IS NOT NULL THEN 5
    WHEN was.deleted_at IS NULL AND now.deleted_at IS NOT NULL THEN 4
    WHEN was.deleted_at IS NOT NULL AND now.deleted_at IS NULL THEN 3
    WHEN was.parent_id IS DISTINCT FROM now.parent_id THEN 2
    WHEN (was.title, was.created_at, was.deleted_at) IS DISTINCT FROM (now.title, now.created_at, now.deleted_at) THEN 1 END AS action OFFSET 0) AS c
      WHERE action IS NOT NULL;
      RETURN NULL;
    END IF;

    FOR t IN
      SELECT user_id, array_agg((3, action, id, image)::change_entry ORDER BY id)
               AS entries
      FROM (SELECT (states[2]).user_id, id, NULL::uuid AS image,
              folders_action(states[1], states[2]) AS action
       FROM (
         SELECT id, array_agg(state ORDER BY time) AS states
         FROM (SELECT id, 1 AS time, ROW(r.*)::folders AS state FROM old_rows r
               UNION ALL SELECT id, 2, ROW(r.*)::folders FROM new_rows r) AS state
         GROUP BY id OFFSET 0
       ) AS changed
       WHERE folders_action(states[1], states[2]) IS NOT NULL) AS told
      GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  ELSE
    IF (SELECT count(*) FROM (SELECT FROM old_rows LIMIT 2) AS few) < 2 THEN

      PERFORM post_change(user_id, 3::int2, 5::int2, id, NULL::uuid)
      FROM old_rows r WHERE deleting_at IS NULL;
      RETURN NULL;
    END IF;

    FOR t IN
      SELECT user_id, array_agg((3, action, id, image)::change_entry ORDER BY id)
               AS entries
      FROM (
      SELECT user_id, id, NULL::uuid AS image, 5 AS action FROM old_rows r
      WHERE deleting_at IS NULL) AS told
      GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  END CASE;
  RETURN NULL;
END $function$;

CREATE TRIGGER post_inserted AFTER INSERT ON folders REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION post_folders();
CREATE TRIGGER post_updated AFTER UPDATE ON folders
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION post_folders();
CREATE TRIGGER post_deleted AFTER DELETE ON folders REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION post_folders();

CREATE FUNCTION post_image_versions() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  t record;
BEGIN
  IF EXISTS (SELECT FROM new_rows WHERE version > 0) THEN

    FOR t IN
      SELECT user_id, array_agg((2, action, id, image)::change_entry ORDER BY id)
               AS entries
      FROM (SELECT user_id, id, image_id AS image, 0 AS action FROM new_rows
       WHERE version > 0) AS told
      GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER post_inserted AFTER INSERT ON image_versions REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION post_image_versions();

CREATE FUNCTION post_upload_sets() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  t record;
BEGIN
  CASE TG_OP
  WHEN 'INSERT' THEN
    FOR t IN
      SELECT user_id, array_agg((6, 0, id, NULL)::change_entry ORDER BY id)
               AS entries
      FROM new_rows GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  WHEN 'UPDATE' THEN
    FOR t IN
      SELECT user_id, array_agg((6, 1, id, NULL)::change_entry ORDER BY id)
               AS entries
      FROM new_rows GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  ELSE
    FOR t IN
      SELECT user_id, array_agg((6, 5, id, NULL)::change_entry ORDER BY id)
               AS entries
      FROM old_rows GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  END CASE;
  RETURN NULL;
END $function$;

CREATE TRIGGER post_inserted AFTER INSERT ON upload_sets REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION post_upload_sets();
CREATE TRIGGER post_updated AFTER UPDATE ON upload_sets REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION post_upload_sets();
CREATE TRIGGER post_deleted AFTER DELETE ON upload_sets REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION post_upload_sets();

-- Visits are nothing to tell.
CREATE FUNCTION post_link() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  PERFORM post_change(
    NEW.user_id, 8::int2,
    CASE WHEN TG_OP = 'INSERT' THEN 0 WHEN NEW.deleted_at IS NOT NULL THEN 5 ELSE 1 END::int2,
    NEW.id, NULL);
  RETURN NULL;
END $function$;

CREATE TRIGGER post_link AFTER INSERT ON links FOR EACH ROW EXECUTE FUNCTION post_link();
CREATE TRIGGER post_changed_link AFTER UPDATE ON links FOR EACH ROW
  -- Not as rows: a restored condition would have other parentheses.
  WHEN (OLD.title IS DISTINCT FROM NEW.title
        OR OLD.message IS DISTINCT FROM NEW.message
        OR OLD.password_hash IS DISTINCT FROM NEW.password_hash
        OR OLD.allow_download IS DISTINCT FROM NEW.allow_download
        OR OLD.show_place IS DISTINCT FROM NEW.show_place
        OR OLD.is_paused IS DISTINCT FROM NEW.is_paused
        OR OLD.expires_at IS DISTINCT FROM NEW.expires_at
        OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION post_link();
