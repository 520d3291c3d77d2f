-- What a transaction notes for the log of its platform (docs/adr/0028). docs/custody.md describes these texts:
-- they are what proofs show.

CREATE FUNCTION custody_time(t timestamptz) RETURNS text LANGUAGE sql STABLE
  RETURN to_char(t AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

CREATE FUNCTION custody_address(i images) RETURNS text LANGUAGE sql STABLE
  RETURN CASE WHEN num_nonnulls(i.address_road, i.address_land, i.address_land_number, i.building_name,
                                i.address_sort, i.address_det) > 0
    THEN jsonb_build_array(i.address_road, i.address_land, i.address_land_number, i.building_name,
                           i.address_sort, i.address_det)::text END;

-- Coordinates as numeric, which no setting of a session writes otherwise.
CREATE FUNCTION custody_state(i images) RETURNS text LANGUAGE sql STABLE
  RETURN concat_ws(E'\n', 'image ' || i.id, 'content ' || i.version || ' ' || encode(i.hash, 'hex'),
    'place ' || coalesce(ST_Y(i.location::geometry)::numeric || ' ' || ST_X(i.location::geometry)::numeric, '-'),
    'taken_at ' || coalesce(custody_time(i.taken_at), '-'), 'created_at ' || custody_time(i.created_at),
    'address ' || coalesce(encode(sha256(convert_to(custody_address(i), 'UTF8')), 'hex'), '-'),
    'folder ' || coalesce(i.folder_id::text, '-'), 'trash ' || coalesce(custody_time(i.deleted_at), '-'));

-- The salt of an image does not tell that of its user, nor of another image.
CREATE FUNCTION custody_digest(salt bytea, image uuid, at timestamptz, kinds text, state text) RETURNS bytea
LANGUAGE sql STABLE
  RETURN sha256(sha256(salt || uuid_send(image))
    || convert_to(custody_time(at) || ' ' || kinds || E'\n' || state, 'UTF8'));

-- The user is locked, or deleted: entries of an image have the order of its changes.
CREATE FUNCTION enter_custody(who uuid, platform uuid, image uuid, kinds text, state text, address text)
RETURNS void LANGUAGE plpgsql AS $function$
DECLARE
  time CONSTANT timestamptz := clock_timestamp();
BEGIN
  INSERT INTO custody_entries (feed_position, platform_id, image_id, at, kinds, state, address, digest)
  SELECT greatest(u.change_position, feed_position()), platform, image, time, kinds, state, address,
         CASE WHEN kinds <> 'deletion' THEN custody_digest(s.salt, image, time, kinds, state) END
  FROM (SELECT) AS one LEFT JOIN users u ON u.id = who LEFT JOIN custody_salts s ON s.user_id = u.id;
END $function$;

-- No row before an upload, none after a deletion.
CREATE FUNCTION note_custody(was images, now images) RETURNS void LANGUAGE plpgsql AS $function$
DECLARE
  kinds text;
BEGIN
  IF now.id IS NULL THEN
    PERFORM enter_custody(was.user_id, was.platform_id, was.id, 'deletion', '', NULL);
    RETURN;
  END IF;
  kinds := CASE WHEN was.id IS NULL THEN 'upload' ELSE concat_ws(' ',
    CASE WHEN (was.version, was.hash) <> (now.version, now.hash) THEN 'version' END,
    CASE WHEN was.location IS DISTINCT FROM now.location THEN 'place' END,
    CASE WHEN (was.taken_at, was.created_at) IS DISTINCT FROM (now.taken_at, now.created_at) THEN 'time' END,
    CASE WHEN (was.address_road, was.address_land, was.address_land_number, was.building_name, was.address_sort,
               was.address_det)
           IS DISTINCT FROM (now.address_road, now.address_land, now.address_land_number, now.building_name,
                             now.address_sort, now.address_det) THEN 'address' END,
    CASE WHEN was.folder_id IS DISTINCT FROM now.folder_id THEN 'move' END,
    CASE WHEN was.deleted_at IS DISTINCT FROM now.deleted_at
         THEN CASE WHEN now.deleted_at IS NULL THEN 'restore' ELSE 'trash' END END) END;
  IF kinds <> '' THEN
    PERFORM enter_custody(now.user_id, now.platform_id, now.id, kinds, custody_state(now),
      CASE WHEN kinds = 'upload' OR kinds ~ '\maddress\M' THEN custody_address(now) END);
  END IF;
END $function$;

-- The images that a row of held is about, now.
CREATE FUNCTION held_images(k held) RETURNS uuid[] LANGUAGE plpgsql STABLE AS $function$
BEGIN
  RETURN CASE k.kind
    WHEN 'image' THEN ARRAY[k.id]
    WHEN 'user' THEN ARRAY(SELECT i.id FROM images i WHERE i.user_id = k.user_id)
    ELSE ARRAY(
      WITH RECURSIVE tree AS (
        SELECT k.id AS id
        UNION ALL
        SELECT f.id FROM tree t JOIN folders f ON f.parent_id = t.id AND f.user_id = k.user_id
      )
      SELECT i.id FROM tree t JOIN images i ON i.folder_id = t.id AND i.user_id = k.user_id) END;
END $function$;

-- A hold that begins or is released; not what stays held when it is moved.
CREATE FUNCTION note_hold() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  hold CONSTANT uuid := CASE TG_TABLE_NAME WHEN 'holds' THEN NEW.id ELSE (to_jsonb(NEW)->>'hold_id')::uuid END;
  ids uuid[];
BEGIN
  IF TG_TABLE_NAME = 'holds' THEN
    ids := ARRAY(SELECT DISTINCT unnest(held_images(k)) FROM held k WHERE k.hold_id = hold);
  ELSIF EXISTS (SELECT FROM holds h WHERE h.id = hold AND h.created_at = now()) THEN
    ids := held_images(NEW);
  END IF;
  PERFORM enter_custody(i.user_id, i.platform_id, i.id,
    CASE TG_TABLE_NAME WHEN 'holds' THEN 'release ' ELSE 'hold ' END || hold, custody_state(i), NULL)
  FROM images i WHERE i.id = ANY (ids);
  RETURN NULL;
END $function$;

CREATE TRIGGER note_hold AFTER INSERT ON held FOR EACH ROW EXECUTE FUNCTION note_hold();
CREATE TRIGGER note_release AFTER UPDATE OF released_at ON holds FOR EACH ROW
  WHEN (OLD.released_at IS NULL AND NEW.released_at IS NOT NULL) EXECUTE FUNCTION note_hold();
