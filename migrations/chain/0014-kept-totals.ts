import type { MigrationInterface, QueryRunner } from 'typeorm';
import { annotationTotals } from './0014-annotation-totals.js';
import { imageAccounts } from './0014-image-accounts.js';
import { rangeCounts } from './0014-range-counts.js';

/**
 * Totals of a user's images by state and by folder, so that no list counts what it lists; and
 * triggers that look first whether anything counted has changed (docs/adr/0003). Replaces the
 * functions of migrations 2, 9, and 12.
 */
export class KeptTotals0000000000014 implements MigrationInterface {
  readonly name = 'KeptTotals0000000000014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await runner.query(filling);
    await runner.query(imageAccounts);
    await runner.query(rangeCounts);
    await runner.query(annotationTotals);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

// Images cannot be written until the migration ends; they can be read. The counts are in no index
// and the pages have room: a change of counts is a change in place.
const tables = `
  LOCK TABLE images IN SHARE ROW EXCLUSIVE MODE;

  CREATE TABLE image_totals (
    user_id uuid NOT NULL,
    has_det text NOT NULL,
    located boolean NOT NULL,
    in_folder boolean NOT NULL,
    active_images integer NOT NULL DEFAULT 0,
    trashed_images integer NOT NULL DEFAULT 0,
    active_bytes bigint NOT NULL DEFAULT 0,
    trashed_bytes bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, has_det, located, in_folder)
  ) WITH (fillfactor = 80);
  COMMENT ON TABLE image_totals IS 'at most twelve rows per user; those without images may be missing';
  COMMENT ON COLUMN image_totals.has_det IS 'true, false, or none for images without a value';

  CREATE TABLE folder_totals (
    folder_id uuid NOT NULL,
    user_id uuid NOT NULL,
    active_images integer NOT NULL DEFAULT 0,
    trashed_images integer NOT NULL DEFAULT 0,
    active_bytes bigint NOT NULL DEFAULT 0,
    trashed_bytes bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (folder_id)
  ) WITH (fillfactor = 80);
  COMMENT ON TABLE folder_totals IS
    'images directly in a folder; folders that never had any may be missing';
`;

// One pass over the images, sequential: as long as reading the table takes, a minute or two for
// ten million. The references come last: each is then checked once, and not row by row.
const filling = `
  WITH counted AS MATERIALIZED (
    SELECT user_id, folder_id, coalesce(has_det::text, 'none') AS has_det,
           location IS NOT NULL AS located,
           count(*) FILTER (WHERE deleted_at IS NULL) AS active_images,
           count(*) FILTER (WHERE deleted_at IS NOT NULL) AS trashed_images,
           coalesce(sum(bytes) FILTER (WHERE deleted_at IS NULL), 0) AS active_bytes,
           coalesce(sum(bytes) FILTER (WHERE deleted_at IS NOT NULL), 0) AS trashed_bytes
    FROM images GROUP BY 1, 2, 3, 4
  ),
  by_folder AS (
    INSERT INTO folder_totals
    SELECT folder_id, user_id, sum(active_images), sum(trashed_images), sum(active_bytes),
           sum(trashed_bytes)
    FROM counted WHERE folder_id IS NOT NULL GROUP BY folder_id, user_id
  )
  INSERT INTO image_totals
  SELECT user_id, has_det, located, folder_id IS NOT NULL, sum(active_images), sum(trashed_images),
         sum(active_bytes), sum(trashed_bytes)
  FROM counted GROUP BY 1, 2, 3, 4;

  ALTER TABLE image_totals ADD FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE;
  ALTER TABLE folder_totals
    ADD FOREIGN KEY (folder_id, user_id) REFERENCES folders (id, user_id) ON DELETE CASCADE;
`;
