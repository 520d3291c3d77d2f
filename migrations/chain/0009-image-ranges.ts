import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts of a user's images along their order of creation, so that the page at any index is found
 * by a few sums (docs/adr/0005). Kept by triggers, like the accounts of migration 2.
 */
export class ImageRanges0000000000009 implements MigrationInterface {
  readonly name = 'ImageRanges0000000000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ranges);
    await runner.query(firstRanges);
    await runner.query(splitting);
    await runner.query(counting);
    await runner.query(filling);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

// The counts are in no index and the pages have room: a change of counts is a change in place.
const ranges = `
  CREATE TABLE image_ranges (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    from_at timestamptz NOT NULL,
    from_id uuid NOT NULL,
    active_images integer NOT NULL DEFAULT 0,
    trashed_images integer NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, from_at, from_id)
  ) WITH (fillfactor = 80);
  COMMENT ON TABLE image_ranges IS
    'images of a user by (created_at, id), from this key to that of the next range: 2,000 at most';
`;

// Every user has the range that takes in the oldest, so that every image has a range to fall into.
const firstRanges = `
  CREATE FUNCTION make_first_range() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    INSERT INTO image_ranges (user_id, from_at, from_id)
    VALUES (NEW.id, '-infinity', '00000000-0000-0000-0000-000000000000');
    RETURN NULL;
  END $function$;

  CREATE TRIGGER make_first_range AFTER INSERT ON users
    FOR EACH ROW EXECUTE FUNCTION make_first_range();
`;

const splitting = `
  -- Cuts a range that has become too long into pieces of about 1,000, which have room to grow.
  CREATE FUNCTION split_image_range(long image_ranges) RETURNS void LANGUAGE sql AS $function$
    WITH next AS MATERIALIZED (
      SELECT from_at, from_id FROM image_ranges
      WHERE user_id = long.user_id AND (from_at, from_id) > (long.from_at, long.from_id)
      ORDER BY from_at, from_id LIMIT 1
    ),
    member AS (
      SELECT i.created_at, i.id, i.deleted_at,
             ntile((long.active_images + long.trashed_images) / 1000)
               OVER (ORDER BY i.created_at, i.id) AS piece
      FROM images i
      WHERE i.user_id = long.user_id AND (i.created_at, i.id) >= (long.from_at, long.from_id)
        AND (i.created_at, i.id) < (coalesce((SELECT from_at FROM next), 'infinity'),
          coalesce((SELECT from_id FROM next), '00000000-0000-0000-0000-000000000000'))
    )
    INSERT INTO image_ranges (user_id, from_at, from_id, active_images, trashed_images)
    SELECT long.user_id,
           CASE WHEN piece = 1 THEN long.from_at ELSE min(created_at) END,
           CASE WHEN piece = 1 THEN long.from_id
                ELSE (array_agg(id ORDER BY created_at, id))[1] END,
           count(*) FILTER (WHERE deleted_at IS NULL),
           count(*) FILTER (WHERE deleted_at IS NOT NULL)
    FROM member GROUP BY piece
    ON CONFLICT (user_id, from_at, from_id) DO UPDATE
    SET active_images = excluded.active_images, trashed_images = excluded.trashed_images
  $function$;
`;

// Named to run after account_for_images, which leaves the user's row locked: ranges of one user
// change one transaction after the other. EXECUTE plans for as many rows as there are this time; an
// upload, which is one row, goes without: planning would take most of its time.
const counting = `
  CREATE FUNCTION count_in_ranges() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    facts CONSTANT text := 'user_id, created_at, id, deleted_at IS NULL AS active';
    changes text;
    long image_ranges[];
    empty image_ranges[];
    range image_ranges;
    one record;
  BEGIN
    IF TG_OP = 'INSERT' THEN
      IF (SELECT count(*) = 1 FROM (SELECT FROM new_rows LIMIT 2) AS few) THEN
        SELECT user_id, created_at, id, deleted_at IS NULL AS active INTO one FROM new_rows;
        UPDATE image_ranges r
        SET active_images = r.active_images + one.active::int,
            trashed_images = r.trashed_images + (NOT one.active)::int
        WHERE (r.user_id, r.from_at, r.from_id) = (
          SELECT user_id, from_at, from_id FROM image_ranges
          WHERE user_id = one.user_id AND (from_at, from_id) <= (one.created_at, one.id)
          ORDER BY from_at DESC, from_id DESC LIMIT 1
        )
        RETURNING r.* INTO range;
        IF range.active_images + range.trashed_images > 2000 THEN
          PERFORM split_image_range(range);
        END IF;
        RETURN NULL;
      END IF;
    END IF;
    changes := CASE TG_OP
      WHEN 'INSERT' THEN 'SELECT 1 AS sign, ' || facts || ' FROM new_rows'
      WHEN 'UPDATE' THEN
        'SELECT -1 AS sign, ' || facts || ' FROM old_rows
         UNION ALL SELECT 1, ' || facts || ' FROM new_rows'
      ELSE 'SELECT -1 AS sign, ' || facts || ' FROM old_rows'
      END;
    EXECUTE 'WITH change AS (' || changes || '),
      moved AS MATERIALIZED (
        SELECT user_id, created_at, id, sum(sign * active::int) AS active,
               sum(sign * (NOT active)::int) AS trashed
        FROM change GROUP BY user_id, created_at, id
        HAVING sum(sign * active::int) <> 0 OR sum(sign * (NOT active)::int) <> 0
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
               WHERE active_images + trashed_images = 0 AND from_at > ''-infinity'')
      FROM counted c' INTO long, empty;
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

const filling = `
  INSERT INTO image_ranges (user_id, from_at, from_id, active_images, trashed_images)
  SELECT u.id, '-infinity', '00000000-0000-0000-0000-000000000000',
         count(i.id) FILTER (WHERE i.deleted_at IS NULL),
         count(i.id) FILTER (WHERE i.deleted_at IS NOT NULL)
  FROM users u LEFT JOIN images i ON i.user_id = u.id
  GROUP BY u.id;

  SELECT split_image_range(r) FROM image_ranges r WHERE active_images + trashed_images > 2000;
`;
