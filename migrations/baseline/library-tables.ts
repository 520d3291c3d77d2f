// What the product is about: platforms, their users, tokens, folders, images, and annotations.

// Counters at the end of a user are kept by triggers, change_seq and the like by those of the change
// feed. None of them has an index, so that they change in place.
const platformsAndUsers = `
  CREATE TABLE platforms (
    id uuid PRIMARY KEY,
    name text NOT NULL UNIQUE,
    -- Tokens carry the generation that they were made in; raising it revokes them all.
    token_generation integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    suspended_at timestamptz,
    deleting_at timestamptz,
    revoked_at timestamptz
  );
  COMMENT ON COLUMN platforms.deleting_at IS 'since when it is being deleted; not undone';
  COMMENT ON COLUMN platforms.revoked_at IS 'when its tokens and those of its users were last revoked';
  CREATE INDEX platforms_oldest ON platforms (created_at, id);
  CREATE INDEX platforms_deleting ON platforms (deleting_at) WHERE deleting_at IS NOT NULL;
  -- Nearly empty; every process looks once a second for what was suspended or revoked lately
  -- (docs/adr/0012).
  CREATE INDEX platforms_suspended ON platforms (suspended_at) WHERE suspended_at IS NOT NULL;
  CREATE INDEX platforms_revoked ON platforms (revoked_at) WHERE revoked_at IS NOT NULL;

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
    change_seq bigint NOT NULL DEFAULT 0,
    change_first bigint NOT NULL DEFAULT 0,
    change_xact bigint NOT NULL DEFAULT 0,
    change_position bigint NOT NULL DEFAULT 0,
    suspended_at timestamptz,
    granted_bytes bigint NOT NULL DEFAULT 0,
    granted_images bigint NOT NULL DEFAULT 0,
    map_version bigint NOT NULL DEFAULT 0,
    text_bytes bigint NOT NULL DEFAULT 0,
    announced_bytes bigint NOT NULL DEFAULT 0,
    UNIQUE (platform_id, platform_user_id),
    UNIQUE (id, platform_id)
  );
  COMMENT ON COLUMN users.active_bytes IS 'current versions of images not in the trash';
  COMMENT ON COLUMN users.stored_bytes IS 'originals and all edits, trash included: what the quota counts';
  COMMENT ON COLUMN users.change_seq IS 'number of the user''s latest change';
  COMMENT ON COLUMN users.change_first IS 'number of the first change of the transaction change_xact';
  COMMENT ON COLUMN users.change_position IS 'position of the latest change in the platform''s feed';
  COMMENT ON COLUMN users.granted_bytes IS
    'may be stored without asking again whether the platform has room; at least what the quota counts';
  COMMENT ON COLUMN users.map_version IS
    'raised with every change to the location, trash, folder or has_det of an image that maps show';
  COMMENT ON COLUMN users.text_bytes IS
    'of memos and customs, in UTF-8: with stored_bytes and announced_bytes, what the quota counts';
  COMMENT ON COLUMN users.announced_bytes IS 'of uploads that are not finished';
  CREATE INDEX users_oldest ON users (platform_id, created_at, id);
  CREATE INDEX users_suspended ON users (suspended_at) WHERE suspended_at IS NOT NULL;
`;

const tokens = `
  -- Keys that sign tokens, sealed with the master key, which never enters the database.
  CREATE TABLE signing_keys (
    id text PRIMARY KEY,
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz
  );

  CREATE TABLE refresh_tokens (
    id uuid PRIMARY KEY,
    -- All tokens that descend from one grant; a spent one that comes back revokes them all, unless its
    -- successor was lost on the way (docs/adr/0006).
    family_id uuid NOT NULL,
    platform_id uuid REFERENCES platforms ON DELETE CASCADE,
    user_id uuid REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    spent_at timestamptz,
    revoked_at timestamptz,
    successor jsonb,
    key_hash bytea
  );
  COMMENT ON COLUMN refresh_tokens.successor IS
    'what the token was exchanged for: all that it takes to sign the same token again';
  COMMENT ON COLUMN refresh_tokens.key_hash IS
    'SHA-256 of the Idempotency-Key of the request that spent the token';
  CREATE INDEX refresh_tokens_family ON refresh_tokens (family_id);
  CREATE INDEX refresh_tokens_user ON refresh_tokens (user_id);
  CREATE INDEX refresh_tokens_platform ON refresh_tokens (platform_id);
  CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);

  CREATE TABLE console_codes (
    hash bytea PRIMARY KEY,
    expires_at timestamptz NOT NULL
  );
  COMMENT ON COLUMN console_codes.hash IS
    'SHA-256 of a code that is exchanged once for an administrator''s token';
`;

const folders = `
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
    search text GENERATED ALWAYS AS (searchable(title)) STORED,
    UNIQUE (id, user_id),
    FOREIGN KEY (parent_id, user_id) REFERENCES folders (id, user_id)
  );
  CREATE UNIQUE INDEX folders_sibling_titles ON folders (user_id, parent_id, title)
    NULLS NOT DISTINCT WHERE deleted_at IS NULL;
  -- The order in which the contents of a folder are read; it also knows what is in the trash.
  CREATE INDEX folders_parent ON folders (user_id, parent_id, title, id) INCLUDE (deleted_at);
  CREATE INDEX folders_parent_key ON folders (parent_id, user_id);
  CREATE INDEX folders_trash ON folders (deleted_at) WHERE deleted_at IS NOT NULL;
`;

/** The time by which lists are sorted on demand, as `takenAt` in src/library/images/page.sql.ts. */
export const takenAt = 'coalesce(taken_at, created_at)';

const takenIndex = (
  name: string,
): string => `  CREATE INDEX ${name} ON images (user_id, (${takenAt}) DESC, id DESC)
    INCLUDE (created_at, taken_at, bytes, has_det, folder_id)`;

// Every order in which images are listed is an index that also knows what is in the trash and what is
// summed: a deep page is found, and images are counted, without reading whole rows.
const images = `
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
    is_incomplete boolean NOT NULL DEFAULT false,
    upload_set_id uuid,
    original_name text,
    direction double precision,
    altitude_m double precision,
    accuracy_m double precision,
    camera text,
    unread_fields text[],
    UNIQUE (id, user_id),
    FOREIGN KEY (user_id, platform_id) REFERENCES users (id, platform_id) ON DELETE CASCADE,
    FOREIGN KEY (folder_id, user_id) REFERENCES folders (id, user_id)
  );
  COMMENT ON COLUMN images.display_extension IS 'null: the stored bytes of the version are shown as they are';
  COMMENT ON COLUMN images.is_incomplete IS 'whether the picture of the current version breaks off';
  COMMENT ON COLUMN images.upload_set_id
    IS 'the set it was uploaded with; not a foreign key, since the set may be forgotten';
  COMMENT ON COLUMN images.unread_fields IS
    'columns that have yet to be read from the file of an image from before they were there; null: none';
  CREATE INDEX images_newest ON images (user_id, created_at DESC, id DESC)
    INCLUDE (bytes, has_det, folder_id);
  CREATE INDEX images_newest_active ON images (user_id, created_at DESC, id DESC)
    INCLUDE (bytes, has_det, folder_id) WHERE deleted_at IS NULL;
  CREATE INDEX images_newest_trashed ON images (user_id, created_at DESC, id DESC)
    INCLUDE (bytes, has_det, folder_id) WHERE deleted_at IS NOT NULL;
  -- When a picture was taken, or created_at if it does not tell. An expression, since a column would have
  -- to be filled in, and its columns are included, without which an index is not read alone.
${takenIndex('images_taken')};
${takenIndex('images_taken_active')} WHERE deleted_at IS NULL;
${takenIndex('images_taken_trashed')} WHERE deleted_at IS NOT NULL;
  CREATE INDEX images_updated ON images (user_id, updated_at);
  CREATE INDEX images_folder ON images (user_id, folder_id, created_at, id)
    INCLUDE (deleted_at, bytes);
  CREATE INDEX images_folder_taken ON images (user_id, folder_id, (${takenAt}), id)
    INCLUDE (deleted_at, created_at, taken_at);
  CREATE INDEX images_folder_updated ON images (user_id, folder_id, updated_at, id)
    INCLUDE (deleted_at);
  CREATE INDEX images_folder_name ON images (user_id, folder_id, filename, id)
    INCLUDE (deleted_at);
  CREATE INDEX images_folder_key ON images (folder_id, user_id) WHERE folder_id IS NOT NULL;
  CREATE INDEX images_place ON images USING gist (user_id, location);
  CREATE INDEX images_at_place ON images (user_id, location, created_at DESC, id DESC)
    INCLUDE (deleted_at, bytes, taken_at) WHERE location IS NOT NULL;
  CREATE INDEX images_trash ON images (deleted_at) WHERE deleted_at IS NOT NULL;
  -- Empty once all older files have been read.
  CREATE INDEX images_unread ON images (id) WHERE unread_fields IS NOT NULL;

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
    is_incomplete boolean NOT NULL DEFAULT false,
    crc32 bigint,
    original_name text,
    full_extension text,
    UNIQUE (image_id, version),
    FOREIGN KEY (image_id, user_id) REFERENCES images (id, user_id) ON DELETE CASCADE
  );
  COMMENT ON COLUMN image_versions.crc32 IS
    'of the uploaded bytes; null: not computed yet, -1: their object was missing';
  COMMENT ON COLUMN image_versions.full_extension IS
    'of the object with the whole picture as any browser shows it; null: not made yet';
  -- The versions of a hash come in order, however many there are, and from the index alone.
  CREATE INDEX image_versions_hash ON image_versions (user_id, hash, image_id, version);
`;

// The columns "search" are stored, since to compute them anew for every row that a search looks at costs
// more than to read them. A unit separator keeps a match from running over from one field into the next.
const annotations = `
  CREATE TABLE memos (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL,
    image_id uuid NOT NULL,
    message text NOT NULL,
    is_client boolean NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    search text GENERATED ALWAYS AS (searchable(message)) STORED,
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
    search text GENERATED ALWAYS AS (searchable(key || U&'\\001F' || value)) STORED,
    FOREIGN KEY (image_id, user_id) REFERENCES images (id, user_id) ON DELETE CASCADE
  );
  CREATE INDEX customs_image ON customs (image_id, created_at, id);
`;

export const libraryTables = platformsAndUsers + tokens + folders + images + annotations;
