-- A statement that changes images keeps the accounts of users and tells the change feed in one pass
-- (docs/adr/0003, docs/adr/0015): one image, which is nearly always, step by step as it changes; many by what
-- all rows before and after it count, gathered first, with plans that read by keys.

-- What an image counts, negative before a change and positive after it.
CREATE TYPE image_fact AS (
  id uuid, user_id uuid, platform_id uuid, folder_id uuid, has_det text, location geography,
  is_active boolean, bytes bigint, created_at timestamptz, taken_at timestamptz, uploaded_at timestamptz,
  sign bigint, active bigint, trashed bigint, active_bytes bigint, trashed_bytes bigint,
  original bigint, latest bigint, stored bigint,
  camera bigint, gallery bigint, request bigint, edits bigint, action smallint
);

-- The action (changes.sql) is that of the change; null: none that is told, or before one.
CREATE FUNCTION fact_of(i images, sign bigint, action integer) RETURNS image_fact
LANGUAGE plpgsql IMMUTABLE AS $function$
DECLARE
  active CONSTANT bigint := CASE WHEN i.deleted_at IS NULL THEN sign ELSE 0 END;
  trashed CONSTANT bigint := sign - active;
  is_new CONSTANT boolean := action IS NOT DISTINCT FROM 0;
BEGIN
  RETURN ROW(
    i.id, i.user_id, i.platform_id, i.folder_id, coalesce(i.has_det::text, 'none'), i.location,
    active <> 0, i.bytes, i.created_at, i.taken_at, i.uploaded_at,
    sign, active, trashed, active * i.bytes, trashed * i.bytes,
    sign * i.original_bytes, sign * (i.original_bytes + CASE WHEN i.edits > 0 THEN i.bytes ELSE 0 END),
    sign * (i.original_bytes + i.edit_bytes),
    (is_new AND i.upload_type = 'camera')::int, (is_new AND i.upload_type = 'gallery')::int,
    (is_new AND i.upload_type = 'request')::int,
    CASE WHEN action IN (0, 5) THEN 0 ELSE sign * i.edits END, action)::image_fact;
END $function$;

-- What users have of each kind, and folders.
CREATE FUNCTION count_totals(facts image_fact[]) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $function$
BEGIN
  INSERT INTO image_totals AS t (user_id, has_det, located, in_folder, active_images, trashed_images,
                                 active_bytes, trashed_bytes)
  SELECT f.user_id, f.has_det, f.location IS NOT NULL, f.folder_id IS NOT NULL, sum(f.active),
         sum(f.trashed), sum(f.active_bytes), sum(f.trashed_bytes)
  FROM unnest(facts) AS f WHERE EXISTS (SELECT FROM users u WHERE u.id = f.user_id)
  GROUP BY f.user_id, f.has_det, f.location IS NOT NULL, f.folder_id IS NOT NULL
  HAVING (sum(f.active), sum(f.trashed), sum(f.active_bytes), sum(f.trashed_bytes)) <> (0, 0, 0, 0)
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (user_id, has_det, located, in_folder) DO UPDATE
  SET active_images = t.active_images + excluded.active_images,
      trashed_images = t.trashed_images + excluded.trashed_images,
      active_bytes = t.active_bytes + excluded.active_bytes,
      trashed_bytes = t.trashed_bytes + excluded.trashed_bytes;
  INSERT INTO folder_totals AS t (folder_id, user_id, active_images, trashed_images, active_bytes,
                                  trashed_bytes)
  SELECT f.folder_id, f.user_id, sum(f.active), sum(f.trashed), sum(f.active_bytes),
         sum(f.trashed_bytes)
  FROM unnest(facts) AS f WHERE f.folder_id IS NOT NULL
  GROUP BY f.folder_id, f.user_id
  HAVING (sum(f.active), sum(f.trashed), sum(f.active_bytes), sum(f.trashed_bytes)) <> (0, 0, 0, 0)
  ORDER BY 1, 2
  ON CONFLICT (folder_id) DO UPDATE
  SET active_images = t.active_images + excluded.active_images,
      trashed_images = t.trashed_images + excluded.trashed_images,
      active_bytes = t.active_bytes + excluded.active_bytes,
      trashed_bytes = t.trashed_bytes + excluded.trashed_bytes;
END $function$;

-- Accounts for one image of a user, who is locked; no row before it came, and none when it is gone.
CREATE FUNCTION count_image(was images, now images, act integer) RETURNS void
LANGUAGE plpgsql AS $function$
DECLARE
  o CONSTANT image_fact := CASE WHEN was.id IS NULL THEN fact_of(now, 0, NULL)
    ELSE fact_of(was, -1, CASE WHEN now.id IS NULL THEN act END) END;
  n CONSTANT image_fact := CASE WHEN now.id IS NULL THEN fact_of(was, 0, NULL)
    ELSE fact_of(now, 1, act) END;
  active CONSTANT bigint := o.active + n.active;
  trashed CONSTANT bigint := o.trashed + n.trashed;
  more_active CONSTANT bigint := o.active_bytes + n.active_bytes;
  more_trashed CONSTANT bigint := o.trashed_bytes + n.trashed_bytes;
  original CONSTANT bigint := o.original + n.original;
  latest CONSTANT bigint := o.latest + n.latest;
  stored CONSTANT bigint := o.stored + n.stored;
  redrawn CONSTANT integer := (CASE WHEN o.is_active AND o.location IS NOT NULL
      THEN ROW(o.location, o.folder_id, o.has_det, o.created_at, o.taken_at) END
    IS DISTINCT FROM CASE WHEN n.is_active AND n.location IS NOT NULL
      THEN ROW(n.location, n.folder_id, n.has_det, n.created_at, n.taken_at) END)::integer;
BEGIN
  IF (active, original, latest, stored, o.edits + n.edits) <> (0, 0, 0, 0, 0) THEN
    INSERT INTO usage_events (platform_id, user_id, upload_camera, upload_gallery, upload_request,
                              edits, deletions, active_images, original_bytes, latest_bytes,
                              stored_bytes)
    VALUES (n.platform_id, n.user_id, n.camera, n.gallery, n.request, o.edits + n.edits,
            greatest(-active, 0), active, original, latest, stored);
  END IF;
  IF (active, trashed, more_active, more_trashed, stored, redrawn) <> (0, 0, 0, 0, 0, 0) THEN
    UPDATE users u
    SET active_images = u.active_images + active, trashed_images = u.trashed_images + trashed,
        active_bytes = u.active_bytes + more_active, trashed_bytes = u.trashed_bytes + more_trashed,
        stored_bytes = u.stored_bytes + stored, map_version = u.map_version + redrawn
    WHERE u.id = n.user_id;
  END IF;
  IF (o.has_det, o.location IS NULL, o.folder_id) IS DISTINCT FROM
       (n.has_det, n.location IS NULL, n.folder_id)
     OR (active, trashed, more_active, more_trashed) <> (0, 0, 0, 0) THEN
    PERFORM count_totals(ARRAY[o, n]);
  END IF;
  IF (was.location, was.deleted_at IS NULL, was.bytes, was.created_at)
     IS NOT DISTINCT FROM (now.location, now.deleted_at IS NULL, now.bytes, now.created_at) THEN
    RETURN;
  END IF;
  IF was.location = now.location THEN
    PERFORM count_at_place(now.location, was, now);
    RETURN;
  END IF;
  IF was.location IS NOT NULL THEN
    PERFORM count_at_place(was.location, was, NULL);
  END IF;
  IF now.location IS NOT NULL THEN
    PERFORM count_at_place(now.location, NULL, now);
  END IF;
END $function$;

-- The same for many images.
CREATE FUNCTION count_images(facts image_fact[]) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $function$
BEGIN
  PERFORM FROM users WHERE id IN (SELECT user_id FROM unnest(facts)) ORDER BY id
  FOR NO KEY UPDATE;
  WITH account AS MATERIALIZED (
    SELECT platform_id, user_id, sum(camera) AS camera, sum(gallery) AS gallery,
           sum(request) AS request, sum(edits) AS edits, greatest(-sum(active), 0) AS deletions,
           sum(active) AS active, sum(trashed) AS trashed, sum(active_bytes) AS active_bytes,
           sum(trashed_bytes) AS trashed_bytes, sum(original) AS original, sum(latest) AS latest,
           sum(stored) AS stored
    FROM unnest(facts) GROUP BY platform_id, user_id
  ),
  posted AS (
    INSERT INTO usage_events (platform_id, user_id, upload_camera, upload_gallery, upload_request,
                              edits, deletions, active_images, original_bytes, latest_bytes,
                              stored_bytes)
    SELECT platform_id, user_id, camera, gallery, request, edits, deletions, active, original,
           latest, stored
    FROM account WHERE (active, original, latest, stored, edits) <> (0, 0, 0, 0, 0)
  ),
  redrawn AS MATERIALIZED (
    SELECT DISTINCT user_id FROM (
      SELECT user_id FROM unnest(facts) WHERE location IS NOT NULL AND is_active
      GROUP BY user_id, id, location, folder_id, has_det, created_at, taken_at HAVING sum(sign) <> 0
    ) AS drawn
  )
  UPDATE users u
  SET active_images = u.active_images + a.active, trashed_images = u.trashed_images + a.trashed,
      active_bytes = u.active_bytes + a.active_bytes,
      trashed_bytes = u.trashed_bytes + a.trashed_bytes, stored_bytes = u.stored_bytes + a.stored,
      map_version = u.map_version + (r.user_id IS NOT NULL)::int
  FROM account a LEFT JOIN redrawn r ON r.user_id = a.user_id
  WHERE u.id = a.user_id
    AND (r.user_id IS NOT NULL
      OR (a.active, a.trashed, a.active_bytes, a.trashed_bytes, a.stored) <> (0, 0, 0, 0, 0));
  PERFORM count_totals(facts);
  PERFORM count_places(facts);
END $function$;

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

CREATE FUNCTION keep_texts(changed images[]) RETURNS void LANGUAGE plpgsql AS $function$
BEGIN
  INSERT INTO image_texts (image_id, user_id, filename, address)
  SELECT i.id, i.user_id, searchable_filename(i), searchable_address(i)
  FROM unnest(changed) AS i
  ON CONFLICT (image_id) DO UPDATE
  SET user_id = excluded.user_id, filename = excluded.filename, address = excluded.address;
END $function$;

CREATE FUNCTION account_for_images() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  was images;
  now images;
  rows integer;
  act smallint;
  facts image_fact[];
  renamed uuid[];
  t record;
BEGIN
  IF TG_OP = 'DELETE' THEN
    SELECT count(*) INTO rows FROM (SELECT FROM old_rows LIMIT 2) AS few;
  ELSE
    SELECT count(*) INTO rows FROM (SELECT FROM new_rows LIMIT 2) AS few;
  END IF;
  IF rows = 0 THEN
    RETURN NULL;
  END IF;
  IF rows = 1 THEN
    IF TG_OP <> 'INSERT' THEN SELECT * INTO was FROM old_rows; END IF;
    IF TG_OP <> 'DELETE' THEN SELECT * INTO now FROM new_rows; END IF;
    PERFORM FROM users WHERE id = coalesce(now.user_id, was.user_id) FOR NO KEY UPDATE;
    IF FOUND AND (TG_OP <> 'UPDATE' OR was.user_id = now.user_id) THEN
      act := CASE TG_OP WHEN 'INSERT' THEN 0 WHEN 'DELETE' THEN 5 ELSE images_action(was, now) END;
      PERFORM count_image(was, now, act);
      IF TG_OP <> 'DELETE' AND
         (was.user_id, was.filename, was.original_name, was.address_road, was.address_land,
          was.address_land_number, was.building_name, was.address_sort, was.address_det)
         IS DISTINCT FROM
         (now.user_id, now.filename, now.original_name, now.address_road, now.address_land,
          now.address_land_number, now.building_name, now.address_sort, now.address_det) THEN
        PERFORM keep_texts(ARRAY[now]);
      END IF;
      IF act IS NOT NULL THEN
        PERFORM post_change(coalesce(now.user_id, was.user_id), 1::int2, act, coalesce(now.id, was.id), NULL);
      END IF;
      -- Asked first whether there is anything to note: most changes are of something else.
      IF TG_OP <> 'UPDATE' OR
         (was.version, was.hash, was.location, was.taken_at, was.created_at, was.folder_id, was.deleted_at,
          was.address_road, was.address_land, was.address_land_number, was.building_name, was.address_sort,
          was.address_det)
         IS DISTINCT FROM
         (now.version, now.hash, now.location, now.taken_at, now.created_at, now.folder_id, now.deleted_at,
          now.address_road, now.address_land, now.address_land_number, now.building_name, now.address_sort,
          now.address_det) THEN
        PERFORM note_custody(was, now);
      END IF;
      IF was.folder_id IS DISTINCT FROM now.folder_id AND TG_OP = 'UPDATE' AND EXISTS (SELECT FROM held) THEN
        PERFORM stay_held('image', now.user_id, now.id, was.folder_id, now.folder_id);
      END IF;
      IF TG_OP <> 'DELETE' THEN
        RETURN NULL;
      END IF;
      rows := 0;
    END IF;
  END IF;
  IF rows > 0 THEN
    CASE TG_OP
    WHEN 'INSERT' THEN
      SELECT array_agg(fact_of(r, 1, 0)) INTO facts FROM new_rows r;
    WHEN 'DELETE' THEN
      SELECT array_agg(fact_of(r, -1, 5)) INTO facts FROM old_rows r;
    ELSE
      -- No join of the two, which would be one loop within another.
      SELECT array_agg(f) INTO facts
      FROM (
        SELECT array_agg(state ORDER BY time) AS states
        FROM (SELECT id, 1 AS time, ROW(r.*)::images AS state FROM old_rows r
              UNION ALL SELECT id, 2, ROW(r.*)::images FROM new_rows r) AS state
        GROUP BY id OFFSET 0
      ) AS changed
      CROSS JOIN LATERAL (VALUES
        (fact_of(states[1], -1, NULL)),
        (fact_of(states[2], 1, images_action(states[1], states[2])))) AS fact (f);
    END CASE;
    PERFORM count_images(facts);
    IF TG_OP = 'INSERT' THEN
      PERFORM keep_texts((SELECT array_agg(ROW(n.*)::images) FROM new_rows n));
    ELSIF TG_OP = 'UPDATE' THEN
      renamed := ARRAY(SELECT id FROM (
        SELECT id, user_id, filename, original_name, address_road, address_land, address_land_number,
               building_name, address_sort, address_det
        FROM new_rows EXCEPT
        SELECT id, user_id, filename, original_name, address_road, address_land, address_land_number,
               building_name, address_sort, address_det
        FROM old_rows) AS texts);
      IF renamed <> '{}' THEN
        PERFORM keep_texts((SELECT array_agg(ROW(n.*)::images) FROM new_rows n WHERE n.id = ANY (renamed)));
      END IF;
    END IF;
    FOR t IN
      SELECT user_id, array_agg((1, action, id, NULL)::change_entry ORDER BY id) AS entries
      FROM unnest(facts) WHERE action IS NOT NULL GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
    CASE TG_OP
    WHEN 'INSERT' THEN
      PERFORM note_custody(NULL, ROW(n.*)::images) FROM new_rows n;
    WHEN 'DELETE' THEN
      PERFORM note_custody(ROW(o.*)::images, NULL) FROM old_rows o;
    ELSE
      PERFORM note_custody(states[1], states[2])
      FROM (
        SELECT array_agg(state ORDER BY time) AS states
        FROM (SELECT id, 1 AS time, ROW(r.*)::images AS state FROM old_rows r
              UNION ALL SELECT id, 2, ROW(r.*)::images FROM new_rows r) AS state
        GROUP BY id OFFSET 0
      ) AS changed;
    END CASE;
    IF TG_OP = 'UPDATE' AND EXISTS (SELECT FROM held) THEN
      PERFORM stay_held('image', f.user_id, f.id, f.folders[1], f.folders[2])
      FROM (SELECT user_id, id, array_agg(folder_id ORDER BY sign) AS folders FROM unnest(facts)
            GROUP BY user_id, id) AS f
      WHERE f.folders[1] IS DISTINCT FROM f.folders[2];
    END IF;
  END IF;
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT FROM held) THEN
      PERFORM keep_held_images((SELECT array_agg(ROW(o.*)::images) FROM old_rows o));
    END IF;
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
  END IF;
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

-- What goes with its image is that image's matter.
CREATE FUNCTION reclaim_versions() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  IF EXISTS (SELECT FROM held) THEN
    PERFORM keep_held_images((SELECT array_agg(i) FROM images i
                              WHERE i.id IN (SELECT image_id FROM old_rows)));
  END IF;
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
