import { annotationTotalColumns } from '../../library/annotations/entity.js';
import { nameList, namesOf, only, without } from '../../database/columns.js';
import { rows, type Queryable } from '../../database/sql.js';
import { imageColumns } from '../../library/images/entity.js';
import { imageTotalKey, totalColumns } from '../../library/images/kept.entity.js';
import { each, metrics, states } from '../../library/statistics/entity.js';
import { counterColumns } from '../../library/quota/entity.js';

/** $1: the platform, or null for all of them. */
export const ofPlatform = (column: string): string => `($1::uuid IS NULL OR ${column} = $1)`;

/** One row per figure with `expected` and `found`; matching ones are omitted. */
export const compare = (names: readonly string[], expected: string, found: string): string => `
  CROSS JOIN LATERAL (VALUES
    ${each(names, (n) => `('${n}', ${expected}.${n}::bigint, ${found}.${n}::bigint)`)}
  ) AS v (figure, expected, found)
  WHERE coalesce(v.expected, 0) <> coalesce(v.found, 0)`;

interface AccountDifference {
  readonly platformId: string;
  /** Whose rows were counted, if `recount` mends it. */
  readonly userId?: string;
  readonly subject: string;
  readonly expected: number | null;
  readonly found: number | null;
}

/** @param comparison one of the statements below. @param platformId whose accounts; all if omitted. */
export const differencesIn = (db: Queryable, comparison: string, platformId?: string) =>
  rows<AccountDifference>(db, comparison, [platformId ?? null]);

export const ledgerAgainstImages = `
  SELECT p.id AS "platformId", v.figure AS subject, v.expected, v.found
  FROM platforms p
  LEFT JOIN (
    SELECT platform_id, ${each(states, (s) => `sum(${s}) AS ${s}`)}
    FROM usage_events GROUP BY platform_id
  ) ledger ON ledger.platform_id = p.id
  LEFT JOIN (
    SELECT platform_id, count(*) FILTER (WHERE deleted_at IS NULL) AS active_images,
           sum(original_bytes) AS original_bytes,
           sum(original_bytes + CASE WHEN edits > 0 THEN bytes ELSE 0 END) AS latest_bytes,
           sum(original_bytes + edit_bytes) AS stored_bytes
    FROM images GROUP BY platform_id
  ) image ON image.platform_id = p.id
  ${compare(states, 'image', 'ledger')} AND ${ofPlatform('p.id')}`;

export const daysAgainstLedger = `
  SELECT coalesce(day.platform_id, ledger.platform_id) AS "platformId",
         coalesce(day.day, ledger.day) || ' ' || v.figure AS subject, v.expected, v.found
  FROM daily_stats day
  FULL JOIN (
    SELECT platform_id,
           (occurred_at AT TIME ZONE (SELECT zone FROM stats_roll_up))::date AS day,
           ${each(metrics, (f) => `sum(${f}) AS ${f}`)}
    FROM usage_events WHERE rolled_up GROUP BY 1, 2
  ) ledger ON ledger.platform_id = day.platform_id AND ledger.day = day.day
  ${compare(metrics, 'ledger', 'day')}
    AND ${ofPlatform('coalesce(day.platform_id, ledger.platform_id)')}`;

/** The sums that totals keep, over images. */
export const sums = `
  count(*) FILTER (WHERE deleted_at IS NULL) AS active_images,
  count(*) FILTER (WHERE deleted_at IS NOT NULL) AS trashed_images,
  sum(bytes) FILTER (WHERE deleted_at IS NULL) AS active_bytes,
  sum(bytes) FILTER (WHERE deleted_at IS NOT NULL) AS trashed_bytes`;

const counters = namesOf(counterColumns);

export const countersAgainstRows = `
  SELECT u.platform_id AS "platformId", u.id AS "userId", u.id || ' ' || v.figure AS subject,
         v.expected, v.found
  FROM users u
  LEFT JOIN (
    (SELECT user_id, ${sums}, sum(original_bytes + edit_bytes) AS stored_bytes
     FROM images GROUP BY user_id) AS image
    FULL JOIN
    (SELECT user_id, sum(bytes) AS text_bytes FROM (
       SELECT user_id, octet_length(message) AS bytes FROM memos
       UNION ALL
       SELECT user_id, octet_length(key) + octet_length(value) FROM customs
     ) AS annotation GROUP BY user_id) AS text USING (user_id)
    FULL JOIN
    (SELECT user_id, sum(length) AS announced_bytes FROM resumable_uploads
     WHERE state = 'receiving' GROUP BY user_id) AS announced USING (user_id)
  ) AS counted ON counted.user_id = u.id
  ${compare(counters, 'counted', 'u')} AND ${ofPlatform('u.platform_id')}`;

const totals = namesOf(totalColumns);

export const imageTotalsAgainstImages = `
  SELECT u.platform_id AS "platformId", user_id AS "userId",
         concat_ws(' ', user_id, 'has_det', has_det, CASE WHEN located THEN 'located' END,
                   CASE WHEN in_folder THEN 'in a folder' END, v.figure) AS subject,
         v.expected, v.found
  FROM (
    SELECT user_id, coalesce(has_det::text, 'none') AS has_det, location IS NOT NULL AS located,
           folder_id IS NOT NULL AS in_folder, ${sums}
    FROM images GROUP BY 1, 2, 3, 4
  ) image
  FULL JOIN image_totals total USING (${nameList(imageTotalKey)})
  JOIN users u ON u.id = user_id
  ${compare(totals, 'image', 'total')} AND ${ofPlatform('u.platform_id')}`;

export const folderTotalsAgainstImages = `
  SELECT u.platform_id AS "platformId", user_id AS "userId",
         folder_id || ' ' || v.figure AS subject, v.expected, v.found
  FROM (
    SELECT folder_id, user_id, ${sums} FROM images WHERE folder_id IS NOT NULL GROUP BY 1, 2
  ) image
  FULL JOIN folder_totals total USING (folder_id, user_id)
  JOIN users u ON u.id = user_id
  ${compare(totals, 'image', 'total')} AND ${ofPlatform('u.platform_id')}`;

const versionColumns = namesOf(
  only(imageColumns, 'edits', 'originalBytes', 'editBytes', 'bytes', 'version'),
);

export const imagesAgainstVersions = `
  SELECT i.platform_id AS "platformId", i.id || ' ' || v.figure AS subject, v.expected, v.found
  FROM images i
  LEFT JOIN (
    SELECT image_id, count(*) - 1 AS edits,
           sum(bytes) FILTER (WHERE version = 0) AS original_bytes,
           sum(bytes) FILTER (WHERE version > 0) AS edit_bytes
    FROM image_versions GROUP BY image_id
  ) history ON history.image_id = i.id
  LEFT JOIN image_versions now ON now.id = i.version_id AND now.image_id = i.id
  CROSS JOIN LATERAL (
    SELECT history.edits, history.original_bytes, history.edit_bytes, now.bytes, now.version
  ) stored
  ${compare(versionColumns, 'stored', 'i')} AND ${ofPlatform('i.platform_id')}`;

const annotationCounts = namesOf(without(annotationTotalColumns, 'imageId'));

export const totalsAgainstAnnotations = `
  SELECT i.platform_id AS "platformId", i.user_id AS "userId",
         i.id || ' ' || v.figure AS subject, v.expected, v.found
  FROM (
    SELECT image_id, sum(memos) AS memos, sum(customs) AS customs, sum(bytes) AS text_bytes
    FROM (
      SELECT image_id, 1 AS memos, 0 AS customs, octet_length(message) AS bytes FROM memos
      UNION ALL
      SELECT image_id, 0, 1, octet_length(key) + octet_length(value) FROM customs
    ) AS annotation
    GROUP BY image_id
  ) counted
  FULL JOIN annotation_totals total USING (image_id)
  JOIN images i ON i.id = image_id
  ${compare(annotationCounts, 'counted', 'total')} AND ${ofPlatform('i.platform_id')}`;

export const activeInTrash = `
  SELECT i.platform_id AS "platformId", i.id::text AS subject, NULL AS expected, NULL AS found
  FROM images i JOIN folders f ON f.id = i.folder_id
  WHERE i.deleted_at IS NULL AND f.deleted_at IS NOT NULL AND ${ofPlatform('i.platform_id')}
    -- Those of a change that is in progress follow.
    AND NOT EXISTS (SELECT FROM bulk_changes b WHERE b.user_id = i.user_id)`;

/** `texts` counts the rows of an image; the other figures are 1 if they match, 0 if not. */
const textFigures = ['texts', 'user_id', 'filename', 'address'];

export const textsAgainstImages = `
  SELECT u.platform_id AS "platformId", u.id AS "userId",
         coalesce(i.id, t.image_id) || ' ' || v.figure AS subject, v.expected, v.found
  FROM images i
  FULL JOIN image_texts t ON t.image_id = i.id
  JOIN users u ON u.id = coalesce(i.user_id, t.user_id)
  CROSS JOIN LATERAL (
    SELECT (i.id = t.image_id)::integer AS paired, (i.id IS NOT NULL)::integer AS texts
  ) AS rows
  CROSS JOIN LATERAL (
    SELECT texts, paired AS user_id, paired AS filename, paired AS address
  ) AS image
  CROSS JOIN LATERAL (
    SELECT (t.image_id IS NOT NULL)::integer AS texts,
           paired * (t.user_id = i.user_id)::integer AS user_id,
           paired * (t.filename = searchable_filename(i))::integer AS filename,
           paired * (t.address IS NOT DISTINCT FROM searchable_address(i))::integer AS address
  ) AS text
  ${compare(textFigures, 'image', 'text')} AND ${ofPlatform('u.platform_id')}`;

/**
 * Compares the counts of upload sets, and whether files that count as missing really are. An
 * arrived file may have been deleted since, so the reverse is not a difference.
 */
export const setsAgainstFiles = `
  SELECT u.platform_id AS "platformId", u.id AS "userId", s.id || ' ' || v.figure AS subject,
         v.expected, v.found
  FROM upload_sets s
  JOIN users u ON u.id = s.user_id
  LEFT JOIN (
    SELECT f.upload_set_id, count(*) AS expected, count(*) FILTER (WHERE f.arrived) AS arrived,
           count(*) FILTER (WHERE NOT f.arrived AND EXISTS (
             SELECT FROM image_versions i WHERE i.user_id = f.user_id AND i.hash = f.hash
           )) AS unnoticed
    FROM upload_set_files f GROUP BY f.upload_set_id
  ) file ON file.upload_set_id = s.id
  CROSS JOIN LATERAL (SELECT file.expected, file.arrived, 0 AS unnoticed) AS counted
  CROSS JOIN LATERAL (SELECT s.expected, s.arrived, file.unnoticed) AS kept
  ${compare(['expected', 'arrived', 'unnoticed'], 'counted', 'kept')}
    AND ${ofPlatform('u.platform_id')}`;
