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

-- A folder before and after a statement.
CREATE TYPE folder_change AS (was folders, now folders);

-- Tells of changes of folders, and keeps what holds are on. Once per statement: entries posted one by one would
-- each be looked for among all before them.
CREATE FUNCTION keep_folders() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  changed folder_change[];
  t record;
BEGIN
  CASE TG_OP
  WHEN 'INSERT' THEN
    SELECT array_agg((NULL, ROW(n.*)::folders)::folder_change) INTO changed FROM new_rows n;
  WHEN 'DELETE' THEN
    SELECT array_agg((ROW(o.*)::folders, NULL)::folder_change) INTO changed FROM old_rows o;
  ELSE
    SELECT array_agg((states[1], states[2])::folder_change) INTO changed
    FROM (
      SELECT array_agg(state ORDER BY time) AS states
      FROM (SELECT id, 1 AS time, ROW(r.*)::folders AS state FROM old_rows r
            UNION ALL SELECT id, 2, ROW(r.*)::folders FROM new_rows r) AS state
      GROUP BY id OFFSET 0
    ) AS pairs;
  END CASE;
  FOR t IN
    SELECT user_id, array_agg((3, action, id, NULL)::change_entry ORDER BY id) AS entries
    FROM (
      SELECT coalesce((now).user_id, (was).user_id) AS user_id, coalesce((now).id, (was).id) AS id,
             CASE
               WHEN (was).id IS NULL THEN 0
               WHEN (was).deleting_at IS NULL AND ((now).id IS NULL OR (now).deleting_at IS NOT NULL) THEN 5
               -- One whose images are deleted in batches has been told of when that began.
               WHEN (now).id IS NULL THEN NULL
               WHEN (was).deleted_at IS NULL AND (now).deleted_at IS NOT NULL THEN 4
               WHEN (was).deleted_at IS NOT NULL AND (now).deleted_at IS NULL THEN 3
               WHEN (was).parent_id IS DISTINCT FROM (now).parent_id THEN 2
               WHEN ((was).title, (was).created_at) <> ((now).title, (now).created_at) THEN 1 END AS action
      FROM unnest(changed)
    ) AS told
    WHERE action IS NOT NULL GROUP BY user_id ORDER BY user_id
  LOOP
    PERFORM post_changes(t.user_id, t.entries);
  END LOOP;
  IF TG_OP <> 'INSERT' AND EXISTS (SELECT FROM held) THEN
    PERFORM stay_held('folder', (now).user_id, (now).id, (was).parent_id, (now).parent_id) FROM unnest(changed)
    WHERE TG_OP = 'UPDATE' AND (was).parent_id IS DISTINCT FROM (now).parent_id;
    -- Refused when they are marked, before anybody is told that they are deleted; those below are marked later, and
    -- a hold that was made meanwhile does not find them. One that is deleted unmarked is empty, and is found by
    -- itself or by what it was in: what is deleted with it hangs on something that is not.
    PERFORM refuse_held(CASE TG_OP WHEN 'UPDATE' THEN hold_on_tree((was).user_id, (was).id, now()) ELSE (
        SELECT k.hold_id FROM held_of((was).user_id, now()) k
        WHERE k.kind = 'user' OR k.id IN ((was).id, (was).parent_id) ORDER BY k.hold_id LIMIT 1) END)
    FROM unnest(changed)
    WHERE (was).deleting_at IS NULL AND ((now).id IS NULL OR (now).deleting_at IS NOT NULL)
      AND EXISTS (SELECT FROM held WHERE user_id = (was).user_id) AND NOT is_being_deleted((was).parent_id);
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER keep_inserted AFTER INSERT ON folders REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_folders();
CREATE TRIGGER keep_updated AFTER UPDATE ON folders
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_folders();
CREATE TRIGGER keep_deleted AFTER DELETE ON folders REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_folders();

-- What changes in the row of an upload set or link shows in its record, but for visits, which are nothing to tell.
CREATE FUNCTION post_row() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  untold CONSTANT text[] := '{visits,last_visit_at,secret_hash,sealed_secret,updated_at}';
  was CONSTANT jsonb := to_jsonb(OLD) - untold;
  now CONSTANT jsonb := to_jsonb(NEW) - untold;
BEGIN
  IF was IS DISTINCT FROM now THEN
    PERFORM post_change(coalesce(NEW.user_id, OLD.user_id), TG_ARGV[0]::smallint, CASE
      WHEN was IS NULL THEN 0 WHEN now IS NULL OR now->>'deleted_at' IS NOT NULL THEN 5 ELSE 1 END::smallint,
      coalesce(NEW.id, OLD.id), NULL);
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER post_row AFTER INSERT OR UPDATE OR DELETE ON upload_sets
  FOR EACH ROW EXECUTE FUNCTION post_row(6);
CREATE TRIGGER post_row AFTER INSERT OR UPDATE ON links FOR EACH ROW EXECUTE FUNCTION post_row(8);
