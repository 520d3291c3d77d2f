-- What a hold keeps is not deleted for good: not by the program, which asks the same functions, and not by
-- anything else that comes to the database. The triggers run after those that lock the row of the user
-- (their names are in that order), which a hold locks as well: either the hold is there, or the deletion.

CREATE FUNCTION end_of(hold holds) RETURNS timestamptz LANGUAGE sql IMMUTABLE
  RETURN coalesce(least(hold.released_at, hold.until), 'infinity');

-- What of a user is held, or was held after that time: the user, folders with all below them, and images.
CREATE FUNCTION held_of(who uuid, since timestamptz)
RETURNS TABLE (hold_id uuid, kind text, id uuid) LANGUAGE sql STABLE AS $function$
  WITH RECURSIVE lasting AS (
    SELECT k.hold_id, k.kind, k.id FROM held k JOIN holds h ON h.id = k.hold_id
    WHERE k.user_id = who AND end_of(h) > since
  ), tree AS (
    SELECT l.hold_id, l.id FROM lasting l WHERE l.kind = 'folder'
    UNION
    SELECT t.hold_id, f.id FROM tree t JOIN folders f ON f.parent_id = t.id AND f.user_id = who
  )
  SELECT l.hold_id, l.kind, l.id FROM lasting l WHERE l.kind <> 'folder'
  UNION ALL SELECT t.hold_id, 'folder', t.id FROM tree t
$function$;

-- A hold that keeps something in the tree of a folder, or kept it after that time.
CREATE FUNCTION hold_on_tree(who uuid, folder uuid, since timestamptz) RETURNS uuid
LANGUAGE sql STABLE AS $function$
  WITH RECURSIVE tree AS (
    SELECT folder AS id
    UNION ALL
    SELECT f.id FROM tree t JOIN folders f ON f.parent_id = t.id AND f.user_id = who
  )
  SELECT k.hold_id FROM held_of(who, since) k
  WHERE CASE k.kind
    WHEN 'user' THEN true
    WHEN 'folder' THEN k.id IN (SELECT id FROM tree)
    ELSE EXISTS (SELECT FROM images i
                 WHERE i.id = k.id AND i.user_id = who AND i.folder_id IN (SELECT id FROM tree)) END
  ORDER BY k.hold_id LIMIT 1
$function$;

-- Whether a folder is deleted as far as anybody knows: it, or one above it, is being deleted in batches.
CREATE FUNCTION is_being_deleted(folder uuid) RETURNS boolean LANGUAGE sql STABLE AS $function$
  WITH RECURSIVE above AS (
    SELECT f.parent_id, f.deleting_at FROM folders f WHERE f.id = folder
    UNION ALL
    SELECT f.parent_id, f.deleting_at FROM above a JOIN folders f ON f.id = a.parent_id
  )
  SELECT EXISTS (SELECT FROM above WHERE deleting_at IS NOT NULL)
$function$;

CREATE FUNCTION refuse_held(hold uuid) RETURNS void LANGUAGE plpgsql AS $function$
BEGIN
  IF hold IS NOT NULL THEN
    RAISE check_violation USING MESSAGE = 'a hold keeps this', CONSTRAINT = 'held', DETAIL = hold;
  END IF;
END $function$;

-- A hold on one of these images, which are or were in these folders.
CREATE FUNCTION hold_on_images(who uuid, images uuid[], folders uuid[]) RETURNS uuid
LANGUAGE sql STABLE AS $function$
  SELECT k.hold_id FROM held_of(who, now()) k
  WHERE CASE k.kind
    WHEN 'user' THEN true
    WHEN 'folder' THEN k.id IN (SELECT unnest(folders))
    ELSE k.id IN (SELECT unnest(images)) END
  ORDER BY k.hold_id LIMIT 1
$function$;

-- Images and their versions; those in a folder that is being deleted were not held when that began.
CREATE FUNCTION keep_held_images() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  who uuid;
  images uuid[];
  folders uuid[];
BEGIN
  FOR who IN
    SELECT DISTINCT o.user_id FROM old_rows o
    WHERE EXISTS (SELECT FROM held k WHERE k.user_id = o.user_id)
  LOOP
    IF TG_TABLE_NAME = 'images' THEN
      SELECT array_agg(o.id), array_agg(o.folder_id) INTO images, folders FROM old_rows o
      WHERE o.user_id = who AND NOT EXISTS (
        SELECT FROM folders f WHERE f.id = o.folder_id AND f.deleting_at IS NOT NULL);
    ELSE
      -- What goes with its image is that image's matter.
      SELECT array_agg(i.id), array_agg(i.folder_id) INTO images, folders FROM images i
      WHERE i.id IN (SELECT o.image_id FROM old_rows o WHERE o.user_id = who) AND NOT EXISTS (
        SELECT FROM folders f WHERE f.id = i.folder_id AND f.deleting_at IS NOT NULL);
    END IF;
    IF images IS NOT NULL THEN
      PERFORM refuse_held(hold_on_images(who, images, folders));
    END IF;
  END LOOP;
  RETURN NULL;
END $function$;

CREATE TRIGGER keep_held AFTER DELETE ON images REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_held_images();
CREATE TRIGGER keep_held AFTER DELETE ON image_versions REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_held_images();

CREATE FUNCTION keep_held_annotation() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  image images;
BEGIN
  IF NOT EXISTS (SELECT FROM held WHERE user_id = OLD.user_id)
     OR (TG_OP = 'UPDATE' AND NEW IS NOT DISTINCT FROM OLD) THEN
    RETURN NULL;
  END IF;
  SELECT * INTO image FROM images WHERE id = OLD.image_id;
  IF FOUND THEN
    PERFORM refuse_held(hold_on_images(OLD.user_id, ARRAY[image.id], ARRAY[image.folder_id]));
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER keep_held AFTER UPDATE OR DELETE ON memos
  FOR EACH ROW EXECUTE FUNCTION keep_held_annotation();
CREATE TRIGGER keep_held AFTER UPDATE OR DELETE ON customs
  FOR EACH ROW EXECUTE FUNCTION keep_held_annotation();

-- Folders are refused when they are marked, before anybody is told that they are deleted; those below are
-- marked later, and a hold that was made meanwhile does not find them.
CREATE FUNCTION keep_held_folder() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  IF EXISTS (SELECT FROM held WHERE user_id = OLD.user_id) AND NOT is_being_deleted(OLD.parent_id) THEN
    PERFORM refuse_held(hold_on_tree(OLD.user_id, OLD.id, now()));
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD END;
END $function$;

CREATE TRIGGER keep_held AFTER UPDATE OF deleting_at ON folders
  FOR EACH ROW WHEN (OLD.deleting_at IS NULL AND NEW.deleting_at IS NOT NULL)
  EXECUTE FUNCTION keep_held_folder();
CREATE TRIGGER keep_held_row BEFORE DELETE ON folders
  FOR EACH ROW WHEN (OLD.deleting_at IS NULL) EXECUTE FUNCTION keep_held_folder();

-- With the user go the holds that were on nothing else, and have ended.
CREATE FUNCTION keep_held_user() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  PERFORM refuse_held((SELECT hold_id FROM held_of(OLD.id, now()) ORDER BY hold_id LIMIT 1));
  WITH gone AS (DELETE FROM held WHERE user_id = OLD.id RETURNING hold_id)
  DELETE FROM holds h WHERE h.id IN (SELECT hold_id FROM gone)
    AND NOT EXISTS (SELECT FROM held k WHERE k.hold_id = h.id AND k.user_id <> OLD.id);
  RETURN OLD;
END $function$;

CREATE TRIGGER keep_held BEFORE DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION keep_held_user();

CREATE FUNCTION keep_held_platform() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  PERFORM refuse_held((SELECT h.id FROM holds h
                       WHERE h.platform_id = OLD.id AND end_of(h) > now() ORDER BY h.id LIMIT 1));
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $function$;

CREATE TRIGGER keep_held BEFORE UPDATE OF deleting_at ON platforms
  FOR EACH ROW WHEN (OLD.deleting_at IS NULL AND NEW.deleting_at IS NOT NULL)
  EXECUTE FUNCTION keep_held_platform();
CREATE TRIGGER keep_held_row BEFORE DELETE ON platforms
  FOR EACH ROW EXECUTE FUNCTION keep_held_platform();

CREATE FUNCTION keep_held_tables() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  PERFORM refuse_held((SELECT h.id FROM holds h WHERE end_of(h) > now() LIMIT 1));
  RETURN NULL;
END $function$;

CREATE TRIGGER keep_held_table BEFORE TRUNCATE ON images
  FOR EACH STATEMENT EXECUTE FUNCTION keep_held_tables();
CREATE TRIGGER keep_held_table BEFORE TRUNCATE ON image_versions
  FOR EACH STATEMENT EXECUTE FUNCTION keep_held_tables();
CREATE TRIGGER keep_held_table BEFORE TRUNCATE ON memos
  FOR EACH STATEMENT EXECUTE FUNCTION keep_held_tables();
CREATE TRIGGER keep_held_table BEFORE TRUNCATE ON customs
  FOR EACH STATEMENT EXECUTE FUNCTION keep_held_tables();
CREATE TRIGGER keep_held_table BEFORE TRUNCATE ON folders
  FOR EACH STATEMENT EXECUTE FUNCTION keep_held_tables();
CREATE TRIGGER keep_held_table BEFORE TRUNCATE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION keep_held_tables();

-- What leaves a held folder stays held: an image or a folder, by the holds that the new place does not have.
CREATE FUNCTION stay_held() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM held WHERE user_id = NEW.user_id) THEN
    RETURN NULL;
  ELSIF TG_TABLE_NAME = 'images' THEN
    INSERT INTO held (hold_id, kind, user_id, id)
    SELECT hold_id, 'image', NEW.user_id, NEW.id FROM held_of(NEW.user_id, now())
    WHERE kind = 'folder' AND id IN (OLD.folder_id, NEW.folder_id)
    GROUP BY hold_id HAVING bool_and(id = OLD.folder_id)
    ON CONFLICT DO NOTHING;
  ELSE
    INSERT INTO held (hold_id, kind, user_id, id)
    SELECT hold_id, 'folder', NEW.user_id, NEW.id FROM held_of(NEW.user_id, now())
    WHERE kind = 'folder' AND id IN (OLD.parent_id, NEW.parent_id)
    GROUP BY hold_id HAVING bool_and(id = OLD.parent_id)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER stay_held AFTER UPDATE OF folder_id ON images
  FOR EACH ROW WHEN (OLD.folder_id IS DISTINCT FROM NEW.folder_id) EXECUTE FUNCTION stay_held();
CREATE TRIGGER stay_held AFTER UPDATE OF parent_id ON folders
  FOR EACH ROW WHEN (OLD.parent_id IS DISTINCT FROM NEW.parent_id) EXECUTE FUNCTION stay_held();
