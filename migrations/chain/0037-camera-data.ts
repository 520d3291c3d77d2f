import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the camera knew: the name of the file, where it looked, how high and how exactly, and what it is
 * (docs/adr/0020). Existing images get a list of what is unread, without being rewritten: the job
 * `read metadata` goes through them.
 */
export class CameraData0000000000037 implements MigrationInterface {
  readonly name = 'CameraData0000000000037';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columns);
    await runner.query(texts);
    await runner.query(telling);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

// The default is that of rows which are there already, and of no others.
const columns = `
  ALTER TABLE images
    ADD COLUMN original_name text, ADD COLUMN direction double precision,
    ADD COLUMN altitude_m double precision, ADD COLUMN accuracy_m double precision,
    ADD COLUMN camera text,
    ADD COLUMN unread_fields text[] DEFAULT '{direction,altitude_m,accuracy_m,camera,taken_at}';
  ALTER TABLE images ALTER COLUMN unread_fields DROP DEFAULT;
  COMMENT ON COLUMN images.unread_fields IS
    'columns that have yet to be read from the file of an image from before they were there; null: none';
  CREATE INDEX images_unread ON images (id) WHERE unread_fields IS NOT NULL;
  ALTER TABLE image_versions ADD COLUMN original_name text;
`;

// No image has an original name yet, so that its text stays the same.
const texts = `
  CREATE FUNCTION searchable_filename(image images) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN searchable(image.filename || coalesce(U&'\\001F' || image.original_name, ''));

  CREATE OR REPLACE FUNCTION keep_image_texts() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO image_texts (image_id, user_id, filename, address)
      VALUES (NEW.id, NEW.user_id, searchable_filename(NEW), searchable_address(NEW));
    ELSE
      UPDATE image_texts
      SET user_id = NEW.user_id, filename = searchable_filename(NEW),
          address = searchable_address(NEW)
      WHERE image_id = NEW.id;
    END IF;
    RETURN NULL;
  END $function$;

  DROP TRIGGER keep_texts ON images;
  CREATE TRIGGER keep_texts AFTER INSERT OR UPDATE OF user_id, filename, original_name, address_road,
      address_land, address_land_number, building_name, address_sort, address_det ON images
    FOR EACH ROW EXECUTE FUNCTION keep_image_texts();
`;

// The columns whose change is told are listed once for each row in both functions of migration 25.
const telling = `
  DO $do$
  DECLARE
    told CONSTANT text := 'ROW.original_name, ROW.direction, ROW.altitude_m, ROW.accuracy_m, ROW.camera)';
    name regproc;
    body text;
  BEGIN
    FOREACH name IN ARRAY ARRAY['images_action', 'account_for_images']::regproc[] LOOP
      body := pg_get_functiondef(name);
      IF body !~ 'was\\.original_extension\\).*now\\.original_extension\\)' THEN
        RAISE EXCEPTION '% does not tell of original_extension', name;
      END IF;
      body := replace(body, 'was.original_extension)',
                      'was.original_extension, ' || replace(told, 'ROW', 'was'));
      EXECUTE replace(body, 'now.original_extension)',
                      'now.original_extension, ' || replace(told, 'ROW', 'now'));
    END LOOP;
  END $do$;
`;
