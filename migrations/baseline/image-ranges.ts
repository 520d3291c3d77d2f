import { takenAt } from './library-tables.js';

// Counts of a user's images along each of their two orders of time, so that the page at any index is found
// by a few sums (docs/adr/0005).

const lowestId = `'00000000-0000-0000-0000-000000000000'`;

/** An order: the table of its ranges, the time of an image, and the name of that among what counts. */
interface Order {
  readonly kind: 'image' | 'taken';
  readonly at: string;
  readonly fact: string;
}

const orders: readonly Order[] = [
  { kind: 'image', at: 'created_at', fact: 'created_at' },
  { kind: 'taken', at: takenAt, fact: 'taken_at' },
];
const inEach = (sql: (order: Order) => string): string => orders.map(sql).join('');

// Every user has the ranges that take in the oldest, so that every image has ranges to fall into.
const firstRanges = `
  CREATE FUNCTION make_first_range() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN${inEach(
    ({ kind }) => `
    INSERT INTO ${kind}_ranges (user_id, from_at, from_id)
    VALUES (NEW.id, '-infinity', ${lowestId});`,
  )}
    RETURN NULL;
  END $function$;

  CREATE TRIGGER make_first_range AFTER INSERT ON users
    FOR EACH ROW EXECUTE FUNCTION make_first_range();
`;

const splitting = inEach(
  ({ kind, at }) => `
  -- Cuts a range that has become too long into pieces of about 1,000, which have room to grow.
  CREATE FUNCTION split_${kind}_range(long ${kind}_ranges) RETURNS void LANGUAGE sql AS $function$
    WITH next AS MATERIALIZED (
      SELECT from_at, from_id FROM ${kind}_ranges
      WHERE user_id = long.user_id AND (from_at, from_id) > (long.from_at, long.from_id)
      ORDER BY from_at, from_id LIMIT 1
    ),
    member AS (
      SELECT ${at} AS at, id, deleted_at,
             ntile((long.active_images + long.trashed_images) / 1000) OVER (ORDER BY ${at}, id) AS piece
      FROM images
      WHERE user_id = long.user_id AND (${at}, id) >= (long.from_at, long.from_id)
        AND (${at}, id) < (coalesce((SELECT from_at FROM next), 'infinity'),
          coalesce((SELECT from_id FROM next), ${lowestId}))
    )
    INSERT INTO ${kind}_ranges (user_id, from_at, from_id, active_images, trashed_images)
    SELECT long.user_id,
           CASE WHEN piece = 1 THEN long.from_at ELSE min(at) END,
           CASE WHEN piece = 1 THEN long.from_id ELSE (array_agg(id ORDER BY at, id))[1] END,
           count(*) FILTER (WHERE deleted_at IS NULL),
           count(*) FILTER (WHERE deleted_at IS NOT NULL)
    FROM member GROUP BY piece
    ON CONFLICT (user_id, from_at, from_id) DO UPDATE
    SET active_images = excluded.active_images, trashed_images = excluded.trashed_images
  $function$;
`,
);

const facts = `user_id, created_at, ${takenAt} AS taken_at, id, (deleted_at IS NULL)::int AS active,
  (deleted_at IS NOT NULL)::int AS trashed`;
const plus = `SELECT 1 AS sign, ${facts} FROM new_rows`;
const minus = `SELECT -1 AS sign, ${facts} FROM old_rows`;

/** Many rows: each image that changed is looked up in the ranges, once. @param rows of images. */
const countMany = ({ kind, fact }: Order, rows: string): string => `
  WITH moved AS MATERIALIZED (
    SELECT user_id, ${fact} AS at, id, sum(sign * active) AS active, sum(sign * trashed) AS trashed
    FROM (${rows}) AS change GROUP BY user_id, ${fact}, id
    HAVING sum(sign * active) <> 0 OR sum(sign * trashed) <> 0
  ),
  account AS MATERIALIZED (
    SELECT m.user_id, r.from_at, r.from_id, sum(m.active) AS active, sum(m.trashed) AS trashed
    FROM moved m
    CROSS JOIN LATERAL (
      SELECT from_at, from_id FROM ${kind}_ranges
      WHERE user_id = m.user_id AND (from_at, from_id) <= (m.at, m.id)
      ORDER BY from_at DESC, from_id DESC LIMIT 1
    ) r
    GROUP BY m.user_id, r.from_at, r.from_id
  ),
  counted AS (
    UPDATE ${kind}_ranges r
    SET active_images = r.active_images + a.active,
        trashed_images = r.trashed_images + a.trashed
    FROM account a
    WHERE (r.user_id, r.from_at, r.from_id) = (a.user_id, a.from_at, a.from_id)
    RETURNING r.*
  )
  SELECT array_agg(c::${kind}_ranges) FILTER (WHERE active_images + trashed_images > 2000),
         array_agg(c::${kind}_ranges) FILTER (
           WHERE active_images + trashed_images = 0 AND from_at > '-infinity')
  INTO long, empty FROM counted c;`;

const countAll = (order: Order): string => `
    DECLARE
      long ${order.kind}_ranges[];
      empty ${order.kind}_ranges[];
      range ${order.kind}_ranges;
    BEGIN
      CASE TG_OP
      WHEN 'INSERT' THEN ${countMany(order, plus)}
      WHEN 'UPDATE' THEN ${countMany(order, `${minus} UNION ALL ${plus}`)}
      ELSE ${countMany(order, minus)}
      END CASE;
      IF long IS NOT NULL THEN
        FOREACH range IN ARRAY long LOOP
          PERFORM split_${order.kind}_range(range);
        END LOOP;
      END IF;
      IF empty IS NOT NULL THEN
        DELETE FROM ${order.kind}_ranges r USING unnest(empty) e
        WHERE (r.user_id, r.from_at, r.from_id) = (e.user_id, e.from_at, e.from_id);
      END IF;
    END;`;

const countOne = ({ kind, fact }: Order): string => `
    UPDATE ${kind}_ranges r
    SET active_images = r.active_images + more_active,
        trashed_images = r.trashed_images + more_trashed
    WHERE (r.user_id, r.from_at, r.from_id) = (
      SELECT user_id, from_at, from_id FROM ${kind}_ranges
      WHERE user_id = image.user_id AND (from_at, from_id) <= (image.${fact}, image.id)
      ORDER BY from_at DESC, from_id DESC LIMIT 1
    )
    RETURNING r.* INTO ${kind}_range;
    IF ${kind}_range.active_images + ${kind}_range.trashed_images > 2000 THEN
      PERFORM split_${kind}_range(${kind}_range);
    END IF;`;

// The triggers are named to run after account_for_images, which leaves the user's row locked: ranges of one
// user change one transaction after the other.
const counting = `
  CREATE FUNCTION count_one_in_range(image record, more_active integer, more_trashed integer)
  RETURNS void LANGUAGE plpgsql AS $function$
  DECLARE
    image_range image_ranges;
    taken_range taken_ranges;
  BEGIN${inEach(countOne)}
  END $function$;

  CREATE FUNCTION count_in_ranges() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    was record;
    now record;
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
    END IF;${inEach(countAll)}
    RETURN NULL;
  END $function$;

  CREATE TRIGGER count_inserted AFTER INSERT ON images
    REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_in_ranges();
  CREATE TRIGGER count_updated AFTER UPDATE ON images
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_in_ranges();
  CREATE TRIGGER count_deleted AFTER DELETE ON images
    REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_in_ranges();
`;

export const imageRanges = firstRanges + splitting + counting;
