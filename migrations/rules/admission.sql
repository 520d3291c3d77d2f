-- Whether a change is let in: its folder is open, and its platform has room. All users of a platform keep its
-- limits at once, without waiting for each other (docs/adr/0003).

CREATE FUNCTION folder_is_open(who uuid, folder uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT AS $function$
BEGIN
  RETURN EXISTS (
    SELECT FROM folders WHERE id = folder AND user_id = who AND deleted_at IS NULL
  );
END $function$;

CREATE FUNCTION platform_is_limited(platform uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE STRICT AS $function$
BEGIN
  RETURN EXISTS (SELECT FROM platform_limits WHERE platform_id = platform);
END $function$;

-- Has the user hold room for more, by what the platform has left. The caller has the user's lock.
CREATE FUNCTION take_room(who uuid, bytes bigint, images bigint) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $function$
DECLARE
  u record;
  l platform_limits;
  more_bytes bigint;
  more_images bigint;
BEGIN
  SELECT platform_id, stored_bytes + text_bytes + announced_bytes AS bytes, active_images + trashed_images AS images,
         greatest(stored_bytes + text_bytes + announced_bytes, granted_bytes) AS held_bytes,
         greatest(active_images + trashed_images, granted_images) AS held_images
  INTO STRICT u FROM users WHERE id = who;
  SELECT * INTO l FROM platform_limits WHERE platform_id = u.platform_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN true;
  END IF;
  more_bytes := greatest(0, u.bytes + bytes - u.held_bytes);
  more_images := greatest(0, u.images + images - u.held_images);
  IF (l.max_bytes IS NOT NULL AND more_bytes > 0 AND more_bytes > l.free_bytes)
     OR (l.max_images IS NOT NULL AND more_images > 0 AND more_images > l.free_images) THEN
    RETURN false;
  END IF;
  more_bytes := more_bytes + CASE WHEN l.max_bytes IS NULL THEN 1099511627776
    ELSE greatest(0, least(67108864, (l.free_bytes - more_bytes) / 64)) END;
  more_images := more_images + CASE WHEN l.max_images IS NULL THEN 1000000
    ELSE greatest(0, least(64, (l.free_images - more_images) / 64)) END;
  UPDATE platform_limits
  SET free_bytes = free_bytes - CASE WHEN max_bytes IS NULL THEN 0 ELSE more_bytes END,
      free_images = free_images - CASE WHEN max_images IS NULL THEN 0 ELSE more_images END
  WHERE platform_id = u.platform_id;
  UPDATE users SET granted_bytes = u.held_bytes + more_bytes,
                   granted_images = u.held_images + more_images
  WHERE id = who;
  RETURN true;
END $function$;

CREATE FUNCTION take_user(platform uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $function$
BEGIN
  UPDATE platform_limits SET free_users = free_users - 1
  WHERE platform_id = platform AND max_users IS NOT NULL AND free_users > 0;
  RETURN FOUND OR NOT EXISTS (
    SELECT FROM platform_limits WHERE platform_id = platform AND max_users IS NOT NULL
  );
END $function$;

-- Takes back what users hold and do not use, and counts anew what is left.
CREATE FUNCTION settle_platform(platform uuid) RETURNS SETOF platform_limits
LANGUAGE plpgsql VOLATILE AS $function$
BEGIN
  WITH idle AS MATERIALIZED (
    SELECT id FROM users
    WHERE platform_id = platform
      AND (granted_bytes > stored_bytes + text_bytes + announced_bytes OR granted_images > active_images + trashed_images)
    ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE users u SET granted_bytes = 0, granted_images = 0 FROM idle WHERE u.id = idle.id;
  PERFORM FROM platform_limits WHERE platform_id = platform FOR UPDATE;
  RETURN QUERY
    UPDATE platform_limits l
    SET free_bytes = coalesce(l.max_bytes - used.bytes, 0),
        free_images = coalesce(l.max_images - used.images, 0),
        free_users = coalesce(l.max_users - used.users, 0)
    FROM (
      SELECT coalesce(sum(greatest(stored_bytes + text_bytes + announced_bytes, granted_bytes)), 0)::bigint AS bytes,
             coalesce(sum(greatest(active_images + trashed_images, granted_images)), 0)::bigint AS images,
             count(*) AS users
      FROM users WHERE platform_id = platform
    ) AS used
    WHERE l.platform_id = platform
    RETURNING l.*;
END $function$;
