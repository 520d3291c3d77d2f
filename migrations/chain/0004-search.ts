import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexed search in texts, and the places where walks through lists ended (docs/adr/0005). The
 * indexes begin with the user, so that no search reads what others wrote.
 */
export class Search0000000000004 implements MigrationInterface {
  readonly name = 'Search0000000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE EXTENSION IF NOT EXISTS btree_gin;

      -- Texts as searches compare them. The ICU collation makes lower() the same on every server.
      CREATE FUNCTION searchable(words text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN lower(normalize(words, NFC) COLLATE korean_numeric);

      -- What LIKE has to be given to find these words anywhere, wildcards taken literally.
      CREATE FUNCTION search_pattern(words text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN '%' || regexp_replace(searchable(words), '([\\\\%_])', '\\\\\\1', 'g') || '%';

      -- Stored, since to compute them anew for every row that a search looks at costs more than to
      -- read them. Unit separators keep a match from running over from one field into the next.
      ALTER TABLE images ADD COLUMN address_search text GENERATED ALWAYS AS (nullif(searchable(
        coalesce(address_road, '') || U&'\\001F' || coalesce(address_land, '') || U&'\\001F' ||
        coalesce(address_land_number, '') || U&'\\001F' || coalesce(building_name, '') || U&'\\001F' ||
        coalesce(address_sort, '') || U&'\\001F' || coalesce(address_det, '')),
        repeat(U&'\\001F', 5))) STORED;
      ALTER TABLE memos ADD COLUMN search text GENERATED ALWAYS AS (searchable(message)) STORED;
      ALTER TABLE customs ADD COLUMN search text
        GENERATED ALWAYS AS (searchable(key || U&'\\001F' || value)) STORED;
      ALTER TABLE folders ADD COLUMN search text GENERATED ALWAYS AS (searchable(title)) STORED;

      CREATE INDEX images_address_search ON images
        USING gin (user_id, address_search gin_trgm_ops) WHERE address_search IS NOT NULL;
      CREATE INDEX images_filename_search ON images USING gin (user_id, filename gin_trgm_ops);
      CREATE INDEX memos_search ON memos USING gin (user_id, search gin_trgm_ops);
      CREATE INDEX customs_search ON customs USING gin (user_id, search gin_trgm_ops);
      CREATE INDEX folders_search ON folders USING gin (user_id, search gin_trgm_ops);

      -- Matches are counted and summed from the index alone.
      DROP INDEX images_newest, images_newest_active, images_newest_trashed;
      CREATE INDEX images_newest ON images (user_id, created_at DESC, id DESC)
        INCLUDE (bytes, has_det, folder_id);
      CREATE INDEX images_newest_active ON images (user_id, created_at DESC, id DESC)
        INCLUDE (bytes, has_det, folder_id) WHERE deleted_at IS NULL;
      CREATE INDEX images_newest_trashed ON images (user_id, created_at DESC, id DESC)
        INCLUDE (bytes, has_det, folder_id) WHERE deleted_at IS NOT NULL;

      -- Ranges of updated_at.
      CREATE INDEX images_updated ON images (user_id, updated_at);

      -- Without a log: it is written with every page, and after a crash a walk may start anew.
      CREATE UNLOGGED TABLE walks (
        id bytea NOT NULL,
        last_index integer NOT NULL,
        sort_key text[] NOT NULL,
        total_images integer NOT NULL,
        total_bytes bigint NOT NULL,
        noted_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (id, last_index)
      );
      COMMENT ON TABLE walks IS 'after which item the page that starts at last_index goes on';
      COMMENT ON COLUMN walks.id IS 'digest of the token and of what it lists';
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}
