// The trigger functions of migration 14. All their SQL is static, so that a session plans it once.
// A plan made for one row has to do for many: nothing joins two transition tables, which would be
// one loop within another, and what groups their rows spills to disk.

/** The sums of changes by what totals are kept for, null if there are none. @param rows of images. */
export const summedChanges = (rows: string): string => `
  SELECT array_agg(c) INTO changes FROM (
    SELECT (user_id, platform_id, folder_id, has_det, located, sum(sign * active),
            sum(sign * trashed), sum(sign * active * bytes), sum(sign * trashed * bytes),
            sum(sign * original), sum(sign * latest), sum(sign * stored),
            count(*) FILTER (WHERE uploaded = 'camera'),
            count(*) FILTER (WHERE uploaded = 'gallery'),
            count(*) FILTER (WHERE uploaded = 'request'),
            sum(edited), sum(trashings))::image_change AS c
    FROM (${rows}) AS change
    GROUP BY user_id, platform_id, folder_id, has_det, located
    HAVING (sum(sign * active), sum(sign * trashed), sum(sign * active * bytes),
            sum(sign * trashed * bytes), sum(sign * original), sum(sign * latest),
            sum(sign * stored), sum(edited), sum(trashings)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
  ) AS changed;`;

export const facts = `user_id, platform_id, folder_id, coalesce(has_det::text, 'none') AS has_det,
  location IS NOT NULL AS located, (deleted_at IS NULL)::int AS active,
  (deleted_at IS NOT NULL)::int AS trashed, bytes, original_bytes AS original,
  original_bytes + CASE WHEN edits > 0 THEN bytes ELSE 0 END AS latest,
  original_bytes + edit_bytes AS stored`;

// Below the SELECT list, IN is a hashed subplan; as a condition it could become a nested loop.
export const inserted = `
  SELECT 1 AS sign, ${facts}, upload_type AS uploaded, 0 AS edited, 0 AS trashings FROM new_rows`;
export const deleted = `
  SELECT -1 AS sign, ${facts}, NULL AS uploaded, 0 AS edited,
         (deleted_at IS NULL)::int AS trashings FROM old_rows`;
export const updated = `
  SELECT -1 AS sign, ${facts}, NULL AS uploaded, -edits AS edited, 0 AS trashings FROM old_rows
  UNION ALL
  SELECT 1, ${facts}, NULL, edits,
         (deleted_at IS NOT NULL
          AND id IN (SELECT id FROM old_rows WHERE deleted_at IS NULL))::int FROM new_rows`;

export const counters = [
  'active_images',
  'trashed_images',
  'active_bytes',
  'trashed_bytes',
] as const;
const sums = counters.map((counter) => `sum(c.${counter})`).join(', ');
export const added = (table: string, names: readonly string[] = counters): string =>
  names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');

/** Adds changes to kept totals. Nothing is kept for a `parent` that its own deletion took away. */
const addTo = (table: string, key: string, of: string, parent: string): string => `
  INSERT INTO ${table} AS t (${key}, ${counters.join(', ')})
  SELECT ${of}, ${sums} FROM unnest(changes) AS c JOIN ${parent}
  GROUP BY ${of}
  HAVING (${sums}) <> (0, 0, 0, 0)
  ORDER BY ${of}
  ON CONFLICT (${table === 'folder_totals' ? 'folder_id' : key}) DO UPDATE SET ${added('t')};`;

export const imageKey = 'user_id, has_det, located, in_folder';
const imageGroup = 'c.user_id, c.has_det, c.located, c.folder_id IS NOT NULL';

/** Takes one row as a change from nothing. @param counts what it adds to uploads by type and edits. */
const takeOne = (rows: string, into: 'was' | 'now', counts: string): string => `
  SELECT user_id, platform_id, folder_id, has_det, located, active, trashed, active * bytes,
         trashed * bytes, original, latest, stored, ${counts}, 0
  INTO ${into} FROM (SELECT ${facts}, edits, upload_type FROM ${rows}) AS image;`;
export const byType = ['camera', 'gallery', 'request']
  .map((type) => `(upload_type = '${type}')::int`)
  .join(', ');

export const values = (sign: '' | '-', image: 'was' | 'now'): string =>
  counters.map((counter) => `${sign}${image}.${counter}`).join(', ');
export const difference = counters.map((counter) => `now.${counter} - was.${counter}`).join(', ');

export const addOne = (
  table: 'image_totals' | 'folder_totals',
  image: string,
  counts: string,
): string =>
  table === 'image_totals'
    ? `INSERT INTO image_totals AS t (${imageKey}, ${counters.join(', ')})
       VALUES (${image}.user_id, ${image}.has_det, ${image}.located, ${image}.folder_id IS NOT NULL, ${counts})
       ON CONFLICT (${imageKey}) DO UPDATE SET ${added('t')};`
    : `INSERT INTO folder_totals AS t (folder_id, user_id, ${counters.join(', ')})
       VALUES (${image}.folder_id, ${image}.user_id, ${counts})
       ON CONFLICT (folder_id) DO UPDATE SET ${added('t')};`;

/** What statistics count of a change of one image, from `was` to `now`. */
export const usageEvent = `    IF (now.active_images, now.original_bytes, now.latest_bytes, now.stored_bytes, now.edits)
       <> (was.active_images, was.original_bytes, was.latest_bytes, was.stored_bytes, was.edits)
    THEN
      INSERT INTO usage_events (platform_id, user_id, upload_camera, upload_gallery, upload_request,
                                edits, deletions, active_images, original_bytes, latest_bytes,
                                stored_bytes)
      VALUES (now.platform_id, now.user_id, now.upload_camera, now.upload_gallery,
              now.upload_request, now.edits - was.edits,
              greatest(was.active_images - now.active_images, 0),
              now.active_images - was.active_images, now.original_bytes - was.original_bytes,
              now.latest_bytes - was.latest_bytes, now.stored_bytes - was.stored_bytes);
    END IF;
`;

/**
 * The user's row comes first and stays locked: whatever else is kept of a user changes one
 * transaction after the other (docs/adr/0003).
 */
export const imageAccounts = `
  CREATE TYPE image_change AS (
    user_id uuid, platform_id uuid, folder_id uuid, has_det text, located boolean,
    active_images bigint, trashed_images bigint, active_bytes bigint, trashed_bytes bigint,
    original_bytes bigint, latest_bytes bigint, stored_bytes bigint,
    upload_camera bigint, upload_gallery bigint, upload_request bigint, edits bigint,
    deletions bigint
  );

  CREATE FUNCTION post_image_change(was image_change, now image_change) RETURNS void
  LANGUAGE plpgsql AS $function$
  BEGIN
    IF (${difference}, now.stored_bytes - was.stored_bytes) <> (0, 0, 0, 0, 0) THEN
      UPDATE users
      SET active_images = active_images + now.active_images - was.active_images,
          trashed_images = trashed_images + now.trashed_images - was.trashed_images,
          active_bytes = active_bytes + now.active_bytes - was.active_bytes,
          trashed_bytes = trashed_bytes + now.trashed_bytes - was.trashed_bytes,
          stored_bytes = stored_bytes + now.stored_bytes - was.stored_bytes
      WHERE id = now.user_id;
    ELSE
      PERFORM FROM users WHERE id = now.user_id FOR NO KEY UPDATE;
    END IF;
${usageEvent}    IF (was.has_det, was.located, was.folder_id IS NULL)
       = (now.has_det, now.located, now.folder_id IS NULL) THEN
      ${addOne('image_totals', 'now', difference)}
    ELSE
      ${addOne('image_totals', 'was', values('-', 'was'))}
      ${addOne('image_totals', 'now', values('', 'now'))}
    END IF;
    IF was.folder_id = now.folder_id THEN
      IF (${difference}) <> (0, 0, 0, 0) THEN
        ${addOne('folder_totals', 'now', difference)}
      END IF;
      RETURN;
    END IF;
    IF was.folder_id IS NOT NULL THEN
      ${addOne('folder_totals', 'was', values('-', 'was'))}
    END IF;
    IF now.folder_id IS NOT NULL THEN
      ${addOne('folder_totals', 'now', values('', 'now'))}
    END IF;
  END $function$;

  CREATE FUNCTION post_image_changes(changes image_change[]) RETURNS void
  LANGUAGE plpgsql AS $function$
  BEGIN
    PERFORM FROM users WHERE id IN (SELECT user_id FROM unnest(changes)) ORDER BY id
    FOR NO KEY UPDATE;
    WITH account AS MATERIALIZED (
      SELECT platform_id, user_id, sum(upload_camera) AS camera, sum(upload_gallery) AS gallery,
             sum(upload_request) AS request, sum(edits) AS edits, sum(deletions) AS deletions,
             sum(active_images) AS active, sum(trashed_images) AS trashed,
             sum(active_bytes) AS active_bytes, sum(trashed_bytes) AS trashed_bytes,
             sum(original_bytes) AS original, sum(latest_bytes) AS latest,
             sum(stored_bytes) AS stored
      FROM unnest(changes) GROUP BY platform_id, user_id
    ),
    posted AS (
      INSERT INTO usage_events (platform_id, user_id, upload_camera, upload_gallery,
                                upload_request, edits, deletions, active_images, original_bytes,
                                latest_bytes, stored_bytes)
      SELECT platform_id, user_id, camera, gallery, request, edits, deletions, active, original,
             latest, stored
      FROM account
      WHERE (camera, gallery, request, edits, deletions, active, original, latest, stored)
            <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
    )
    UPDATE users u
    SET active_images = u.active_images + a.active,
        trashed_images = u.trashed_images + a.trashed,
        active_bytes = u.active_bytes + a.active_bytes,
        trashed_bytes = u.trashed_bytes + a.trashed_bytes,
        stored_bytes = u.stored_bytes + a.stored
    FROM account a
    WHERE u.id = a.user_id
      AND (a.active, a.trashed, a.active_bytes, a.trashed_bytes, a.stored) <> (0, 0, 0, 0, 0);
    ${addTo('image_totals', imageKey, imageGroup, 'users u ON u.id = c.user_id')}
    ${addTo('folder_totals', 'folder_id, user_id', 'c.folder_id, c.user_id', 'folders f ON f.id = c.folder_id')}
  END $function$;

  CREATE OR REPLACE FUNCTION account_for_images() RETURNS trigger
  LANGUAGE plpgsql AS $function$
  DECLARE
    was image_change;
    now image_change;
    changes image_change[];
  BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN
      IF (SELECT count(*) = 1 FROM (SELECT FROM new_rows LIMIT 2) AS few) THEN
        ${takeOne('new_rows', 'now', `${byType}, 0`)}
        was := (now.user_id, now.platform_id, now.folder_id, now.has_det, now.located,
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        PERFORM post_image_change(was, now);
        RETURN NULL;
      END IF;
      ${summedChanges(inserted)}
    WHEN 'UPDATE' THEN
      IF (SELECT count(*) = 1 FROM (SELECT FROM new_rows LIMIT 2) AS few) THEN
        ${takeOne('old_rows', 'was', '0, 0, 0, edits')}
        ${takeOne('new_rows', 'now', '0, 0, 0, edits')}
        IF was = now THEN
          RETURN NULL;
        END IF;
        IF was.user_id = now.user_id THEN
          PERFORM post_image_change(was, now);
          RETURN NULL;
        END IF;
      END IF;
      ${summedChanges(updated)}
    ELSE ${summedChanges(deleted)}
    END CASE;
    IF changes IS NOT NULL THEN
      PERFORM post_image_changes(changes);
    END IF;
    RETURN NULL;
  END $function$;
`;
