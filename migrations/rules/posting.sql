-- How entries of the change feed get their numbers and positions (docs/adr/0015). Things: 1 image, 2 version,
-- 3 folder, 4 memo, 5 custom, 6 upload set, 7 user, 8 link. Actions: 0 created, 1 updated, 2 moved, 3 restored,
-- 4 trashed, 5 deleted; of several changes to one thing in a transaction, the highest one is told.

CREATE FUNCTION feed_position() RETURNS bigint
LANGUAGE plpgsql VOLATILE AS $function$
BEGIN
  RETURN pg_current_xact_id()::text::bigint + (SELECT c.xid_offset FROM feed_clock c);
END $function$;

-- Merges entries with those of the same things from "first" to "last", which this transaction made.
-- Returns the entries that are left.
CREATE FUNCTION merge_changes(who uuid, entries change_entry[], first bigint, last bigint)
RETURNS change_entry[]
LANGUAGE plpgsql VOLATILE SET enable_nestloop = off AS $function$
DECLARE
  rest change_entry[];
BEGIN
  WITH entry AS MATERIALIZED (
    SELECT * FROM unnest(entries) WITH ORDINALITY AS e (type, action, id, image_id, n)
  ),
  merged AS (
    UPDATE changes c
    SET action = CASE WHEN c.action = 0 AND e.action < 5
                      THEN c.action ELSE greatest(c.action, e.action) END
    FROM entry e
    WHERE c.user_id = who AND c.seq BETWEEN first AND last AND c.type = e.type AND c.id = e.id
    RETURNING e.n
  )
  SELECT array_agg((e.type, e.action, e.id, e.image_id)::change_entry ORDER BY e.n) INTO rest
  FROM entry e LEFT JOIN merged m ON m.n = e.n WHERE m.n IS NULL;
  RETURN coalesce(rest, '{}');
END $function$;

CREATE FUNCTION post_changes(who uuid, entries change_entry[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $function$
DECLARE
  own CONSTANT bigint := feed_position();
  many integer := cardinality(entries);
  head record;
BEGIN
  UPDATE users u
  SET change_seq = u.change_seq + many,
      change_first = CASE WHEN u.change_xact = own THEN u.change_first ELSE u.change_seq + 1 END,
      change_xact = own, change_position = greatest(u.change_position, own)
  WHERE u.id = who
  RETURNING u.platform_id, u.change_seq - many AS last, u.change_first AS first,
            u.change_position AS position
  INTO head;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF head.first <= head.last THEN
    entries := merge_changes(who, entries, CASE many WHEN 1 THEN head.first
      ELSE greatest(head.first, head.last - 9999) END, head.last);
    IF cardinality(entries) < many THEN
      UPDATE users u SET change_seq = u.change_seq - many + cardinality(entries)
      WHERE u.id = who;
      many := cardinality(entries);
    END IF;
  END IF;
  INSERT INTO changes (user_id, seq, platform_id, feed_position, at, type, action, id, image_id)
  SELECT who, head.last + e.n, head.platform_id, head.position, now.at, e.type, e.action, e.id, e.image_id
  FROM (SELECT clock_timestamp() AS at OFFSET 0) AS now,
       unnest(entries) WITH ORDINALITY AS e (type, action, id, image_id, n);
END $function$;

CREATE FUNCTION post_change(who uuid, what smallint, act smallint, thing uuid, image uuid)
RETURNS void
LANGUAGE plpgsql VOLATILE AS $function$
BEGIN
  PERFORM post_changes(who, ARRAY[(what, act, thing, image)::change_entry]);
END $function$;

-- Nobody goes who is held; holds that were on nothing else, and have ended, go, too. The last entry of a user
-- stays, for the platform; kept answers go (their owner is a row of either table, so that there is no key).
CREATE FUNCTION post_user() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM refuse_held((SELECT hold_id FROM held_of(OLD.id, now()) ORDER BY hold_id LIMIT 1));
    WITH gone AS (DELETE FROM held WHERE user_id = OLD.id RETURNING hold_id)
    DELETE FROM holds h WHERE h.id IN (SELECT hold_id FROM gone)
      AND NOT EXISTS (SELECT FROM held k WHERE k.hold_id = h.id AND k.user_id <> OLD.id);
    INSERT INTO changes (user_id, seq, platform_id, feed_position, at, type, action, id)
    SELECT OLD.id, OLD.change_seq + 1, OLD.platform_id,
           greatest(OLD.change_position, feed_position()), clock_timestamp(),
           7, 5, OLD.id
    WHERE EXISTS (SELECT FROM platforms WHERE id = OLD.platform_id);
    DELETE FROM idempotency_keys WHERE owner = OLD.id;
  ELSIF TG_OP = 'INSERT' OR OLD.max_storage_bytes <> NEW.max_storage_bytes THEN
    INSERT INTO custody_salts (user_id) SELECT NEW.id WHERE TG_OP = 'INSERT';
    PERFORM post_change(NEW.id, 7::int2, (TG_OP = 'UPDATE')::int::int2, NEW.id, NULL);
  END IF;
  RETURN NULL;
END $function$;

CREATE TRIGGER post_user AFTER INSERT OR UPDATE OF max_storage_bytes OR DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION post_user();

-- Instead of a foreign key, for which each entry would lock its platform. Before its holds go with it.
CREATE FUNCTION forget_platform() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  IF TG_OP = 'DELETE' OR (OLD.deleting_at IS NULL AND NEW.deleting_at IS NOT NULL) THEN
    PERFORM refuse_held((SELECT h.id FROM holds h
                         WHERE h.platform_id = OLD.id AND end_of(h) > now() ORDER BY h.id LIMIT 1));
  END IF;
  IF TG_OP = 'UPDATE' THEN
    RETURN NEW;
  END IF;
  DELETE FROM changes WHERE platform_id = OLD.id;
  DELETE FROM idempotency_keys WHERE owner = OLD.id;
  RETURN OLD;
END $function$;

CREATE TRIGGER forget_platform BEFORE UPDATE OF deleting_at OR DELETE ON platforms
  FOR EACH ROW EXECUTE FUNCTION forget_platform();
