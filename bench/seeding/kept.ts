import { freshImages } from './rows.js';

// Computes the tables that triggers maintain for the users in the temporary table `seeded`, in the same
// way as the migrations fill them and `verify accounts` compares them.

/** Adds new rows to the ledger and the users' counters. */
export const ledger = `
  WITH account AS MATERIALIZED (
    SELECT i.platform_id, i.user_id,
           count(*) FILTER (WHERE upload_type = 'camera') AS camera,
           count(*) FILTER (WHERE upload_type = 'gallery') AS gallery,
           count(*) FILTER (WHERE upload_type = 'request') AS request,
           count(*) FILTER (WHERE deleted_at IS NULL) AS active,
           count(*) FILTER (WHERE deleted_at IS NOT NULL) AS trashed,
           coalesce(sum(i.bytes) FILTER (WHERE deleted_at IS NULL), 0) AS active_bytes,
           coalesce(sum(i.bytes) FILTER (WHERE deleted_at IS NOT NULL), 0) AS trashed_bytes,
           sum(original_bytes) AS original
    FROM ${freshImages}
    GROUP BY i.platform_id, i.user_id
  ),
  posted AS (
    INSERT INTO usage_events (platform_id, user_id, upload_camera, upload_gallery, upload_request,
                              edits, deletions, active_images, original_bytes, latest_bytes,
                              stored_bytes)
    SELECT platform_id, user_id, camera, gallery, request, 0, 0, active, original, original, original
    FROM account
  )
  UPDATE users u
  SET active_images = u.active_images + a.active,
      trashed_images = u.trashed_images + a.trashed,
      active_bytes = u.active_bytes + a.active_bytes,
      trashed_bytes = u.trashed_bytes + a.trashed_bytes,
      stored_bytes = u.stored_bytes + a.original, map_version = u.map_version + 1
  FROM account a WHERE u.id = a.user_id`;

/**
 * Adds entries that things 3 (folders) and 1 (images) were created (migrations/rules/posting.sql), for new rows, folders before images. New folders are those created in
 * this transaction.
 */
export const feed = `
  WITH fresh AS (
    SELECT user_id, 3 AS type, id, 0 AS turn
    FROM folders WHERE created_at = now() AND user_id IN (SELECT user_id FROM seeded)
    UNION ALL
    SELECT i.user_id, 1, i.id, 1 FROM ${freshImages}
  ),
  entry AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY turn, id) AS n FROM fresh
  ),
  clock AS MATERIALIZED (SELECT feed_position() AS position),
  inserted AS (
    INSERT INTO changes (user_id, seq, platform_id, feed_position, at, type, action, actor, id)
    SELECT u.id, u.change_seq + e.n, u.platform_id, clock.position, now(), e.type,
           0, 1, e.id
    FROM entry e JOIN users u ON u.id = e.user_id CROSS JOIN clock
  )
  UPDATE users u
  SET change_seq = u.change_seq + e.entries, change_first = u.change_seq + 1,
      change_xact = clock.position, change_position = clock.position
  FROM (SELECT user_id, count(*) AS entries FROM entry GROUP BY user_id) AS e CROSS JOIN clock
  WHERE u.id = e.user_id`;

/** A table that triggers maintain. */
interface Kept {
  readonly table: string;
  /** Condition for the rows of the users, all of which are rebuilt. */
  readonly ofUsers: string;
  readonly fill: string;
}

const ofUsers = 'user_id IN (SELECT user_id FROM seeded)';
const imagesOfUsers = `images WHERE ${ofUsers}`;

const sums = `
  count(*) FILTER (WHERE deleted_at IS NULL) AS active_images,
  count(*) FILTER (WHERE deleted_at IS NOT NULL) AS trashed_images,
  coalesce(sum(bytes) FILTER (WHERE deleted_at IS NULL), 0) AS active_bytes,
  coalesce(sum(bytes) FILTER (WHERE deleted_at IS NOT NULL), 0) AS trashed_bytes`;

const imageTotals = `
  INSERT INTO image_totals
    (user_id, has_det, located, in_folder, active_images, trashed_images, active_bytes, trashed_bytes)
  SELECT user_id, coalesce(has_det::text, 'none'), location IS NOT NULL, folder_id IS NOT NULL, ${sums}
  FROM ${imagesOfUsers} GROUP BY 1, 2, 3, 4`;

const folderTotals = `
  INSERT INTO folder_totals
    (folder_id, user_id, active_images, trashed_images, active_bytes, trashed_bytes)
  SELECT folder_id, user_id, ${sums}
  FROM ${imagesOfUsers} AND folder_id IS NOT NULL GROUP BY 1, 2`;

/** The newest image of a state: rows are numbered first, since sorting per location would take longer. */
const newest = (condition: string): string => `
  max(created_at) FILTER (WHERE nth = 1 AND ${condition}),
  (array_agg(id) FILTER (WHERE nth = 1 AND ${condition}))[1]`;

const places = `
  WITH numbered AS (
    SELECT *, row_number() OVER (
      PARTITION BY user_id, location, deleted_at IS NULL ORDER BY created_at DESC, id DESC) AS nth
    FROM (
      SELECT user_id, location, deleted_at, bytes, created_at, id, uploaded_at
      FROM ${imagesOfUsers} AND location IS NOT NULL
    ) AS located
  )
  INSERT INTO places
    (user_id, cell, location, active_images, trashed_images, active_bytes, trashed_bytes, active_at,
     active_id, trashed_at, trashed_id, uploaded_at)
  SELECT user_id, map_cell(location), location, ${sums}, ${newest('deleted_at IS NULL')},
         ${newest('deleted_at IS NOT NULL')}, max(uploaded_at)
  FROM numbered GROUP BY user_id, location`;

const mapCells = `SELECT fill_map_cells((SELECT array_agg(DISTINCT user_id) FROM seeded))`;

/** What triggers on map_cells note, of the users in $1. */
export const platformCellChanges = `
  INSERT INTO platform_cell_changes (platform_id, cell, active_images, active_at, active_id)
  SELECT platform_id, active_cell, active_images, active_at, active_id
  FROM map_cells WHERE user_id = ANY ($1::uuid[]) AND zoom = 24 AND active_images > 0`;

const annotationTotals = `
  WITH total AS (
    INSERT INTO annotation_totals (image_id, memos, customs, text_bytes)
    SELECT image_id, sum(memos), sum(customs), sum(bytes)
    FROM (
      SELECT image_id, 1 AS memos, 0 AS customs, octet_length(message) AS bytes
      FROM memos WHERE ${ofUsers}
      UNION ALL
      SELECT image_id, 0, 1, octet_length(key) + octet_length(value) FROM customs WHERE ${ofUsers}
    ) AS annotation
    GROUP BY image_id
    RETURNING image_id, text_bytes
  )
  UPDATE users u SET text_bytes = text.bytes
  FROM (
    SELECT user_id, sum(text_bytes) AS bytes FROM total JOIN images i ON i.id = image_id GROUP BY 1
  ) AS text
  WHERE u.id = text.user_id`;

const imageTexts = `
  INSERT INTO image_texts (image_id, user_id, filename, address)
  SELECT i.id, i.user_id, searchable_filename(i), searchable_address(i)
  FROM images i WHERE i.${ofUsers} ORDER BY i.user_id, i.created_at`;

/** The tables, in the order in which they are filled. */
export const keptTables: readonly Kept[] = [
  { table: 'image_totals', ofUsers, fill: imageTotals },
  { table: 'folder_totals', ofUsers, fill: folderTotals },
  { table: 'places', ofUsers, fill: places },
  { table: 'image_texts', ofUsers, fill: imageTexts },
  { table: 'map_cells', ofUsers, fill: mapCells },
  {
    table: 'annotation_totals',
    ofUsers: `image_id IN (SELECT id FROM ${imagesOfUsers})`,
    fill: annotationTotals,
  },
];
