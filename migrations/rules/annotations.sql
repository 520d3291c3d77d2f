-- How many memos and customs each image has, and how much text: both are bounded, and the text counts against
-- the quota of its user and the limits of the platform (docs/adr/0010, docs/adr/0003).

-- What a statement did to a memo or custom: how many more its image has, and how many bytes of text; the action
-- is null where nothing is told.
CREATE TYPE annotation_fact AS (
  user_id uuid, image_id uuid, id uuid, more integer, bytes bigint, action smallint
);
CREATE FUNCTION annotation_fact(state jsonb, sign integer, action integer) RETURNS annotation_fact
  LANGUAGE sql IMMUTABLE
  RETURN ((state->>'user_id')::uuid, (state->>'image_id')::uuid, (state->>'id')::uuid, sign,
          sign * coalesce(octet_length(state->>'message'),
                          octet_length(state->>'key') + octet_length(state->>'value')),
          action)::annotation_fact;

-- Memos and customs that came, changed or went, which is a change of what their images say: what comes with its
-- image is not told, and what goes with its image is counted with it.
CREATE FUNCTION keep_annotations() RETURNS trigger
LANGUAGE plpgsql SET enable_seqscan = off AS $function$
DECLARE
  is_memo CONSTANT boolean := TG_TABLE_NAME = 'memos';
  most CONSTANT bigint[] := nullif(current_setting('imgstore.annotation_limits', true), '')::bigint[];
  facts annotation_fact[];
  broken text;
  t record;
  room record;
BEGIN
  CASE TG_OP
  WHEN 'INSERT' THEN
    SELECT array_agg(annotation_fact(to_jsonb(n), 1, CASE WHEN i.uploaded_at = now() THEN NULL ELSE 0 END))
    INTO facts FROM new_rows n LEFT JOIN images i ON i.id = n.image_id;
  WHEN 'DELETE' THEN
    SELECT array_agg(annotation_fact(to_jsonb(o), -1, 5))
    INTO facts FROM old_rows o JOIN images i ON i.id = o.image_id;
  ELSE
    -- No join of the two, which would be one loop within another.
    SELECT array_agg(f) INTO facts
    FROM (
      SELECT array_agg(state ORDER BY time) AS states
      FROM (SELECT id, 1 AS time, to_jsonb(o) AS state FROM old_rows o
            UNION ALL SELECT id, 2, to_jsonb(n) FROM new_rows n) AS state
      GROUP BY id OFFSET 0
    ) AS changed
    CROSS JOIN LATERAL (VALUES
      (annotation_fact(states[1], -1, NULL)), (annotation_fact(states[2], 1, 1))) AS fact (f)
    WHERE states[1] <> states[2];
  END CASE;
  IF facts IS NULL THEN
    RETURN NULL;
  END IF;
  WITH more AS MATERIALIZED (
    SELECT image_id, sum(more) AS items, sum(bytes) AS bytes FROM unnest(facts) GROUP BY image_id
  ), total AS (
    INSERT INTO annotation_totals AS k (image_id, memos, customs, text_bytes)
    SELECT image_id, CASE WHEN is_memo THEN items ELSE 0 END, CASE WHEN is_memo THEN 0 ELSE items END, bytes
    FROM more WHERE (items, bytes) <> (0, 0) ORDER BY image_id
    ON CONFLICT (image_id) DO UPDATE
    SET memos = k.memos + excluded.memos, customs = k.customs + excluded.customs,
        text_bytes = k.text_bytes + excluded.text_bytes
    RETURNING *
  )
  SELECT min(CASE
    WHEN m.items > 0 AND k.memos > most[1] AND is_memo THEN 'too_many_memos'
    WHEN m.items > 0 AND k.customs > most[2] AND NOT is_memo THEN 'too_many_customs'
    WHEN m.bytes > 0 AND k.text_bytes > most[3] THEN 'too_much_text' END)
  INTO broken FROM total k JOIN more m USING (image_id);
  IF broken IS NOT NULL THEN
    RAISE check_violation
      USING MESSAGE = 'the annotations of an image are bounded', CONSTRAINT = broken;
  END IF;
  FOR t IN
    SELECT user_id, sum(bytes)::bigint AS bytes,
           array_agg((CASE WHEN is_memo THEN 4 ELSE 5 END, action, id, image_id)::change_entry ORDER BY id)
             FILTER (WHERE action IS NOT NULL) AS entries
    FROM unnest(facts) GROUP BY user_id ORDER BY user_id
  LOOP
    IF t.bytes > 0 AND most IS NOT NULL THEN
      SELECT platform_id, used + t.bytes > max_storage_bytes AS over, used + t.bytes > granted_bytes AS ungranted
      INTO room FROM users, LATERAL (SELECT stored_bytes + text_bytes + announced_bytes) AS sum (used)
      WHERE id = t.user_id;
      IF room.over THEN
        RAISE check_violation
          USING MESSAGE = 'the text exceeds the quota', CONSTRAINT = 'storage_quota_exceeded';
      END IF;
      IF room.ungranted AND platform_is_limited(room.platform_id) AND NOT take_room(t.user_id, t.bytes, 0) THEN
        RAISE check_violation
          USING MESSAGE = 'the platform seems to have no capacity left',
                CONSTRAINT = 'platform_limit_exceeded', DETAIL = room.platform_id || ' ' || t.bytes;
      END IF;
    END IF;
    IF t.bytes <> 0 THEN
      UPDATE users u SET text_bytes = u.text_bytes + t.bytes WHERE u.id = t.user_id;
    END IF;
    IF t.entries IS NOT NULL THEN
      PERFORM post_changes(t.user_id, t.entries);
    END IF;
  END LOOP;
  UPDATE images SET updated_at = now()
  WHERE id IN (SELECT image_id FROM unnest(facts) WHERE action IS NOT NULL) AND updated_at < now();
  IF TG_OP <> 'INSERT' AND EXISTS (SELECT FROM held) THEN
    PERFORM keep_held_images((
      SELECT array_agg(i) FROM images i WHERE i.id IN (SELECT image_id FROM unnest(facts))));
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER keep_inserted AFTER INSERT ON memos REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_annotations();
CREATE TRIGGER keep_updated AFTER UPDATE ON memos REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_annotations();
CREATE TRIGGER keep_deleted AFTER DELETE ON memos REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_annotations();
CREATE TRIGGER keep_inserted AFTER INSERT ON customs REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_annotations();
CREATE TRIGGER keep_updated AFTER UPDATE ON customs REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_annotations();
CREATE TRIGGER keep_deleted AFTER DELETE ON customs REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_annotations();
