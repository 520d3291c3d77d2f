import type { Queryable } from '../../database/sql.js';
import { compare, ofPlatform, select } from './account.sql.js';

/**
 * Compares the counts of upload sets, and whether files that count as missing really are. An
 * arrived file may have been deleted since, so the reverse is not a difference.
 */
export const setsAgainstFiles = (db: Queryable, platformId?: string) =>
  select(
    db,
    `SELECT u.platform_id AS "platformId", s.id || ' ' || v.figure AS subject, v.expected, v.found
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
       AND ${ofPlatform('u.platform_id')}`,
    platformId,
  );
