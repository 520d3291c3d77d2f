import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countRanges, lowestId, takenAt } from './0038-ranges.js';

/**
 * Lists, folders, and maps by the time that pictures were taken (docs/adr/0005): indexes on an
 * expression, which rewrite no row, and ranges along that order, too.
 *
 * Changes to images wait while indexes are built and images are counted, reads do not until the last
 * moment. Per million images, that is twenty seconds of one core.
 */
export class Taken0000000000038 implements MigrationInterface {
  readonly name = 'Taken0000000000038';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(indexes);
    await runner.query(counting);
    await runner.query(countRanges);
    await runner.query(redrawTaken);
    await runner.query(replacing);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

const newest = (name: string): string => `
  CREATE INDEX ${name} ON images (user_id, (${takenAt}) DESC, id DESC)
    INCLUDE (created_at, taken_at, bytes, has_det, folder_id)`;

// Users, too: one created meanwhile would have no range along the new order.
const indexes = `
  SET LOCAL maintenance_work_mem = '256MB';
  LOCK TABLE images, users IN SHARE ROW EXCLUSIVE MODE;
  ${newest('images_taken')};
  ${newest('images_taken_active')} WHERE deleted_at IS NULL;
  ${newest('images_taken_trashed')} WHERE deleted_at IS NOT NULL;
  CREATE INDEX images_folder_taken ON images (user_id, folder_id, (${takenAt}), id)
    INCLUDE (deleted_at, created_at, taken_at);
  CREATE INDEX images_at_place_taken ON images (user_id, location, created_at DESC, id DESC)
    INCLUDE (deleted_at, bytes, taken_at) WHERE location IS NOT NULL;
`;

// Of each user, pieces of about 1,000; the first one takes in the oldest, and is there without images.
const counting = `
  SET LOCAL work_mem = '64MB';
  CREATE TABLE taken_ranges (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    from_at timestamptz NOT NULL,
    from_id uuid NOT NULL,
    active_images integer NOT NULL DEFAULT 0,
    trashed_images integer NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, from_at, from_id)
  ) WITH (fillfactor = 80);
  COMMENT ON TABLE taken_ranges IS
    'the same by taken_at, or created_at of images without one, and id';

  WITH member AS (
    SELECT i.user_id, i.at, i.id, i.deleted_at,
           ntile(greatest((u.active_images + u.trashed_images) / 1000, 1))
             OVER (PARTITION BY i.user_id ORDER BY i.at, i.id) AS piece
    FROM (SELECT user_id, ${takenAt} AS at, id, deleted_at FROM images) AS i
    JOIN users u ON u.id = i.user_id
  ),
  counted AS (
    SELECT user_id, piece > 1 AS is_later, min(at) AS from_at,
           (array_agg(id ORDER BY at, id))[1] AS from_id,
           count(*) FILTER (WHERE deleted_at IS NULL) AS active,
           count(*) FILTER (WHERE deleted_at IS NOT NULL) AS trashed
    FROM member GROUP BY user_id, piece
  )
  INSERT INTO taken_ranges
  SELECT u.id, CASE WHEN is_later THEN from_at ELSE '-infinity' END,
         CASE WHEN is_later THEN from_id ELSE ${lowestId} END, coalesce(active, 0),
         coalesce(trashed, 0)
  FROM users u LEFT JOIN counted c ON c.user_id = u.id;
`;

// At last, since reads wait for it.
const replacing = `
  DROP INDEX images_at_place;
  ALTER INDEX images_at_place_taken RENAME TO images_at_place;
`;

// Maps of pictures by the time that they were taken show another one then (docs/adr/0013). A column that
// nearly no statement sets: the trigger costs the others nothing.
const redrawTaken = `
  CREATE FUNCTION redraw_map() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    UPDATE users SET map_version = map_version + 1 WHERE id = NEW.user_id;
    RETURN NULL;
  END $function$;

  CREATE TRIGGER redraw_taken AFTER UPDATE OF taken_at ON images
    FOR EACH ROW
    WHEN (OLD.taken_at IS DISTINCT FROM NEW.taken_at
          AND NEW.location IS NOT NULL AND NEW.deleted_at IS NULL)
    EXECUTE FUNCTION redraw_map();
`;
