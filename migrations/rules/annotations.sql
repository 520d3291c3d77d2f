-- How many memos and customs each image has, and how much text: both are bounded, and the text counts against
-- the quota of its user and the limits of the platform (docs/adr/0010, docs/adr/0003).

CREATE FUNCTION change_annotation_totals(
  image uuid, more_memos bigint, more_customs bigint, more_bytes bigint)
RETURNS void LANGUAGE plpgsql AS $function$
DECLARE
  most CONSTANT bigint[] :=
    nullif(current_setting('imgstore.annotation_limits', true), '')::bigint[];
  total annotation_totals;
  broken text;
BEGIN
  IF more_memos < 0 OR more_customs < 0 THEN
    UPDATE annotation_totals t
    SET memos = t.memos + more_memos, customs = t.customs + more_customs,
        text_bytes = t.text_bytes + more_bytes
    WHERE t.image_id = image;
    RETURN;
  END IF;
  INSERT INTO annotation_totals AS t (image_id, memos, customs, text_bytes)
  VALUES (image, more_memos, more_customs, more_bytes)
  ON CONFLICT (image_id) DO UPDATE
  SET memos = t.memos + excluded.memos, customs = t.customs + excluded.customs,
      text_bytes = t.text_bytes + excluded.text_bytes
  RETURNING * INTO total;
  broken := CASE
    WHEN more_memos > 0 AND total.memos > most[1] THEN 'too_many_memos'
    WHEN more_customs > 0 AND total.customs > most[2] THEN 'too_many_customs'
    WHEN more_bytes > 0 AND total.text_bytes > most[3] THEN 'too_much_text' END;
  IF broken IS NOT NULL THEN
    RAISE check_violation
      USING MESSAGE = 'the annotations of an image are bounded', CONSTRAINT = broken;
  END IF;
END $function$;

CREATE FUNCTION admit_text(who uuid, more bigint) RETURNS void
LANGUAGE plpgsql VOLATILE AS $function$
DECLARE
  u record;
BEGIN
  SELECT platform_id, stored_bytes + text_bytes + announced_bytes + more > max_storage_bytes AS over,
         stored_bytes + text_bytes + announced_bytes + more > granted_bytes AS ungranted
  INTO u FROM users WHERE id = who;
  IF u.over THEN
    RAISE check_violation
      USING MESSAGE = 'the text exceeds the quota', CONSTRAINT = 'storage_quota_exceeded';
  END IF;
  IF u.ungranted AND EXISTS (SELECT FROM platform_limits WHERE platform_id = u.platform_id)
     AND NOT take_room(who, more, 0) THEN
    RAISE check_violation
      USING MESSAGE = 'the platform seems to have no capacity left',
            CONSTRAINT = 'platform_limit_exceeded', DETAIL = u.platform_id || ' ' || more;
  END IF;
END $function$;

-- Charges the text of an annotation, and posts what was done to it unless that is null.
CREATE FUNCTION post_annotation(who uuid, what smallint, act smallint, thing uuid, image uuid,
                                more bigint) RETURNS void
LANGUAGE plpgsql VOLATILE AS $function$
BEGIN
  IF more > 0 AND current_setting('imgstore.annotation_limits', true) <> '' THEN
    PERFORM admit_text(who, more);
  END IF;
  IF more <> 0 THEN
    UPDATE users u SET text_bytes = u.text_bytes + more WHERE u.id = who;
  END IF;
  IF act IS NOT NULL THEN
    PERFORM post_change(who, what, act, thing, image);
  END IF;
END $function$;

-- One memo (4) or custom (5) that came, changed, or went, which is a change of what its image says: what comes
-- with its image is not told, and what goes with its image is counted with it.
CREATE FUNCTION keep_annotation() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  is_memo CONSTANT boolean := TG_TABLE_NAME = 'memos';
  what CONSTANT smallint := CASE WHEN is_memo THEN 4 ELSE 5 END;
  was_bytes bigint := 0;
  now_bytes bigint := 0;
  act smallint;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    IF is_memo THEN
      was_bytes := octet_length(OLD.message);
    ELSE
      was_bytes := octet_length(OLD.key) + octet_length(OLD.value);
    END IF;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    IF is_memo THEN
      now_bytes := octet_length(NEW.message);
    ELSE
      now_bytes := octet_length(NEW.key) + octet_length(NEW.value);
    END IF;
  END IF;
  IF TG_OP = 'INSERT' THEN
    PERFORM change_annotation_totals(NEW.image_id, is_memo::int, (NOT is_memo)::int, now_bytes);
    IF NOT EXISTS (SELECT FROM images WHERE id = NEW.image_id AND uploaded_at = now()) THEN
      act := 0;
    END IF;
    PERFORM post_annotation(NEW.user_id, what, act, NEW.id, NEW.image_id, now_bytes);
  ELSIF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT FROM images WHERE id = OLD.image_id) THEN
      act := 5;
      PERFORM change_annotation_totals(OLD.image_id, -(is_memo::int), -((NOT is_memo)::int), -was_bytes);
      PERFORM post_annotation(OLD.user_id, what, act, OLD.id, OLD.image_id, -was_bytes);
    END IF;
  ELSE
    IF OLD.image_id <> NEW.image_id THEN
      PERFORM change_annotation_totals(OLD.image_id, -(is_memo::int), -((NOT is_memo)::int), -was_bytes);
      PERFORM change_annotation_totals(NEW.image_id, is_memo::int, (NOT is_memo)::int, now_bytes);
    ELSIF was_bytes <> now_bytes THEN
      PERFORM change_annotation_totals(NEW.image_id, 0, 0, now_bytes - was_bytes);
    END IF;
    IF is_memo THEN
      IF (OLD.message, OLD.is_client) IS DISTINCT FROM (NEW.message, NEW.is_client) THEN act := 1; END IF;
    ELSIF (OLD.key, OLD.value) IS DISTINCT FROM (NEW.key, NEW.value) THEN
      act := 1;
    END IF;
    IF act IS NOT NULL THEN
      PERFORM post_annotation(NEW.user_id, what, act, NEW.id, NEW.image_id, now_bytes - was_bytes);
    END IF;
  END IF;
  IF act IS NOT NULL THEN
    UPDATE images SET updated_at = now()
    WHERE id = CASE TG_OP WHEN 'DELETE' THEN OLD.image_id ELSE NEW.image_id END AND updated_at < now();
  END IF;
  IF TG_OP <> 'INSERT' AND EXISTS (SELECT FROM held) AND (TG_OP = 'DELETE' OR NEW IS DISTINCT FROM OLD) THEN
    PERFORM keep_held_images((SELECT array_agg(i) FROM images i WHERE i.id = OLD.image_id));
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER keep_annotation AFTER INSERT OR UPDATE OR DELETE ON memos
  FOR EACH ROW EXECUTE FUNCTION keep_annotation();
CREATE TRIGGER keep_annotation AFTER INSERT OR UPDATE OR DELETE ON customs
  FOR EACH ROW EXECUTE FUNCTION keep_annotation();
