/** The time by which lists are sorted on demand. */
export const takenAt = 'coalesce(taken_at, created_at)';

// As in migrations 9 and 14, but along each of the two orders of time.

export const lowestId = `'00000000-0000-0000-0000-000000000000'`;

/** The time of an image in each order, and whether that is by `taken_at`. */
const orders = [
  { at: 'created_at', byTaken: false },
  { at: takenAt, byTaken: true },
] as const;

// Every user has the ranges that take in the oldest, so that every image has ranges to fall into.
const firstRanges = `
  CREATE OR REPLACE FUNCTION make_first_range() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    INSERT INTO image_ranges (user_id, by_taken, from_at, from_id)
    SELECT NEW.id, by_taken, '-infinity', ${lowestId} FROM unnest(ARRAY[false, true]) AS by_taken;
    RETURN NULL;
  END $function$;
`;

/** The images of the range `long` if it is one of this order: each order has an index of its own. */
const members = ({ at, byTaken }: (typeof orders)[number]): string => `
        SELECT ${at} AS at, id, deleted_at FROM images
        WHERE ${byTaken ? '' : 'NOT '}long.by_taken AND user_id = long.user_id
          AND (${at}, id) >= (long.from_at, long.from_id)
          AND (${at}, id) < (coalesce((SELECT from_at FROM next), 'infinity'),
            coalesce((SELECT from_id FROM next), ${lowestId}))`;

const splitting = `
  -- Cuts a range that has become too long into pieces of about 1,000, which have room to grow.
  CREATE OR REPLACE FUNCTION split_image_range(long image_ranges) RETURNS void LANGUAGE sql AS $function$
    WITH next AS MATERIALIZED (
      SELECT from_at, from_id FROM image_ranges
      WHERE user_id = long.user_id AND by_taken = long.by_taken
        AND (from_at, from_id) > (long.from_at, long.from_id)
      ORDER BY from_at, from_id LIMIT 1
    ),
    member AS (
      SELECT at, id, deleted_at,
             ntile((long.active_images + long.trashed_images) / 1000) OVER (ORDER BY at, id) AS piece
      FROM (${orders.map(members).join(`
        UNION ALL`)}
      ) AS image
    )
    INSERT INTO image_ranges (user_id, by_taken, from_at, from_id, active_images, trashed_images)
    SELECT long.user_id, long.by_taken,
           CASE WHEN piece = 1 THEN long.from_at ELSE min(at) END,
           CASE WHEN piece = 1 THEN long.from_id ELSE (array_agg(id ORDER BY at, id))[1] END,
           count(*) FILTER (WHERE deleted_at IS NULL),
           count(*) FILTER (WHERE deleted_at IS NOT NULL)
    FROM member GROUP BY piece
    ON CONFLICT (user_id, by_taken, from_at, from_id) DO UPDATE
    SET active_images = excluded.active_images, trashed_images = excluded.trashed_images
  $function$;
`;

const facts = `user_id, created_at, ${takenAt} AS taken_at, id, (deleted_at IS NULL)::int AS active,
  (deleted_at IS NOT NULL)::int AS trashed`;
const plus = `SELECT 1 AS sign, ${facts} FROM new_rows`;
const minus = `SELECT -1 AS sign, ${facts} FROM old_rows`;

/** The two positions of an image `i` among the ranges. */
const positions = (i: string): string =>
  `(VALUES (false, ${i}.created_at), (true, ${i}.taken_at)) AS position (by_taken, at)`;

/** The range that an image of `user`, at a position, falls into. */
const rangeOf = (user: string, id: string): string => `
      SELECT from_at, from_id FROM image_ranges
      WHERE user_id = ${user} AND by_taken = position.by_taken
        AND (from_at, from_id) <= (position.at, ${id})
      ORDER BY from_at DESC, from_id DESC LIMIT 1`;

/** Many rows: each image that changed is looked up in the ranges, once. @param rows of images. */
const countMany = (rows: string): string => `
  WITH position AS MATERIALIZED (
    SELECT user_id, by_taken, at, id, sum(sign * active) AS active, sum(sign * trashed) AS trashed
    FROM (${rows}) AS change CROSS JOIN LATERAL ${positions('change')}
    GROUP BY user_id, by_taken, at, id
    HAVING sum(sign * active) <> 0 OR sum(sign * trashed) <> 0
  ),
  account AS MATERIALIZED (
    SELECT position.user_id, position.by_taken, r.from_at, r.from_id, sum(position.active) AS active,
           sum(position.trashed) AS trashed
    FROM position
    CROSS JOIN LATERAL (${rangeOf('position.user_id', 'position.id')}
    ) r
    GROUP BY position.user_id, position.by_taken, r.from_at, r.from_id
  ),
  counted AS (
    UPDATE image_ranges r
    SET active_images = r.active_images + a.active,
        trashed_images = r.trashed_images + a.trashed
    FROM account a
    WHERE (r.user_id, r.by_taken, r.from_at, r.from_id)
          = (a.user_id, a.by_taken, a.from_at, a.from_id)
    RETURNING r.*
  )
  SELECT array_agg(c::image_ranges) FILTER (WHERE active_images + trashed_images > 2000),
         array_agg(c::image_ranges) FILTER (
           WHERE active_images + trashed_images = 0 AND from_at > '-infinity')
  INTO long, empty FROM counted c;`;

const counting = `
  CREATE OR REPLACE FUNCTION count_one_in_range(image record, more_active integer, more_trashed integer)
  RETURNS void LANGUAGE plpgsql AS $function$
  DECLARE
    range image_ranges;
  BEGIN
    FOR range IN
      UPDATE image_ranges r
      SET active_images = r.active_images + more_active,
          trashed_images = r.trashed_images + more_trashed
      FROM ${positions('image')}
      CROSS JOIN LATERAL (${rangeOf('image.user_id', 'image.id')}
      ) AS its
      WHERE r.user_id = image.user_id AND r.by_taken = position.by_taken
        AND r.from_at = its.from_at AND r.from_id = its.from_id
      RETURNING r.*
    LOOP
      IF range.active_images + range.trashed_images > 2000 THEN
        PERFORM split_image_range(range);
      END IF;
    END LOOP;
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
        IF (was.user_id, was.created_at, was.taken_at, was.id)
           = (now.user_id, now.created_at, now.taken_at, now.id) THEN
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
      WHERE (r.user_id, r.by_taken, r.from_at, r.from_id)
            = (e.user_id, e.by_taken, e.from_at, e.from_id);
    END IF;
    RETURN NULL;
  END $function$;
`;

export const countRanges = firstRanges + splitting + counting;
