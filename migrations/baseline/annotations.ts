import { usedBytes } from './admission.js';
import { actions, things } from './change-posting.js';
import { few, postRows, postUpdates, told } from './change-triggers.js';

// How many memos and customs each image has, and how much text: both are bounded, and the text counts
// against the quota of its user and the limits of the platform (docs/adr/0010, docs/adr/0003).

// What grows past a limit is refused, whatever it was before: images that were beyond a limit when
// it came can shrink. The limits come with the statement; one without, such as an operator's, has
// none. Rows of images that are being deleted may be gone before the last of their annotations.
const changing = `
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
`;

// Statements of the service come with limits and the user's lock; one without limits, such as an
// operator's, is not checked. The first write of a transaction both charges and posts, as for images
// (post_to_user).
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
 * Keeps the totals of images and the bytes of users, and tells the change feed, in one pass. What goes
 * with its image is left to the trigger on images. Annotations never change their user.
 * @param texts columns whose bytes count.
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
  CREATE FUNCTION total_${table}() RETURNS trigger LANGUAGE plpgsql AS $function$
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

  CREATE TRIGGER total_inserted AFTER INSERT ON ${table} REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION total_${table}();
  CREATE TRIGGER total_updated AFTER UPDATE ON ${table}
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION total_${table}();
  CREATE TRIGGER total_deleted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION total_${table}();
  `;
};

// A cascade would subtract from the user's row once per image, in time that grows with the square.
const forgetting = `
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

export const annotations =
  changing +
  posting +
  keeping('memos', 'memo', 'message') +
  keeping('customs', 'custom', 'key', 'value') +
  forgetting;
