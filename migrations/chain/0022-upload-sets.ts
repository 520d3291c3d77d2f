import type { MigrationInterface, QueryRunner } from 'typeorm';
import { actions } from './0020-change-posting.js';

/**
 * Sets of files that a user expects to arrive, and what has arrived of them (docs/adr/0016).
 *
 * Takes no time: the new column of images is empty, so its rows are not written. Changes and reads of
 * images wait for the moment in which it is added.
 */
export class UploadSets0000000000022 implements MigrationInterface {
  readonly name = 'UploadSets0000000000022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await runner.query(arrivals);
    await runner.query(tellings);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

const tables = `
  LOCK TABLE users, images, image_versions, folders IN SHARE ROW EXCLUSIVE MODE;

  ALTER TABLE images ADD COLUMN upload_set_id uuid;
  COMMENT ON COLUMN images.upload_set_id
    IS 'the set it was uploaded with; not a foreign key, since the set may be forgotten';

  CREATE TABLE upload_sets (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    title text,
    folder_id uuid REFERENCES folders ON DELETE SET NULL,
    expected integer NOT NULL,
    arrived integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz,
    CONSTRAINT upload_sets_arrived_check CHECK (arrived <= expected),
    CONSTRAINT upload_sets_completed_check CHECK ((completed_at IS NOT NULL) = (arrived = expected))
  );
  CREATE INDEX upload_sets_newest ON upload_sets (user_id, created_at, id);
  CREATE INDEX upload_sets_folder ON upload_sets (folder_id) WHERE folder_id IS NOT NULL;
  CREATE INDEX upload_sets_open ON upload_sets (user_id, created_at) WHERE completed_at IS NULL;

  CREATE TABLE upload_set_files (
    upload_set_id uuid NOT NULL REFERENCES upload_sets ON DELETE CASCADE,
    user_id uuid NOT NULL,
    hash bytea NOT NULL,
    position integer NOT NULL,
    arrived boolean NOT NULL,
    PRIMARY KEY (upload_set_id, hash)
  );
  COMMENT ON COLUMN upload_set_files.position IS 'among the hashes as they were given';
  CREATE INDEX upload_set_files_missing ON upload_set_files (user_id, hash) WHERE NOT arrived;
`;

// Whoever inserts versions holds the user's lock, and so does whoever makes a set: neither can miss the
// other. Without sequential scans, a plan made while the table was small stays right.
const arrivals = `
  CREATE FUNCTION note_arrivals() RETURNS trigger
  LANGUAGE plpgsql SET enable_seqscan = off AS $function$
  BEGIN
    IF NOT EXISTS (
      SELECT FROM new_rows v
      JOIN upload_set_files f ON f.user_id = v.user_id AND f.hash = v.hash AND NOT f.arrived
    ) THEN
      RETURN NULL;
    END IF;
    WITH arrival AS (
      UPDATE upload_set_files f SET arrived = true
      FROM new_rows v
      WHERE f.user_id = v.user_id AND f.hash = v.hash AND NOT f.arrived
      RETURNING f.upload_set_id
    )
    UPDATE upload_sets s
    SET arrived = s.arrived + a.files,
        completed_at = CASE WHEN s.arrived + a.files = s.expected THEN clock_timestamp() END
    FROM (SELECT upload_set_id, count(*) AS files FROM arrival GROUP BY upload_set_id) AS a
    WHERE s.id = a.upload_set_id;
    RETURN NULL;
  END $function$;

  CREATE TRIGGER note_arrivals AFTER INSERT ON image_versions REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION note_arrivals();
`;

/** What an entry of the change feed is of. */
const uploadSet = 6;

const post = (rows: string, action: number): string => `
      FOR t IN
        SELECT user_id, array_agg((${uploadSet}, ${action}, id, NULL)::change_entry ORDER BY id)
                 AS entries
        FROM ${rows} GROUP BY user_id ORDER BY user_id
      LOOP
        PERFORM post_changes(t.user_id, t.entries);
      END LOOP;`;

// Whatever changes in a row shows in its record.
const tellings = `
  CREATE FUNCTION post_upload_sets() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    t record;
  BEGIN
    CASE TG_OP
    WHEN 'INSERT' THEN ${post('new_rows', actions.created)}
    WHEN 'UPDATE' THEN ${post('new_rows', actions.updated)}
    ELSE ${post('old_rows', actions.deleted)}
    END CASE;
    RETURN NULL;
  END $function$;

  CREATE TRIGGER post_inserted AFTER INSERT ON upload_sets REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION post_upload_sets();
  CREATE TRIGGER post_updated AFTER UPDATE ON upload_sets REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION post_upload_sets();
  CREATE TRIGGER post_deleted AFTER DELETE ON upload_sets REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION post_upload_sets();
`;
