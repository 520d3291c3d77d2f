import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Search that reads only the user's own part of an index (docs/adr/0014). Writes to images, folders
 * and annotations wait until this is done; reads do not until the last moment. A million images took
 * three minutes of one core, nearly all for the index on filenames; for a while, there must be room
 * on the disk for both the old indexes and the new ones, of about the same size.
 */
export class SearchTexts0000000000017 implements MigrationInterface {
  readonly name = 'SearchTexts0000000000017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(grams);
    await runner.query(texts);
    await runner.query(keeping);
    await runner.query(indexes);
    await runner.query(goodbye);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}

// To cut texts by regular expressions takes half the time of a loop, and most of what is left is
// sorting. The separator is longer than what it separates, and no part of it is at both its ends, so
// that it is found nowhere else, whatever the text.
const grams = `
  -- Every three letters in a row, and the last two and the last one, each behind a mark of the user:
  -- in the index, a user's grams are neighbors. Marks may coincide; searches compare the user too.
  -- Of the text from its first, second and third letter on, pieces of three are all of them.
  -- Not for parallel workers: by its cost they would be started for searches of a millisecond.
  CREATE FUNCTION search_grams(owner uuid, words text) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL RESTRICTED COST 1000 AS $function$
  DECLARE
    marked CONSTANT text := right(owner::text, 6) || '\\&<,;:>';
  BEGIN
    RETURN array_to_tsvector(string_to_array(left(
      regexp_replace(words, '.{1,3}', marked, 'g') ||
      regexp_replace(substr(words, 2), '.{1,3}', marked, 'g') ||
      regexp_replace(substr(words, 3), '.{1,3}', marked, 'g'), -5), '<,;:>'));
  END $function$;

  -- What grams a text has that contains these words: as many as cover the words, four at most,
  -- evenly spread, since a gram that all of the user's texts have takes as long to read as there are
  -- texts. Of one or two letters, those that begin with them.
  CREATE FUNCTION search_query(owner uuid, words text) RETURNS tsquery
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $function$
  DECLARE
    mark CONSTANT text := right(owner::text, 6);
    given CONSTANT text := searchable(words);
    last CONSTANT int := greatest(length(given) - 2, 1);
    gaps CONSTANT int := least((last + 1) / 3, 3);
    terms text[] := '{}';
  BEGIN
    FOR n IN 0 .. gaps LOOP
      terms[n] := '''' || mark || replace(replace(
        substr(given, 1 + n * (last - 1) / greatest(gaps, 1), 3),
        E'\\\\', E'\\\\\\\\'), '''', '''''') || '''' || CASE WHEN length(given) < 3 THEN ':*' ELSE '' END;
    END LOOP;
    RETURN array_to_string(terms, ' & ')::tsquery;
  END $function$;
`;

// Beside the images and not in them, since every change of an image writes all its index entries
// anew, and these are most of them. Sorted, so that searches of a user read few pages, and the
// indexes are built of one user's grams at a time.
const texts = `
  SET LOCAL work_mem = '64MB';
  SET LOCAL maintenance_work_mem = '256MB';

  LOCK TABLE images, memos, customs, folders IN SHARE ROW EXCLUSIVE MODE;

  CREATE TABLE image_texts (
    image_id uuid NOT NULL,
    user_id uuid NOT NULL,
    filename text NOT NULL,
    address text
  );
  COMMENT ON TABLE image_texts IS 'texts of images as searches compare them';

  INSERT INTO image_texts (image_id, user_id, filename, address)
  SELECT id, user_id, searchable(filename), address_search FROM images
  ORDER BY user_id, created_at;

  ALTER TABLE image_texts ADD PRIMARY KEY (image_id);
  ALTER TABLE image_texts ADD FOREIGN KEY (image_id) REFERENCES images ON DELETE CASCADE;
`;

// Unit separators keep a match from running over from one field into the next.
const keeping = `
  CREATE FUNCTION searchable_address(image images) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN nullif(searchable(
      coalesce(image.address_road, '') || U&'\\001F' || coalesce(image.address_land, '') ||
      U&'\\001F' || coalesce(image.address_land_number, '') || U&'\\001F' ||
      coalesce(image.building_name, '') || U&'\\001F' || coalesce(image.address_sort, '') ||
      U&'\\001F' || coalesce(image.address_det, '')), repeat(U&'\\001F', 5));

  CREATE FUNCTION keep_image_texts() RETURNS trigger LANGUAGE plpgsql AS $function$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO image_texts (image_id, user_id, filename, address)
      VALUES (NEW.id, NEW.user_id, searchable(NEW.filename), searchable_address(NEW));
    ELSE
      UPDATE image_texts
      SET user_id = NEW.user_id, filename = searchable(NEW.filename),
          address = searchable_address(NEW)
      WHERE image_id = NEW.id;
    END IF;
    RETURN NULL;
  END $function$;

  CREATE TRIGGER keep_texts AFTER INSERT OR UPDATE OF user_id, filename, address_road, address_land,
      address_land_number, building_name, address_sort, address_det ON images
    FOR EACH ROW EXECUTE FUNCTION keep_image_texts();
`;

// Entries that wait to be sorted in are read by every search: a megabyte of them takes a
// millisecond or two.
const gin = (name: string, table: string, column: string): string => `
  CREATE INDEX ${name} ON ${table} USING gin (search_grams(user_id, ${column}))
    WITH (gin_pending_list_limit = 1024);`;

const indexes = `
  ${gin('image_texts_filename_grams', 'image_texts', 'filename')}
  ${gin('image_texts_address_grams', 'image_texts', 'address')}
  ${gin('memos_grams', 'memos', 'search')}
  ${gin('customs_grams', 'customs', 'search')}
  ${gin('folders_grams', 'folders', 'search')}

  SET LOCAL default_statistics_target = 10;
  ANALYZE image_texts;
`;

// Last, since reads wait from here on.
const goodbye = `
  DROP INDEX images_address_search, images_filename_search;
  DROP INDEX memos_search, customs_search, folders_search;
  ALTER TABLE images DROP COLUMN address_search;

  ALTER TABLE walks ADD COLUMN exact boolean NOT NULL DEFAULT true;
  COMMENT ON COLUMN walks.exact IS 'whether the totals are: otherwise there is at least as much';
`;
