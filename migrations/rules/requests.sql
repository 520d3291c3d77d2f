-- What arrives of upload sets, and answers that are kept of owners who are gone (docs/adr/0016); what uploads
-- that resume announce and leave (docs/adr/0019).

CREATE FUNCTION note_arrivals() RETURNS trigger
LANGUAGE plpgsql SET enable_seqscan = off AS $function$
BEGIN
  IF NOT EXISTS (
    SELECT FROM new_rows v
    JOIN upload_set_files f ON f.user_id = v.user_id AND f.hash = v.hash AND NOT f.arrived
  ) THEN
    RETURN NULL;
  END IF;
  WITH arrival AS (
    UPDATE upload_set_files f SET arrived = true
    FROM new_rows v
    WHERE f.user_id = v.user_id AND f.hash = v.hash AND NOT f.arrived
    RETURNING f.upload_set_id
  )
  UPDATE upload_sets s
  SET arrived = s.arrived + a.files,
      completed_at = CASE WHEN s.arrived + a.files = s.expected THEN clock_timestamp() END
  FROM (SELECT upload_set_id, count(*) AS files FROM arrival GROUP BY upload_set_id) AS a
  WHERE s.id = a.upload_set_id;
  RETURN NULL;
END $function$;

CREATE TRIGGER note_arrivals AFTER INSERT ON image_versions REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_arrivals();

-- Not a foreign key, since the owner is a row of either table.
CREATE FUNCTION forget_idempotency_keys() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  DELETE FROM idempotency_keys k USING old_rows o WHERE k.owner = o.id;
  RETURN NULL;
END $function$;
CREATE TRIGGER forget_keys_of_users AFTER DELETE ON users
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();
CREATE TRIGGER forget_keys_of_platforms AFTER DELETE ON platforms
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

-- What an upload that is not finished announces. The caller has the user's lock.
CREATE FUNCTION count_announced() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  was bigint := CASE WHEN TG_OP <> 'INSERT' AND OLD.state = 'receiving' THEN OLD.length ELSE 0 END;
  becomes bigint := CASE WHEN TG_OP <> 'DELETE' AND NEW.state = 'receiving' THEN NEW.length ELSE 0 END;
BEGIN
  IF was <> becomes THEN
    UPDATE users SET announced_bytes = announced_bytes + becomes - was
    WHERE id = coalesce(NEW.user_id, OLD.user_id);
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER count_announced AFTER INSERT OR UPDATE OF state OR DELETE ON resumable_uploads
  FOR EACH ROW EXECUTE FUNCTION count_announced();

CREATE FUNCTION reclaim_pieces() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  INSERT INTO object_reclaim (key, not_before) SELECT o.key, now() FROM old_rows o
  ON CONFLICT (key) DO UPDATE SET not_before = excluded.not_before;
  RETURN NULL;
END $function$;

CREATE TRIGGER reclaim_deleted_pieces AFTER DELETE ON resumable_pieces
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION reclaim_pieces();
