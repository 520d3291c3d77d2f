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
    WHEN (was.title, was.created_at) IS DISTINCT FROM (now.title, now.created_at) THEN 1 END;
END $function$;

-- Once per statement: entries posted one by one would each be looked for among all before them.
CREATE FUNCTION post_folders() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  users uuid[];
  ids uuid[];
  actions smallint[];
  t record;
BEGIN
  CASE TG_OP
  WHEN 'INSERT' THEN
    SELECT array_agg(user_id), array_agg(id), array_agg(0::smallint) INTO users, ids, actions FROM new_rows;
  WHEN 'DELETE' THEN
    -- One whose images are deleted in batches has been told of when that began.
    SELECT array_agg(user_id), array_agg(id), array_agg(5::smallint) INTO users, ids, actions
    FROM old_rows WHERE deleting_at IS NULL;
  ELSE
    SELECT array_agg((states[2]).user_id), array_agg((states[2]).id),
           array_agg(folders_action(states[1], states[2]))
    INTO users, ids, actions
    FROM (
      SELECT array_agg(state ORDER BY time) AS states
      FROM (SELECT id, 1 AS time, ROW(r.*)::folders AS state FROM old_rows r
            UNION ALL SELECT id, 2, ROW(r.*)::folders FROM new_rows r) AS state
      GROUP BY id OFFSET 0
    ) AS changed;
  END CASE;
  FOR t IN
    SELECT user_id, array_agg((3, action, id, NULL)::change_entry ORDER BY id) AS entries
    FROM unnest(users, ids, actions) AS changed (user_id, id, action)
    WHERE action IS NOT NULL GROUP BY user_id ORDER BY user_id
  LOOP
    PERFORM post_changes(t.user_id, t.entries);
  END LOOP;
  RETURN NULL;
END $function$;

CREATE TRIGGER post_inserted AFTER INSERT ON folders REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION post_folders();
CREATE TRIGGER post_updated AFTER UPDATE ON folders
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION post_folders();
CREATE TRIGGER post_deleted AFTER DELETE ON folders REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION post_folders();

-- Whatever changes in a row shows in its record.
CREATE FUNCTION post_upload_set() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM post_change(OLD.user_id, 6::int2, 5::int2, OLD.id, NULL);
  ELSE
    PERFORM post_change(NEW.user_id, 6::int2, (TG_OP = 'UPDATE')::int::int2, NEW.id, NULL);
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER post_upload_set AFTER INSERT OR UPDATE OR DELETE ON upload_sets
  FOR EACH ROW EXECUTE FUNCTION post_upload_set();

-- Visits are nothing to tell.
CREATE FUNCTION post_link() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM post_change(NEW.user_id, 8::int2, 0::int2, NEW.id, NULL);
  ELSIF (OLD.title, OLD.message, OLD.password_hash, OLD.allow_download, OLD.show_place, OLD.is_paused,
         OLD.expires_at, OLD.deleted_at)
        IS DISTINCT FROM
        (NEW.title, NEW.message, NEW.password_hash, NEW.allow_download, NEW.show_place, NEW.is_paused,
         NEW.expires_at, NEW.deleted_at) THEN
    PERFORM post_change(NEW.user_id, 8::int2,
                        CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE 5 END::int2, NEW.id, NULL);
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER post_link AFTER INSERT OR UPDATE ON links FOR EACH ROW EXECUTE FUNCTION post_link();
