-- What arrives of upload sets, and answers that are kept of owners who are gone (docs/adr/0016); what uploads
-- that resume announce and leave (docs/adr/0019).

-- Version 0 comes with its image, and versions go with it; they never change. Whoever inserts one holds the
-- user's lock, and so does whoever makes a set: neither can miss the other. Without sequential scans, a plan
-- made while the table was small stays right.
CREATE FUNCTION note_version() RETURNS trigger
LANGUAGE plpgsql SET enable_seqscan = off AS $function$
BEGIN
  IF NEW.version > 0 THEN
    PERFORM post_change(NEW.user_id, 2::int2, 0::int2, NEW.id, NEW.image_id);
  END IF;
  IF EXISTS (SELECT FROM upload_set_files
             WHERE user_id = NEW.user_id AND hash = NEW.hash AND NOT arrived) THEN
    WITH arrival AS (
      UPDATE upload_set_files SET arrived = true
      WHERE user_id = NEW.user_id AND hash = NEW.hash AND NOT arrived RETURNING upload_set_id
    )
    UPDATE upload_sets s
    SET arrived = s.arrived + a.files,
        completed_at = CASE WHEN s.arrived + a.files = s.expected THEN clock_timestamp() END
    FROM (SELECT upload_set_id, count(*) AS files FROM arrival GROUP BY upload_set_id) AS a
    WHERE s.id = a.upload_set_id;
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER note_version AFTER INSERT ON image_versions
  FOR EACH ROW EXECUTE FUNCTION note_version();

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
