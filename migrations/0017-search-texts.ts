import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Search that reads only the user's own part of an index (docs/adr/0028). Writes to images wait
 * until this is done, reads do not. Most of the time goes into the index on filenames: with two busy
 * cores, shared by others, two million images took more than a quarter of an hour.
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

const grams = `
  -- Every three letters in a row, and the last two and the last one, each behind a mark of the user:
  -- in the index, a user's grams are neighbors. Marks may coincide; searches compare the user too.
  -- Cut into pieces first, since finding the nth letter of a long text means to read up to there.
  CREATE FUNCTION search_grams(owner uuid, words text) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $function$
  DECLARE
    mark CONSTANT text := right(owner::text, 6);
    piece text;
    grams text[] := '{}';
  BEGIN
    FOR start IN 0 .. length(words) - 1 BY 128 LOOP
      piece := substr(words, start + 1, 130);
      FOR n IN 1 .. least(length(piece), 128) LOOP
        grams[start + n] := mark || substr(piece, n, 3);
      END LOOP;
    END LOOP;
    RETURN array_to_tsvector(grams);
  END $function$;

  -- What grams a text has that contains these words: eight at most, spread over the words, since
  -- more hardly narrow it down. Of one or two letters, those that begin with them.
  CREATE FUNCTION search_query(owner uuid, words text) RETURNS tsquery
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $function$
  DECLARE
    mark CONSTANT text := right(owner::text, 6);
    given CONSTANT text := searchable(words);
    last CONSTANT int := greatest(length(given) - 2, 1);
    terms text[] := '{}';
  BEGIN
    FOR n IN 0 .. least(last, 8) - 1 LOOP
      terms[n] := '''' || mark || replace(replace(
        substr(given, 1 + n * (last - 1) / greatest(least(last, 8) - 1, 1), 3),
        E'\\\\', E'\\\\\\\\'), '''', '''''') || '''' || CASE WHEN length(given) < 3 THEN ':*' ELSE '' END;
    END LOOP;
    RETURN array_to_string(terms, ' & ')::tsquery;
  END $function$;
`;

// Beside the images and not in them, since every change of an image writes all its index entries
// anew, and these are most of them.
const texts = `
  SET LOCAL maintenance_work_mem = '256MB'; -- of which building a GIN index makes much use

  LOCK TABLE images, memos, customs, folders IN SHARE ROW EXCLUSIVE MODE;

  CREATE TABLE image_texts (
    image_id uuid NOT NULL,
    user_id uuid NOT NULL,
    filename text NOT NULL,
    address text
  );
  COMMENT ON TABLE image_texts IS 'texts of images as searches compare them';

  INSERT INTO image_texts (image_id, user_id, filename, address)
  SELECT id, user_id, searchable(filename), address_search FROM images;

  ALTER TABLE image_texts ADD PRIMARY KEY (image_id);
  ALTER TABLE image_texts ADD FOREIGN KEY (image_id, user_id)
    REFERENCES images (id, user_id) ON DELETE CASCADE;
`;

// Unit separators keep a match from running over from one field into the next.
const keeping = `
  CREATE FUNCTION keep_image_texts() RETURNS trigger LANGUAGE plpgsql AS $function$
  DECLARE
    joined CONSTANT text := nullif(searchable(
      coalesce(NEW.address_road, '') || U&'\\001F' || coalesce(NEW.address_land, '') || U&'\\001F' ||
      coalesce(NEW.address_land_number, '') || U&'\\001F' || coalesce(NEW.building_name, '') ||
      U&'\\001F' || coalesce(NEW.address_sort, '') || U&'\\001F' || coalesce(NEW.address_det, '')),
      repeat(U&'\\001F', 5));
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO image_texts (image_id, user_id, filename, address)
      VALUES (NEW.id, NEW.user_id, searchable(NEW.filename), joined);
    ELSE
      UPDATE image_texts SET filename = searchable(NEW.filename), address = joined
      WHERE image_id = NEW.id;
    END IF;
    RETURN NULL;
  END $function$;

  CREATE TRIGGER keep_texts AFTER INSERT OR UPDATE OF filename, address_road, address_land,
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
