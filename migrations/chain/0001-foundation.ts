import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tenants, trees, images and their annotations, tokens, and the instance itself. */
export class Foundation0000000000001 implements MigrationInterface {
  readonly name = 'Foundation0000000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE EXTENSION IF NOT EXISTS postgis;
      CREATE EXTENSION IF NOT EXISTS btree_gist;
      CREATE EXTENSION IF NOT EXISTS pg_trgm;

      -- Korean order with numbers by value: "사진 2" before "사진 10".
      CREATE COLLATION IF NOT EXISTS korean_numeric (provider = icu, locale = 'ko-u-kn-true');

      -- One row: which installation this database belongs to.
      CREATE TABLE instance (
        singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
        id uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );

      -- Keys that sign tokens, sealed with the master key, which never enters the database.
      CREATE TABLE signing_keys (
        id text PRIMARY KEY,
        sealed bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        revoked_at timestamptz
      );

      CREATE TABLE platforms (
        id uuid PRIMARY KEY,
        name text NOT NULL UNIQUE,
        -- Tokens carry the generation that they were made in; raising it revokes them all.
        token_generation integer NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      );

      -- The counters at the end are kept by triggers on images (migration 2).
      CREATE TABLE users (
        id uuid PRIMARY KEY,
        platform_id uuid NOT NULL REFERENCES platforms ON DELETE CASCADE,
        platform_user_id text NOT NULL,
        max_storage_bytes bigint NOT NULL CHECK (max_storage_bytes > 0),
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        active_images integer NOT NULL DEFAULT 0,
        trashed_images integer NOT NULL DEFAULT 0,
        active_bytes bigint NOT NULL DEFAULT 0,
        trashed_bytes bigint NOT NULL DEFAULT 0,
        stored_bytes bigint NOT NULL DEFAULT 0,
        UNIQUE (platform_id, platform_user_id),
        UNIQUE (id, platform_id)
      );
      COMMENT ON COLUMN users.active_bytes IS 'current versions of images not in the trash';
      COMMENT ON COLUMN users.stored_bytes IS 'originals and all edits, trash included: what the quota counts';

      CREATE TABLE refresh_tokens (
        id uuid PRIMARY KEY,
        -- All tokens that descend from one grant; a spent one that comes back revokes them all.
        family_id uuid NOT NULL,
        platform_id uuid REFERENCES platforms ON DELETE CASCADE,
        user_id uuid REFERENCES users ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        spent_at timestamptz,
        revoked_at timestamptz
      );
      CREATE INDEX refresh_tokens_family ON refresh_tokens (family_id);
      CREATE INDEX refresh_tokens_user ON refresh_tokens (user_id);
      CREATE INDEX refresh_tokens_platform ON refresh_tokens (platform_id);
      CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);

      CREATE TABLE folders (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        parent_id uuid,
        title text COLLATE korean_numeric NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        deleted_at timestamptz,
        -- The folder whose move to the trash took this one along; restoring that one restores this.
        trashed_with uuid,
        UNIQUE (id, user_id),
        FOREIGN KEY (parent_id, user_id) REFERENCES folders (id, user_id)
      );
      CREATE UNIQUE INDEX folders_sibling_titles ON folders (user_id, parent_id, title)
        NULLS NOT DISTINCT WHERE deleted_at IS NULL;
      CREATE INDEX folders_parent ON folders (user_id, parent_id, title);
      CREATE INDEX folders_parent_key ON folders (parent_id, user_id);
      CREATE INDEX folders_trash ON folders (deleted_at) WHERE deleted_at IS NOT NULL;

      CREATE TABLE images (
        id uuid PRIMARY KEY,
        platform_id uuid NOT NULL,
        user_id uuid NOT NULL,
        folder_id uuid,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        uploaded_at timestamptz NOT NULL DEFAULT now(),
        deleted_at timestamptz,
        trashed_with uuid,
        taken_at timestamptz,
        upload_type text NOT NULL CHECK (upload_type IN ('camera', 'gallery', 'request')),
        location geography(Point, 4326),
        address_road text,
        address_land text,
        address_land_number text,
        building_name text,
        address_sort text,
        address_det text,
        has_det boolean,
        is_shared boolean NOT NULL DEFAULT false,
        is_signed boolean NOT NULL DEFAULT false,
        -- The current version, repeated from image_versions: a page of images is one read.
        version_id uuid NOT NULL,
        version integer NOT NULL DEFAULT 0,
        filename text COLLATE korean_numeric NOT NULL,
        format text NOT NULL,
        extension text NOT NULL,
        display_extension text,
        thumb_extension text NOT NULL,
        hash bytea NOT NULL,
        bytes bigint NOT NULL,
        width integer NOT NULL,
        height integer NOT NULL,
        thumbhash bytea NOT NULL,
        original_extension text NOT NULL,
        original_bytes bigint NOT NULL,
        edits integer NOT NULL DEFAULT 0,
        edit_bytes bigint NOT NULL DEFAULT 0,
        UNIQUE (id, user_id),
        FOREIGN KEY (user_id, platform_id) REFERENCES users (id, platform_id) ON DELETE CASCADE,
        FOREIGN KEY (folder_id, user_id) REFERENCES folders (id, user_id)
      );
      COMMENT ON COLUMN images.display_extension IS 'null: the stored bytes of the version are shown as they are';
      CREATE INDEX images_newest ON images (user_id, created_at DESC, id DESC);
      CREATE INDEX images_newest_active ON images (user_id, created_at DESC, id DESC)
        WHERE deleted_at IS NULL;
      CREATE INDEX images_newest_trashed ON images (user_id, created_at DESC, id DESC)
        WHERE deleted_at IS NOT NULL;
      CREATE INDEX images_folder ON images (user_id, folder_id, created_at, id);
      CREATE INDEX images_folder_key ON images (folder_id, user_id) WHERE folder_id IS NOT NULL;
      CREATE INDEX images_place ON images USING gist (user_id, location);
      CREATE INDEX images_trash ON images (deleted_at) WHERE deleted_at IS NOT NULL;

      -- Version 0 is the upload and has the id of its image; version n is the nth edit.
      CREATE TABLE image_versions (
        id uuid PRIMARY KEY,
        platform_id uuid NOT NULL,
        user_id uuid NOT NULL,
        image_id uuid NOT NULL,
        version integer NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        format text NOT NULL,
        extension text NOT NULL,
        display_extension text,
        thumb_extension text NOT NULL,
        hash bytea NOT NULL,
        bytes bigint NOT NULL,
        width integer NOT NULL,
        height integer NOT NULL,
        UNIQUE (image_id, version),
        FOREIGN KEY (image_id, user_id) REFERENCES images (id, user_id) ON DELETE CASCADE
      );

      CREATE TABLE memos (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL,
        image_id uuid NOT NULL,
        message text NOT NULL,
        is_client boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        FOREIGN KEY (image_id, user_id) REFERENCES images (id, user_id) ON DELETE CASCADE
      );
      CREATE INDEX memos_image ON memos (image_id, created_at, id);

      CREATE TABLE customs (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL,
        image_id uuid NOT NULL,
        key text NOT NULL,
        value text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        FOREIGN KEY (image_id, user_id) REFERENCES images (id, user_id) ON DELETE CASCADE
      );
      CREATE INDEX customs_image ON customs (image_id, created_at, id);

      -- Objects that no row refers to: about to be written, or to be deleted. See docs/adr.
      CREATE TABLE object_reclaim (
        key text PRIMARY KEY,
        not_before timestamptz NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        last_error text,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX object_reclaim_due ON object_reclaim (not_before);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not undone; restore a backup instead.');
  }
}
