const facts = `user_id, created_at, id, (deleted_at IS NULL)::int AS active,
  (deleted_at IS NOT NULL)::int AS trashed`;
const plus = `SELECT 1 AS sign, ${facts} FROM new_rows`;
const minus = `SELECT -1 AS sign, ${facts} FROM old_rows`;

/** Many rows: each image that changed is looked up in the ranges, once. @param rows of images. */
const countMany = (rows: string): string => `
  WITH moved AS MATERIALIZED (
    SELECT user_id, created_at, id, sum(sign * active) AS active, sum(sign * trashed) AS trashed
    FROM (${rows}) AS change GROUP BY user_id, created_at, id
    HAVING sum(sign * active) <> 0 OR sum(sign * trashed) <> 0
  ),
  account AS MATERIALIZED (
    SELECT m.user_id, r.from_at, r.from_id, sum(m.active) AS active, sum(m.trashed) AS trashed
    FROM moved m
    CROSS JOIN LATERAL (
      SELECT from_at, from_id FROM image_ranges
      WHERE user_id = m.user_id AND (from_at, from_id) <= (m.created_at, m.id)
      ORDER BY from_at DESC, from_id DESC LIMIT 1
    ) r
    GROUP BY m.user_id, r.from_at, r.from_id
  ),
  counted AS (
    UPDATE image_ranges r
    SET active_images = r.active_images + a.active,
        trashed_images = r.trashed_images + a.trashed
    FROM account a
    WHERE (r.user_id, r.from_at, r.from_id) = (a.user_id, a.from_at, a.from_id)
    RETURNING r.*
  )
  SELECT array_agg(c::image_ranges) FILTER (WHERE active_images + trashed_images > 2000),
         array_agg(c::image_ranges) FILTER (
           WHERE active_images + trashed_images = 0 AND from_at > '-infinity')
  INTO long, empty FROM counted c;`;

/** Runs after account_for_images, which leaves the user's row locked (migration 9). */
export const rangeCounts = `
  CREATE FUNCTION count_one_in_range(image record, more_active integer, more_trashed integer)
  RETURNS void LANGUAGE plpgsql AS $function$
  DECLARE
    range image_ranges;
  BEGIN
    UPDATE image_ranges r
    SET active_images = r.active_images + more_active,
        trashed_images = r.trashed_images + more_trashed
    WHERE (r.user_id, r.from_at, r.from_id) = (
      SELECT user_id, from_at, from_id FROM image_ranges
      WHERE user_id = image.user_id AND (from_at, from_id) <= (image.created_at, image.id)
      ORDER BY from_at DESC, from_id DESC LIMIT 1
    )
    RETURNING r.* INTO range;
    IF range.active_images + range.trashed_images > 2000 THEN
      PERFORM split_image_range(range);
    END IF;
  END $function$;

  CREATE OR REPLACE FUNCTION count_in_ranges() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    was record;
    now record;
    long image_ranges[];
    empty image_ranges[];
    range image_ranges;
  BEGIN
    IF TG_OP <> 'DELETE' THEN
      IF (SELECT count(*) = 1 FROM (SELECT FROM new_rows LIMIT 2) AS few) THEN
        SELECT ${facts} INTO now FROM new_rows;
        IF TG_OP = 'INSERT' THEN
          PERFORM count_one_in_range(now, now.active, now.trashed);
          RETURN NULL;
        END IF;
        SELECT ${facts} INTO was FROM old_rows;
        IF was = now THEN
          RETURN NULL;
        END IF;
        IF (was.user_id, was.created_at, was.id) = (now.user_id, now.created_at, now.id) THEN
          PERFORM count_one_in_range(now, now.active - was.active, now.trashed - was.trashed);
          RETURN NULL;
        END IF;
      END IF;
    END IF;
    CASE TG_OP
    WHEN 'INSERT' THEN ${countMany(plus)}
    WHEN 'UPDATE' THEN ${countMany(`${minus} UNION ALL ${plus}`)}
    ELSE ${countMany(minus)}
    END CASE;
    IF long IS NOT NULL THEN
      FOREACH range IN ARRAY long LOOP
        PERFORM split_image_range(range);
      END LOOP;
    END IF;
    IF empty IS NOT NULL THEN
      DELETE FROM image_ranges r USING unnest(empty) e
      WHERE (r.user_id, r.from_at, r.from_id) = (e.user_id, e.from_at, e.from_id);
    END IF;
    RETURN NULL;
  END $function$;
`;
