import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Uploads that resume, and the objects with what has arrived of them (docs/adr/0019). What they announce
 * counts against the quota of its user and the limits of the platform: replaces functions of migration
 * 34. Takes no time: the new column of users has a default, so its rows are not written.
 */
export class ResumableUploads0000000000041 implements MigrationInterface {
  readonly name = 'ResumableUploads0000000000041';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(column);
    await runner.query(tables);
    await runner.query(triggers);
    await runner.query(rooms);
    await runner.query(texts);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

const column = `
  ALTER TABLE users ADD COLUMN announced_bytes bigint NOT NULL DEFAULT 0;
  COMMENT ON COLUMN users.announced_bytes IS 'of uploads that are not finished';
  COMMENT ON COLUMN users.granted_bytes IS
    'may be stored without asking again whether the platform has room; at least what the quota counts';
  COMMENT ON COLUMN users.text_bytes IS
    'of memos and customs, in UTF-8: with stored_bytes and announced_bytes, what the quota counts';
`;

const tables = `
  CREATE TABLE resumable_uploads (
    id uuid PRIMARY KEY,
    platform_id uuid NOT NULL,
    user_id uuid NOT NULL,
    state text NOT NULL,
    length bigint NOT NULL,
    received bigint NOT NULL DEFAULT 0,
    pieces integer NOT NULL DEFAULT 0,
    metadata text,
    image_id uuid,
    error jsonb,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    CONSTRAINT resumable_uploads_state_check
      CHECK (state IN ('receiving', 'stored', 'refused', 'ended')),
    CONSTRAINT resumable_uploads_received_check CHECK (received <= length),
    FOREIGN KEY (user_id, platform_id) REFERENCES users (id, platform_id) ON DELETE CASCADE
  );
  COMMENT ON COLUMN resumable_uploads.received IS 'bytes of its pieces: what is durable of the file';
  COMMENT ON COLUMN resumable_uploads.metadata IS 'Upload-Metadata, as it was sent';
  COMMENT ON COLUMN resumable_uploads.image_id IS
    'what it was stored as, or as a version of; not a foreign key, since images are deleted';
  CREATE INDEX resumable_uploads_user ON resumable_uploads (user_id, state, id);
  CREATE INDEX resumable_uploads_expiry ON resumable_uploads (expires_at, id);
  CREATE INDEX resumable_uploads_open ON resumable_uploads (received, length)
    WHERE state = 'receiving';
  CREATE INDEX resumable_uploads_complete ON resumable_uploads (id)
    WHERE state = 'receiving' AND received = length;

  CREATE TABLE resumable_pieces (
    key text PRIMARY KEY,
    upload_id uuid NOT NULL REFERENCES resumable_uploads ON DELETE CASCADE,
    start bigint NOT NULL,
    bytes bigint NOT NULL,
    UNIQUE (upload_id, start)
  );
  COMMENT ON TABLE resumable_pieces IS 'objects with what has arrived of uploads, in the order of start';
`;

const triggers = `
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
`;

/** What a user takes beyond what is needed now, at most, and of what is left; as in migration 24. */
const chunk = { bytes: 64 * 1024 * 1024, images: 64, part: 64 };
const plenty = { bytes: 2 ** 40, images: 1_000_000 };
const usedBytes = 'stored_bytes + text_bytes + announced_bytes';
const usedImages = 'active_images + trashed_images';

// As in migration 34, but for the announced bytes.
const rooms = `
  CREATE OR REPLACE FUNCTION take_room(who uuid, bytes bigint, images bigint) RETURNS boolean
  LANGUAGE plpgsql VOLATILE AS $function$
  DECLARE
    u record;
    l platform_limits;
    more_bytes bigint;
    more_images bigint;
  BEGIN
    SELECT platform_id, ${usedBytes} AS bytes, ${usedImages} AS images,
           greatest(${usedBytes}, granted_bytes) AS held_bytes,
           greatest(${usedImages}, granted_images) AS held_images
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
    more_bytes := more_bytes + CASE WHEN l.max_bytes IS NULL THEN ${plenty.bytes}
      ELSE greatest(0, least(${chunk.bytes}, (l.free_bytes - more_bytes) / ${chunk.part})) END;
    more_images := more_images + CASE WHEN l.max_images IS NULL THEN ${plenty.images}
      ELSE greatest(0, least(${chunk.images}, (l.free_images - more_images) / ${chunk.part})) END;
    UPDATE platform_limits
    SET free_bytes = free_bytes - CASE WHEN max_bytes IS NULL THEN 0 ELSE more_bytes END,
        free_images = free_images - CASE WHEN max_images IS NULL THEN 0 ELSE more_images END
    WHERE platform_id = u.platform_id;
    UPDATE users SET granted_bytes = u.held_bytes + more_bytes,
                     granted_images = u.held_images + more_images
    WHERE id = who;
    RETURN true;
  END $function$;

  CREATE OR REPLACE FUNCTION settle_platform(platform uuid) RETURNS SETOF platform_limits
  LANGUAGE plpgsql VOLATILE AS $function$
  BEGIN
    WITH idle AS MATERIALIZED (
      SELECT id FROM users
      WHERE platform_id = platform
        AND (granted_bytes > ${usedBytes} OR granted_images > ${usedImages})
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
        SELECT coalesce(sum(greatest(${usedBytes}, granted_bytes)), 0)::bigint AS bytes,
               coalesce(sum(greatest(${usedImages}, granted_images)), 0)::bigint AS images,
               count(*) AS users
        FROM users WHERE platform_id = platform
      ) AS used
      WHERE l.platform_id = platform
      RETURNING l.*;
  END $function$;
`;

const texts = `
  CREATE OR REPLACE FUNCTION admit_text(who uuid, more bigint) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $function$
  DECLARE
    u record;
  BEGIN
    SELECT platform_id, ${usedBytes} + more > max_storage_bytes AS over,
           ${usedBytes} + more > granted_bytes AS ungranted
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
`;
