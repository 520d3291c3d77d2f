-- How texts are compared and found (docs/adr/0005, docs/adr/0014).

CREATE EXTENSION IF NOT EXISTS postgis;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Korean order with numbers by value: "사진 2" before "사진 10".
CREATE COLLATION IF NOT EXISTS korean_numeric (provider = icu, locale = 'ko-u-kn-true');

-- Texts as searches compare them. The ICU collation makes lower() the same on every server.
CREATE OR REPLACE FUNCTION searchable(words text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN lower(normalize(words, NFC) COLLATE korean_numeric);

-- What LIKE has to be given to find these words anywhere, wildcards taken literally.
CREATE OR REPLACE FUNCTION search_pattern(words text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN '%' || regexp_replace(searchable(words), '([\\%_])', '\\\1', 'g') || '%';

-- Every three letters in a row, and the last two and the last one, each behind a mark of the user:
-- in the index, a user's grams are neighbors. Marks may coincide; searches compare the user too.
-- Of the text from its first, second and third letter on, pieces of three are all of them.
-- Not for parallel workers: by its cost they would be started for searches of a millisecond.
CREATE OR REPLACE FUNCTION search_grams(owner uuid, words text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL RESTRICTED COST 1000 AS $function$
DECLARE
  marked CONSTANT text := right(owner::text, 6) || '\&<,;:>';
BEGIN
  RETURN array_to_tsvector(string_to_array(left(
    regexp_replace(words, '.{1,3}', marked, 'g') ||
    regexp_replace(substr(words, 2), '.{1,3}', marked, 'g') ||
    regexp_replace(substr(words, 3), '.{1,3}', marked, 'g'), -5), '<,;:>'));
END $function$;

-- What grams a text has that contains these words: as many as cover the words, four at most,
-- evenly spread, since a gram that all of the user's texts have takes as long to read as there are
-- texts. Of one or two letters, those that begin with them.
CREATE OR REPLACE FUNCTION search_query(owner uuid, words text) RETURNS tsquery
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
      E'\\', E'\\\\'), '''', '''''') || '''' || CASE WHEN length(given) < 3 THEN ':*' ELSE '' END;
  END LOOP;
  RETURN array_to_string(terms, ' & ')::tsquery;
END $function$;
