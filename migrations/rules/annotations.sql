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
  IF act IS NOT NULL THEN
    WITH head AS (
      UPDATE users u
      SET text_bytes = u.text_bytes + more,
          change_seq = u.change_seq + 1, change_first = u.change_seq + 1, change_xact = own,
          change_position = greatest(u.change_position, own)
      FROM (
        SELECT pg_current_xact_id()::text::bigint + c.xid_offset AS own FROM feed_clock c OFFSET 0
      ) AS clock
      WHERE u.id = who AND u.change_xact <> own
      RETURNING u.platform_id, u.change_seq, u.change_position
    )
    INSERT INTO changes (user_id, seq, platform_id, feed_position, at, type, action, actor, id,
                         image_id)
    SELECT who, change_seq, platform_id, change_position, clock_timestamp(), what, act,
           CASE current_setting('imgstore.actor', true)
             WHEN 'platform' THEN 2 WHEN 'admin' THEN 3 WHEN 'system' THEN 4 ELSE 1 END,
           thing, image
    FROM head;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  IF more <> 0 THEN
    UPDATE users u SET text_bytes = u.text_bytes + more WHERE u.id = who;
  END IF;
  IF act IS NOT NULL THEN
    PERFORM post_change(who, what, act, thing, image);
  END IF;
END $function$;

CREATE FUNCTION total_memos() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  c record;
  t record;
BEGIN
  CASE TG_OP
  WHEN 'INSERT' THEN
    IF (SELECT count(*) FROM (SELECT FROM new_rows LIMIT 2) AS few) = 1 THEN
      PERFORM change_annotation_totals(image_id, 1, 0, (octet_length(r.message))),
              post_annotation(user_id, 4::int2, CASE WHEN NOT EXISTS (SELECT FROM images i WHERE i.id = r.image_id AND i.uploaded_at = now()) THEN 0 END::int2, id, image_id,
                              (octet_length(r.message)))
      FROM new_rows r WHERE true;
      RETURN NULL;
    END IF;

    FOR c IN
      SELECT image_id, sum(entry) AS entries, sum(bytes) AS bytes FROM (SELECT user_id, image_id, 1 AS entry, (octet_length(r.message)) AS bytes
   FROM new_rows r WHERE true) AS change
      GROUP BY image_id HAVING sum(entry) <> 0 OR sum(bytes) <> 0 ORDER BY image_id
    LOOP
      PERFORM change_annotation_totals(c.image_id, c.entries, 0, c.bytes);
    END LOOP;
    FOR c IN
      SELECT user_id, sum(bytes) AS bytes FROM (SELECT user_id, image_id, 1 AS entry, (octet_length(r.message)) AS bytes
   FROM new_rows r WHERE true) AS change
      GROUP BY user_id HAVING sum(bytes) <> 0 ORDER BY user_id
    LOOP
      PERFORM post_annotation(c.user_id, NULL, NULL, NULL, NULL, c.bytes::bigint);
    END LOOP;

    FOR t IN
      SELECT user_id, array_agg((4, action, id, image)::change_entry ORDER BY id)
               AS entries
      FROM (
      SELECT user_id, id, image_id AS image, 0 AS action FROM new_rows r
      WHERE NOT EXISTS (SELECT FROM images i WHERE i.id = r.image_id AND i.uploaded_at = now())) AS told
      GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  WHEN 'UPDATE' THEN

    FOR c IN
      SELECT image_id, sum(entry) AS entries, sum(bytes) AS bytes FROM (SELECT user_id, image_id, -1 AS entry, -(octet_length(r.message)) AS bytes
   FROM old_rows r WHERE true UNION ALL SELECT user_id, image_id, 1 AS entry, (octet_length(r.message)) AS bytes
   FROM new_rows r WHERE true) AS change
      GROUP BY image_id HAVING sum(entry) <> 0 OR sum(bytes) <> 0 ORDER BY image_id
    LOOP
      PERFORM change_annotation_totals(c.image_id, c.entries, 0, c.bytes);
    END LOOP;
    IF (SELECT count(*) FROM (SELECT FROM new_rows LIMIT 2) AS few) = 1 THEN
      PERFORM post_annotation(now.user_id, 4::int2, action::int2, now.id,
                              now.image_id, (octet_length(now.message)) - (octet_length(was.message)))
      FROM old_rows was, new_rows now, LATERAL (SELECT CASE WHEN (was.message, was.is_client) IS DISTINCT FROM (now.message, now.is_client) THEN 1 END AS action OFFSET 0) AS a
      WHERE action IS NOT NULL;
      RETURN NULL;
    END IF;

    FOR c IN
      SELECT user_id, sum(bytes) AS bytes FROM (SELECT user_id, image_id, -1 AS entry, -(octet_length(r.message)) AS bytes
   FROM old_rows r WHERE true UNION ALL SELECT user_id, image_id, 1 AS entry, (octet_length(r.message)) AS bytes
   FROM new_rows r WHERE true) AS change
      GROUP BY user_id HAVING sum(bytes) <> 0 ORDER BY user_id
    LOOP
      PERFORM post_annotation(c.user_id, NULL, NULL, NULL, NULL, c.bytes::bigint);
    END LOOP;

    FOR t IN
      SELECT user_id, array_agg((4, action, id, image)::change_entry ORDER BY id)
               AS entries
      FROM (SELECT (states[2]).user_id, id, (states[2]).image_id AS image,
              memos_action(states[1], states[2]) AS action
       FROM (
         SELECT id, array_agg(state ORDER BY time) AS states
         FROM (SELECT id, 1 AS time, ROW(r.*)::memos AS state FROM old_rows r
               UNION ALL SELECT id, 2, ROW(r.*)::memos FROM new_rows r) AS state
         GROUP BY id OFFSET 0
       ) AS changed
       WHERE memos_action(states[1], states[2]) IS NOT NULL) AS told
      GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  ELSE
    IF (SELECT count(*) FROM (SELECT FROM old_rows LIMIT 2) AS few) = 1 THEN
      PERFORM change_annotation_totals(image_id, -1, 0, -(octet_length(r.message))),
              post_annotation(user_id, 4::int2, 5::int2, id, image_id,
                              -(octet_length(r.message)))
      FROM old_rows r WHERE EXISTS (SELECT FROM images i WHERE i.id = r.image_id);
      RETURN NULL;
    END IF;

    FOR c IN
      SELECT image_id, sum(entry) AS entries, sum(bytes) AS bytes FROM (SELECT user_id, image_id, -1 AS entry, -(octet_length(r.message)) AS bytes
   FROM old_rows r WHERE EXISTS (SELECT FROM images i WHERE i.id = r.image_id)) AS change
      GROUP BY image_id HAVING sum(entry) <> 0 OR sum(bytes) <> 0 ORDER BY image_id
    LOOP
      PERFORM change_annotation_totals(c.image_id, c.entries, 0, c.bytes);
    END LOOP;
    FOR c IN
      SELECT user_id, sum(bytes) AS bytes FROM (SELECT user_id, image_id, -1 AS entry, -(octet_length(r.message)) AS bytes
   FROM old_rows r WHERE EXISTS (SELECT FROM images i WHERE i.id = r.image_id)) AS change
      GROUP BY user_id HAVING sum(bytes) <> 0 ORDER BY user_id
    LOOP
      PERFORM post_annotation(c.user_id, NULL, NULL, NULL, NULL, c.bytes::bigint);
    END LOOP;

    FOR t IN
      SELECT user_id, array_agg((4, action, id, image)::change_entry ORDER BY id)
               AS entries
      FROM (
      SELECT user_id, id, image_id AS image, 5 AS action FROM old_rows r
      WHERE EXISTS (SELECT FROM images i WHERE i.id = r.image_id)) AS told
      GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  END CASE;
  RETURN NULL;
END $function$;

CREATE TRIGGER total_inserted AFTER INSERT ON memos REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION total_memos();
CREATE TRIGGER total_updated AFTER UPDATE ON memos
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION total_memos();
CREATE TRIGGER total_deleted AFTER DELETE ON memos REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION total_memos();

CREATE FUNCTION total_customs() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  c record;
  t record;
BEGIN
  CASE TG_OP
  WHEN 'INSERT' THEN
    IF (SELECT count(*) FROM (SELECT FROM new_rows LIMIT 2) AS few) = 1 THEN
      PERFORM change_annotation_totals(image_id, 0, 1, (octet_length(r.key) + octet_length(r.value))),
              post_annotation(user_id, 5::int2, CASE WHEN NOT EXISTS (SELECT FROM images i WHERE i.id = r.image_id AND i.uploaded_at = now()) THEN 0 END::int2, id, image_id,
                              (octet_length(r.key) + octet_length(r.value)))
      FROM new_rows r WHERE true;
      RETURN NULL;
    END IF;

    FOR c IN
      SELECT image_id, sum(entry) AS entries, sum(bytes) AS bytes FROM (SELECT user_id, image_id, 1 AS entry, (octet_length(r.key) + octet_length(r.value)) AS bytes
   FROM new_rows r WHERE true) AS change
      GROUP BY image_id HAVING sum(entry) <> 0 OR sum(bytes) <> 0 ORDER BY image_id
    LOOP
      PERFORM change_annotation_totals(c.image_id, 0, c.entries, c.bytes);
    END LOOP;
    FOR c IN
      SELECT user_id, sum(bytes) AS bytes FROM (SELECT user_id, image_id, 1 AS entry, (octet_length(r.key) + octet_length(r.value)) AS bytes
   FROM new_rows r WHERE true) AS change
      GROUP BY user_id HAVING sum(bytes) <> 0 ORDER BY user_id
    LOOP
      PERFORM post_annotation(c.user_id, NULL, NULL, NULL, NULL, c.bytes::bigint);
    END LOOP;

    FOR t IN
      SELECT user_id, array_agg((5, action, id, image)::change_entry ORDER BY id)
               AS entries
      FROM (
      SELECT user_id, id, image_id AS image, 0 AS action FROM new_rows r
      WHERE NOT EXISTS (SELECT FROM images i WHERE i.id = r.image_id AND i.uploaded_at = now())) AS told
      GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  WHEN 'UPDATE' THEN

    FOR c IN
      SELECT image_id, sum(entry) AS entries, sum(bytes) AS bytes FROM (SELECT user_id, image_id, -1 AS entry, -(octet_length(r.key) + octet_length(r.value)) AS bytes
   FROM old_rows r WHERE true UNION ALL SELECT user_id, image_id, 1 AS entry, (octet_length(r.key) + octet_length(r.value)) AS bytes
   FROM new_rows r WHERE true) AS change
      GROUP BY image_id HAVING sum(entry) <> 0 OR sum(bytes) <> 0 ORDER BY image_id
    LOOP
      PERFORM change_annotation_totals(c.image_id, 0, c.entries, c.bytes);
    END LOOP;
    IF (SELECT count(*) FROM (SELECT FROM new_rows LIMIT 2) AS few) = 1 THEN
      PERFORM post_annotation(now.user_id, 5::int2, action::int2, now.id,
                              now.image_id, (octet_length(now.key) + octet_length(now.value)) - (octet_length(was.key) + octet_length(was.value)))
      FROM old_rows was, new_rows now, LATERAL (SELECT CASE WHEN (was.key, was.value) IS DISTINCT FROM (now.key, now.value) THEN 1 END AS action OFFSET 0) AS a
      WHERE action IS NOT NULL;
      RETURN NULL;
    END IF;

    FOR c IN
      SELECT user_id, sum(bytes) AS bytes FROM (SELECT user_id, image_id, -1 AS entry, -(octet_length(r.key) + octet_length(r.value)) AS bytes
   FROM old_rows r WHERE true UNION ALL SELECT user_id, image_id, 1 AS entry, (octet_length(r.key) + octet_length(r.value)) AS bytes
   FROM new_rows r WHERE true) AS change
      GROUP BY user_id HAVING sum(bytes) <> 0 ORDER BY user_id
    LOOP
      PERFORM post_annotation(c.user_id, NULL, NULL, NULL, NULL, c.bytes::bigint);
    END LOOP;

    FOR t IN
      SELECT user_id, array_agg((5, action, id, image)::change_entry ORDER BY id)
               AS entries
      FROM (SELECT (states[2]).user_id, id, (states[2]).image_id AS image,
              customs_action(states[1], states[2]) AS action
       FROM (
         SELECT id, array_agg(state ORDER BY time) AS states
         FROM (SELECT id, 1 AS time, ROW(r.*)::customs AS state FROM old_rows r
               UNION ALL SELECT id, 2, ROW(r.*)::customs FROM new_rows r) AS state
         GROUP BY id OFFSET 0
       ) AS changed
       WHERE customs_action(states[1], states[2]) IS NOT NULL) AS told
      GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  ELSE
    IF (SELECT count(*) FROM (SELECT FROM old_rows LIMIT 2) AS few) = 1 THEN
      PERFORM change_annotation_totals(image_id, 0, -1, -(octet_length(r.key) + octet_length(r.value))),
              post_annotation(user_id, 5::int2, 5::int2, id, image_id,
                              -(octet_length(r.key) + octet_length(r.value)))
      FROM old_rows r WHERE EXISTS (SELECT FROM images i WHERE i.id = r.image_id);
      RETURN NULL;
    END IF;

    FOR c IN
      SELECT image_id, sum(entry) AS entries, sum(bytes) AS bytes FROM (SELECT user_id, image_id, -1 AS entry, -(octet_length(r.key) + octet_length(r.value)) AS bytes
   FROM old_rows r WHERE EXISTS (SELECT FROM images i WHERE i.id = r.image_id)) AS change
      GROUP BY image_id HAVING sum(entry) <> 0 OR sum(bytes) <> 0 ORDER BY image_id
    LOOP
      PERFORM change_annotation_totals(c.image_id, 0, c.entries, c.bytes);
    END LOOP;
    FOR c IN
      SELECT user_id, sum(bytes) AS bytes FROM (SELECT user_id, image_id, -1 AS entry, -(octet_length(r.key) + octet_length(r.value)) AS bytes
   FROM old_rows r WHERE EXISTS (SELECT FROM images i WHERE i.id = r.image_id)) AS change
      GROUP BY user_id HAVING sum(bytes) <> 0 ORDER BY user_id
    LOOP
      PERFORM post_annotation(c.user_id, NULL, NULL, NULL, NULL, c.bytes::bigint);
    END LOOP;

    FOR t IN
      SELECT user_id, array_agg((5, action, id, image)::change_entry ORDER BY id)
               AS entries
      FROM (
      SELECT user_id, id, image_id AS image, 5 AS action FROM old_rows r
      WHERE EXISTS (SELECT FROM images i WHERE i.id = r.image_id)) AS told
      GROUP BY user_id ORDER BY user_id
    LOOP
      PERFORM post_changes(t.user_id, t.entries);
    END LOOP;
  END CASE;
  RETURN NULL;
END $function$;

CREATE TRIGGER total_inserted AFTER INSERT ON customs REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION total_customs();
CREATE TRIGGER total_updated AFTER UPDATE ON customs
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION total_customs();
CREATE TRIGGER total_deleted AFTER DELETE ON customs REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION total_customs();

CREATE FUNCTION forget_annotation_totals() RETURNS trigger LANGUAGE plpgsql AS $function$
DECLARE
  t record;
  gone bigint;
BEGIN
  FOR t IN SELECT user_id, array_agg(id) AS images FROM old_rows GROUP BY user_id ORDER BY user_id
  LOOP
    WITH forgotten AS (
      DELETE FROM annotation_totals WHERE image_id = ANY (t.images) RETURNING text_bytes
    )
    SELECT sum(text_bytes) INTO gone FROM forgotten;
    IF gone > 0 THEN
      UPDATE users u SET text_bytes = u.text_bytes - gone WHERE u.id = t.user_id;
    END IF;
  END LOOP;
  RETURN NULL;
END $function$;

CREATE TRIGGER forget_annotation_totals AFTER DELETE ON images
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION forget_annotation_totals();
