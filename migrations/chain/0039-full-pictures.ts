import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A version knows the object with its whole picture, which is made when somebody first asks for it
 * (docs/adr/0002). That object goes with the version, as the others do.
 */
export class FullPictures0000000000039 implements MigrationInterface {
  readonly name = 'FullPictures0000000000039';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE image_versions ADD COLUMN full_extension text;
      COMMENT ON COLUMN image_versions.full_extension IS
        'of the object with the whole picture as any browser shows it; null: not made yet';

      CREATE OR REPLACE FUNCTION reclaim_versions() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    INSERT INTO object_reclaim (key, not_before)
    SELECT o.platform_id || '/' || o.user_id || '/' || o.image_id || '/' || o.id || '/' || n.name,
           now()
    FROM old_rows o
    CROSS JOIN LATERAL (VALUES ('original.' || o.extension), ('display.' || o.display_extension),
                               ('thumb.' || o.thumb_extension), ('full.' || o.full_extension))
      AS n (name)
    WHERE n.name IS NOT NULL
    ON CONFLICT (key) DO UPDATE SET not_before = excluded.not_before;
    RETURN NULL;
  END $function$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}
