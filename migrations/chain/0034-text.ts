import type { MigrationInterface, QueryRunner } from 'typeorm';
import { actions, things } from './0020-change-posting.js';
import { few, postRows, postUpdates, told } from './0020-change-triggers.js';

/**
 * The text of memos and customs counts against the quota of its user and the limits of the platform
 * (docs/adr/0010, docs/adr/0003). Replaces functions of migrations 24 and 25; a foreign key gives way
 * to a trigger, which subtracts what goes with images once per statement.
 */
export class QuotaOfText0000000000034 implements MigrationInterface {
  readonly name = 'QuotaOfText0000000000034';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(column);
    await runner.query(rooms);
    await runner.query(posting);
    await runner.query(keeping('memos', 'memo', 'message'));
    await runner.query(keeping('customs', 'custom', 'key', 'value'));
    await runner.query(forgetting);
    await runner.query(filling);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

// Images first: so do deletions, whose cascades go on to memos and customs.
const column = `
  LOCK TABLE images, memos, customs IN SHARE ROW EXCLUSIVE MODE;
  ALTER TABLE users ADD COLUMN text_bytes bigint NOT NULL DEFAULT 0;
  COMMENT ON COLUMN users.text_bytes IS
    'of memos and customs, in UTF-8: with stored_bytes, what the quota counts';
  COMMENT ON COLUMN users.granted_bytes IS
    'may be stored without asking again whether the platform has room; at least stored_bytes and text_bytes count';
`;

/** What a user takes beyond what is needed now, at most, and of what is left; as in migration 24. */
const chunk = { bytes: 64 * 1024 * 1024, images: 64, part: 64 };
const plenty = { bytes: 2 ** 40, images: 1_000_000 };
const usedBytes = 'stored_bytes + text_bytes';
const usedImages = 'active_images + trashed_images';

// As in migration 24, but for the bytes of text.
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

// Statements of the service come with limits and the user's lock; one without limits, such as an
// operator's, is not checked. The first write of a transaction both charges and posts, as in
// migration 25.
const posting = `
  CREATE FUNCTION admit_text(who uuid, more bigint) RETURNS void
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

  -- Charges the text of an annotation, and posts what was done to it unless that is null.
  CREATE FUNCTION post_annotation(who uuid, what smallint, act smallint, thing uuid, image uuid,
                                  more bigint) RETURNS void
  LANGUAGE plpgsql VOLATILE AS $function$
  BEGIN
    IF more > 0 AND current_setting('imgstore.annotation_limits', true) <> '' THEN
      PERFORM admit_text(who, more);
    END IF;
    IF act IS NOT NULL
       AND current_setting('imgstore.removed_user', true) IS DISTINCT FROM who::text THEN
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
`;

/**
 * As in migration 25, with the bytes of the user. What goes with its image is left to the trigger on
 * images. Annotations never change their user.
 */
const keeping = (
  table: 'memos' | 'customs',
  thing: 'memo' | 'custom',
  ...texts: readonly string[]
): string => {
  const what = told[table];
  const { insertedIf, deletedIf, updates } = what;
  const bytes = (row: string): string =>
    texts.map((text) => `octet_length(${row}.${text})`).join(' + ');
  const entries = (count: string): string => (table === 'memos' ? `${count}, 0` : `0, ${count}`);
  const facts = (rows: string, sign = '', condition = 'true'): string =>
    `SELECT user_id, image_id, ${sign}1 AS entry, ${sign}(${bytes('r')}) AS bytes
     FROM ${rows} r WHERE ${condition}`;
  const total = (changes: string): string => `
      FOR c IN
        SELECT image_id, sum(entry) AS entries, sum(bytes) AS bytes FROM (${changes}) AS change
        GROUP BY image_id HAVING sum(entry) <> 0 OR sum(bytes) <> 0 ORDER BY image_id
      LOOP
        PERFORM change_annotation_totals(c.image_id, ${entries('c.entries')}, c.bytes);
      END LOOP;`;
  const charge = (changes: string): string => `
      FOR c IN
        SELECT user_id, sum(bytes) AS bytes FROM (${changes}) AS change
        GROUP BY user_id HAVING sum(bytes) <> 0 ORDER BY user_id
      LOOP
        PERFORM post_annotation(c.user_id, NULL, NULL, NULL, NULL, c.bytes::bigint);
      END LOOP;`;
  const one = (rows: string, sign: string, act: string, condition = 'true'): string => `
        PERFORM change_annotation_totals(image_id, ${entries(`${sign}1`)}, ${sign}(${bytes('r')})),
                post_annotation(user_id, ${things[thing]}::int2, ${act}::int2, id, image_id,
                                ${sign}(${bytes('r')}))
        FROM ${rows} r WHERE ${condition};
        RETURN NULL;`;
  const inserted = facts('new_rows');
  const updated = `${facts('old_rows', '-')} UNION ALL ${facts('new_rows')}`;
  const deleted = facts('old_rows', '-', deletedIf);
  return `
  CREATE OR REPLACE FUNCTION total_${table}() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    c record;
    t record;
  BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN
      IF ${few('new_rows')} = 1 THEN${one('new_rows', '', `CASE WHEN ${insertedIf} THEN ${actions.created} END`)}
      END IF;
      ${total(inserted)}${charge(inserted)}
      ${postRows(what, 'new_rows', actions.created, insertedIf)}
    WHEN 'UPDATE' THEN
      ${total(updated)}
      IF ${few('new_rows')} = 1 THEN
        PERFORM post_annotation(now.user_id, ${things[thing]}::int2, action::int2, now.id,
                                now.image_id, (${bytes('now')}) - (${bytes('was')}))
        FROM old_rows was, new_rows now, LATERAL (SELECT CASE ${updates} END AS action OFFSET 0) AS a
        WHERE action IS NOT NULL;
        RETURN NULL;
      END IF;
      ${charge(updated)}
      ${postUpdates(what)}
    ELSE
      IF ${few('old_rows')} = 1 THEN${one('old_rows', '-', String(actions.deleted), deletedIf)}
      END IF;
      ${total(deleted)}${charge(deleted)}
      ${postRows(what, 'old_rows', actions.deleted, deletedIf)}
    END CASE;
    RETURN NULL;
  END $function$;
  `;
};

// A cascade would subtract from the user's row once per image, in time that grows with the square.
const forgetting = `
  ALTER TABLE annotation_totals DROP CONSTRAINT annotation_totals_image_id_fkey;

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
`;

const filling = `
  UPDATE users u SET text_bytes = text.bytes
  FROM (
    SELECT i.user_id, sum(t.text_bytes)::bigint AS bytes
    FROM annotation_totals t JOIN images i ON i.id = t.image_id
    WHERE t.text_bytes > 0 GROUP BY i.user_id
  ) AS text
  WHERE u.id = text.user_id;

  SELECT count(*) FROM platform_limits, LATERAL settle_platform(platform_id);
`;
