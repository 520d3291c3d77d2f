-- What a hold keeps is not deleted for good: not by the program, which asks the same functions, and not by
-- anything else that comes to the database. The triggers of each table ask (images.sql, annotations.sql,
-- posting.sql), after they have locked the row of the user, which a hold locks as well: either the hold is there,
-- or the deletion.

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

-- Refuses what these images lose, or that they go; those in a folder that is being deleted were not held when
-- that began.
CREATE FUNCTION keep_held_images(changed images[]) RETURNS void LANGUAGE plpgsql AS $function$
DECLARE
  t record;
BEGIN
  FOR t IN
    SELECT i.user_id, array_agg(i.id) AS ids, array_agg(i.folder_id) AS folders FROM unnest(changed) i
    WHERE EXISTS (SELECT FROM held k WHERE k.user_id = i.user_id)
      AND NOT EXISTS (SELECT FROM folders f WHERE f.id = i.folder_id AND f.deleting_at IS NOT NULL)
    GROUP BY i.user_id
  LOOP
    PERFORM refuse_held((
      SELECT k.hold_id FROM held_of(t.user_id, now()) k
      WHERE k.kind = 'user' OR k.id = ANY (CASE k.kind WHEN 'folder' THEN t.folders ELSE t.ids END)
      ORDER BY k.hold_id LIMIT 1));
  END LOOP;
END $function$;

-- What leaves a held folder stays held: an image or a folder, by the holds that the new place does not have.
CREATE FUNCTION stay_held(what text, who uuid, thing uuid, before uuid, after uuid) RETURNS void
LANGUAGE plpgsql AS $function$
BEGIN
  INSERT INTO held (hold_id, kind, user_id, id)
  SELECT hold_id, what, who, thing FROM held_of(who, now())
  WHERE kind = 'folder' AND id IN (before, after) GROUP BY hold_id HAVING bool_and(id = before)
  ON CONFLICT DO NOTHING;
END $function$;

-- Tables as a whole: one that others refer to is emptied with these, or not at all.
CREATE FUNCTION keep_held_table() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  PERFORM refuse_held((SELECT h.id FROM holds h WHERE end_of(h) > now() LIMIT 1));
  RETURN NULL;
END $function$;

CREATE TRIGGER keep_held BEFORE TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION keep_held_table();
CREATE TRIGGER keep_held BEFORE TRUNCATE ON image_versions
  FOR EACH STATEMENT EXECUTE FUNCTION keep_held_table();
CREATE TRIGGER keep_held BEFORE TRUNCATE ON memos FOR EACH STATEMENT EXECUTE FUNCTION keep_held_table();
CREATE TRIGGER keep_held BEFORE TRUNCATE ON customs FOR EACH STATEMENT EXECUTE FUNCTION keep_held_table();
