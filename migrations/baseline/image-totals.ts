// What is kept of a user's images: totals by state and by folder, so that no list counts what it lists
// (docs/adr/0003), and the ledger that statistics add up.

const counters = ['active_images', 'trashed_images', 'active_bytes', 'trashed_bytes'];
const columns = counters.join(', ');
const imageKey = 'user_id, has_det, located, in_folder';
const added = counters.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ');

/** What a change of one image, from `was` to `now`, adds to each counter. */
export const difference = counters.map((name) => `now.${name} - was.${name}`).join(', ');
const values = (sign: '' | '-', image: 'was' | 'now'): string =>
  counters.map((name) => `${sign}${image}.${name}`).join(', ');

// What one image counts, or the sums of what a statement added to that.
const imageChange = `
  CREATE TYPE image_change AS (
    user_id uuid, platform_id uuid, folder_id uuid, has_det text, located boolean,
    active_images bigint, trashed_images bigint, active_bytes bigint, trashed_bytes bigint,
    original_bytes bigint, latest_bytes bigint, stored_bytes bigint,
    upload_camera bigint, upload_gallery bigint, upload_request bigint, edits bigint,
    deletions bigint
  );
`;

/** What statistics count of a change of one image, from `was` to `now`. */
const usageEvent = `    IF (now.active_images, now.original_bytes, now.latest_bytes, now.stored_bytes, now.edits)
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

const addToFolder = (image: 'was' | 'now', counts: string): string =>
  `INSERT INTO folder_totals AS t (folder_id, user_id, ${columns})
       VALUES (${image}.folder_id, ${image}.user_id, ${counts})
       ON CONFLICT (folder_id) DO UPDATE SET ${added};`;

// An image that stays in its group changes one row, and one that moves changes two in one statement.
const ofOne = `
  CREATE FUNCTION keep_image_totals(was image_change, now image_change) RETURNS void
  LANGUAGE plpgsql AS $function$
  BEGIN
${usageEvent}    IF (was.has_det, was.located, was.folder_id IS NULL)
       = (now.has_det, now.located, now.folder_id IS NULL) THEN
      INSERT INTO image_totals AS t (${imageKey}, ${columns})
       VALUES (now.user_id, now.has_det, now.located, now.folder_id IS NOT NULL, ${difference})
       ON CONFLICT (${imageKey}) DO UPDATE SET ${added};
    ELSE
      INSERT INTO image_totals AS t (${imageKey}, ${columns})
      VALUES (was.user_id, was.has_det, was.located, was.folder_id IS NOT NULL, ${values('-', 'was')}),
             (now.user_id, now.has_det, now.located, now.folder_id IS NOT NULL, ${values('', 'now')})
      ON CONFLICT (${imageKey}) DO UPDATE SET ${added};
    END IF;
    IF was.folder_id = now.folder_id THEN
      IF (${difference}) <> (0, 0, 0, 0) THEN
        ${addToFolder('now', difference)}
      END IF;
      RETURN;
    END IF;
    IF was.folder_id IS NOT NULL THEN
      ${addToFolder('was', values('-', 'was'))}
    END IF;
    IF now.folder_id IS NOT NULL THEN
      ${addToFolder('now', values('', 'now'))}
    END IF;
  END $function$;
`;

const sums = counters.map((name) => `sum(c.${name})`).join(', ');

/** Adds changes to kept totals. Nothing is kept for a `parent` that its own deletion took away. */
const addTo = (table: string, key: string, of: string, parent: string): string => `
  INSERT INTO ${table} AS t (${key}, ${columns})
  SELECT ${of}, ${sums} FROM unnest(changes) AS c JOIN ${parent}
  GROUP BY ${of}
  HAVING (${sums}) <> (0, 0, 0, 0)
  ORDER BY ${of}
  ON CONFLICT (${table === 'folder_totals' ? 'folder_id' : key}) DO UPDATE SET ${added};`;

const imageGroup = 'c.user_id, c.has_det, c.located, c.folder_id IS NOT NULL';

// The users' rows come first and stay locked: whatever else is kept of a user changes one transaction
// after the other (docs/adr/0003).
const ofMany = `
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
`;

export const imageTotals = imageChange + ofOne + ofMany;
