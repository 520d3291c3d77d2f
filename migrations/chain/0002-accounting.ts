import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The usage ledger, the users' counters and the reclaim queue, all kept by triggers: whatever
 * statement changes images, the accounts change in the same transaction (docs/adr/0003).
 */
export class Accounting0000000000002 implements MigrationInterface {
  readonly name = 'Accounting0000000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ledger);
    await runner.query(imageAccounts);
    await runner.query(objectAccounts);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

const ledger = `
  -- Append-only but for the mark. Byte and image figures are differences: their sum up to a moment
  -- is the state at that moment.
  CREATE TABLE usage_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    platform_id uuid NOT NULL REFERENCES platforms ON DELETE CASCADE,
    user_id uuid NOT NULL,
    occurred_at timestamptz NOT NULL DEFAULT now(),
    upload_camera integer NOT NULL,
    upload_gallery integer NOT NULL,
    upload_request integer NOT NULL,
    edits integer NOT NULL,
    deletions integer NOT NULL,
    active_images integer NOT NULL,
    original_bytes bigint NOT NULL,
    latest_bytes bigint NOT NULL,
    stored_bytes bigint NOT NULL,
    rolled_up boolean NOT NULL DEFAULT false
  );
  COMMENT ON COLUMN usage_events.latest_bytes IS 'originals, plus the latest edit of each edited image';
  COMMENT ON COLUMN usage_events.rolled_up IS 'counted in daily_stats';
  CREATE INDEX usage_events_platform ON usage_events (platform_id, occurred_at);
  CREATE INDEX usage_events_fresh ON usage_events (platform_id, occurred_at) WHERE NOT rolled_up;

  -- The ledger summed per day of the configured time zone, by the nightly job.
  CREATE TABLE daily_stats (
    platform_id uuid NOT NULL REFERENCES platforms ON DELETE CASCADE,
    day date NOT NULL,
    upload_camera integer NOT NULL,
    upload_gallery integer NOT NULL,
    upload_request integer NOT NULL,
    edits integer NOT NULL,
    deletions integer NOT NULL,
    active_images integer NOT NULL,
    original_bytes bigint NOT NULL,
    latest_bytes bigint NOT NULL,
    stored_bytes bigint NOT NULL,
    PRIMARY KEY (platform_id, day)
  );
`;

// The three branches differ in where the rows come from; EXECUTE lets them share the rest.
const imageAccounts = `
  CREATE FUNCTION account_for_images() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    facts CONSTANT text := 'r.platform_id, r.user_id, r.deleted_at, r.bytes, r.original_bytes,
      r.original_bytes + CASE WHEN r.edits > 0 THEN r.bytes ELSE 0 END AS latest,
      r.original_bytes + r.edit_bytes AS stored';
    changes text;
  BEGIN
    changes := CASE TG_OP
      WHEN 'INSERT' THEN
        'SELECT 1 AS sign, ' || facts || ', r.upload_type AS uploaded, 0 AS edits, 0 AS deletions
         FROM new_rows r'
      WHEN 'UPDATE' THEN
        'SELECT -1 AS sign, ' || facts || ', NULL AS uploaded, 0 AS edits, 0 AS deletions
         FROM old_rows r
         UNION ALL
         SELECT 1, ' || facts || ', NULL, r.edits - o.edits,
                (o.deleted_at IS NULL AND r.deleted_at IS NOT NULL)::int
         FROM new_rows r JOIN old_rows o ON o.id = r.id'
      ELSE
        'SELECT -1 AS sign, ' || facts || ', NULL AS uploaded, 0 AS edits,
                (r.deleted_at IS NULL)::int AS deletions
         FROM old_rows r'
      END;
    EXECUTE 'WITH change AS (' || changes || '),
      account AS MATERIALIZED (
        SELECT platform_id, user_id,
               count(*) FILTER (WHERE uploaded = ''camera'') AS camera,
               count(*) FILTER (WHERE uploaded = ''gallery'') AS gallery,
               count(*) FILTER (WHERE uploaded = ''request'') AS request,
               sum(edits) AS edits,
               sum(deletions) AS deletions,
               coalesce(sum(sign) FILTER (WHERE deleted_at IS NULL), 0) AS active,
               coalesce(sum(sign) FILTER (WHERE deleted_at IS NOT NULL), 0) AS trashed,
               coalesce(sum(sign * bytes) FILTER (WHERE deleted_at IS NULL), 0) AS active_bytes,
               coalesce(sum(sign * bytes) FILTER (WHERE deleted_at IS NOT NULL), 0) AS trashed_bytes,
               sum(sign * original_bytes) AS original,
               sum(sign * latest) AS latest,
               sum(sign * stored) AS stored
        FROM change
        GROUP BY platform_id, user_id
      ),
      posted AS (
        INSERT INTO usage_events (platform_id, user_id, upload_camera, upload_gallery, upload_request,
                                  edits, deletions, active_images, original_bytes, latest_bytes,
                                  stored_bytes)
        SELECT platform_id, user_id, camera, gallery, request, edits, deletions, active, original,
               latest, stored
        FROM account
        WHERE (camera, gallery, request, edits, deletions, active, original, latest, stored)
              <> (0, 0, 0, 0, 0, 0, 0, 0, 0)
      )
      UPDATE users u
      SET active_images = u.active_images + a.active,
          trashed_images = u.trashed_images + a.trashed,
          active_bytes = u.active_bytes + a.active_bytes,
          trashed_bytes = u.trashed_bytes + a.trashed_bytes,
          stored_bytes = u.stored_bytes + a.stored
      FROM account a
      WHERE u.id = a.user_id
        AND (a.active, a.trashed, a.active_bytes, a.trashed_bytes, a.stored) <> (0, 0, 0, 0, 0)';
    RETURN NULL;
  END $function$;

  CREATE TRIGGER account_for_inserted AFTER INSERT ON images
    REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION account_for_images();
  CREATE TRIGGER account_for_updated AFTER UPDATE ON images
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION account_for_images();
  CREATE TRIGGER account_for_deleted AFTER DELETE ON images
    REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION account_for_images();
`;

// The keys are spelled as in src/store/layout.ts; a test holds the two together.
const objectAccounts = `
  CREATE FUNCTION reclaim_versions() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    INSERT INTO object_reclaim (key, not_before)
    SELECT o.platform_id || '/' || o.user_id || '/' || o.image_id || '/' || o.id || '/' || n.name,
           now()
    FROM old_rows o
    CROSS JOIN LATERAL (VALUES ('original.' || o.extension), ('display.' || o.display_extension),
                               ('thumb.' || o.thumb_extension)) AS n (name)
    WHERE n.name IS NOT NULL
    ON CONFLICT (key) DO UPDATE SET not_before = excluded.not_before;
    RETURN NULL;
  END $function$;

  CREATE TRIGGER reclaim_deleted_versions AFTER DELETE ON image_versions
    REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION reclaim_versions();
`;
