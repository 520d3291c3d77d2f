import type { Queryable } from '../../database/sql.js';
import { compare, ofPlatform, select } from './account.sql.js';

/** `texts` counts the rows of an image; the other figures are 1 if they match, 0 if not. */
const figures = ['texts', 'user_id', 'filename', 'address'];

export const textsAgainstImages = (db: Queryable, platformId?: string) =>
  select(
    db,
    `SELECT u.platform_id AS "platformId", coalesce(i.id, t.image_id) || ' ' || v.figure AS subject,
            v.expected, v.found
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
              paired * (t.filename = searchable(i.filename))::integer AS filename,
              paired * (t.address IS NOT DISTINCT FROM searchable_address(i))::integer AS address
     ) AS text
     ${compare(figures, 'image', 'text')} AND ${ofPlatform('u.platform_id')}`,
    platformId,
  );
