-- Folders, images and what is written on them.

CREATE TABLE folders (
  id uuid PRIMARY KEY,
  -- Not a foreign key: a deleted user is gone at once, and rows follow in batches (bulk_changes).
  user_id uuid NOT NULL,
  parent_id uuid,
  title text COLLATE korean_numeric NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  -- The folder whose move to the trash took this one along; restoring that one restores this.
  trashed_with uuid,
  search text GENERATED ALWAYS AS (searchable(title)) STORED,
  deleting_at timestamptz,
  UNIQUE (id, user_id),
  FOREIGN KEY (parent_id, user_id) REFERENCES folders (id, user_id)
);
COMMENT ON COLUMN folders.deleting_at IS
  'since when its images are being deleted in batches, and it with them: nobody sees it any more';
CREATE UNIQUE INDEX folders_sibling_titles ON folders (user_id, parent_id, title)
  NULLS NOT DISTINCT WHERE deleted_at IS NULL;
-- The order in which the contents of a folder are read; it also knows what is in the trash. The key, too, looks
-- for what is in a folder here.
CREATE INDEX folders_parent ON folders (user_id, parent_id, title, id) INCLUDE (deleted_at);
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
  is_incomplete boolean NOT NULL DEFAULT false,
  upload_set_id uuid,
  original_name text,
  direction double precision,
  altitude_m double precision,
  accuracy_m double precision,
  camera text,
  unread_fields text[],
  -- No key to users, as in folders.
  UNIQUE (id, user_id),
  FOREIGN KEY (folder_id, user_id) REFERENCES folders (id, user_id)
);
COMMENT ON COLUMN images.display_extension IS 'null: the stored bytes of the version are shown as they are';
COMMENT ON COLUMN images.is_incomplete IS 'whether the picture of the current version breaks off';
COMMENT ON COLUMN images.upload_set_id
  IS 'the set it was uploaded with; not a foreign key, since the set may be forgotten';
COMMENT ON COLUMN images.unread_fields IS
  'columns that have yet to be read from the file of an image from before they were there; null: none';
-- The list of a user, in and outside of the trash; a page at an index, or a sum, is read from it alone.
CREATE INDEX images_newest ON images (user_id, created_at DESC, id DESC) INCLUDE (deleted_at, bytes, has_det);
CREATE INDEX images_trash ON images (user_id, created_at DESC, id DESC) INCLUDE (deleted_at, taken_at)
  WHERE deleted_at IS NOT NULL;
-- When a picture was taken, or created_at if it does not tell. An expression, since a column would have
-- to be filled in, and its columns are included, without which an index is not read alone.
CREATE INDEX images_taken ON images (user_id, (coalesce(taken_at, created_at)) DESC, id DESC)
  INCLUDE (deleted_at, created_at, taken_at, has_det);
CREATE INDEX images_updated ON images (user_id, updated_at);
-- Other orders of a folder are sorted; its key looks here, too, and with taken_at what a folder contains is summed
-- from this alone.
CREATE INDEX images_folder ON images (user_id, folder_id, created_at, id)
  INCLUDE (deleted_at, bytes, taken_at);
CREATE INDEX images_place ON images USING gist (user_id, location);
CREATE INDEX images_at_place ON images (user_id, location, created_at DESC, id DESC)
  INCLUDE (deleted_at, bytes, taken_at) WHERE location IS NOT NULL;
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
  original_name text,
  full_extension text,
  UNIQUE (image_id, version),
  FOREIGN KEY (image_id, user_id) REFERENCES images (id, user_id) ON DELETE CASCADE
);
COMMENT ON COLUMN image_versions.full_extension IS
  'of the object with the whole picture as any browser shows it; null: not made yet';
-- The versions of a hash come in order, however many there are, and from the index alone.
CREATE INDEX image_versions_hash ON image_versions (user_id, hash, image_id, version);

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
  search text GENERATED ALWAYS AS (searchable(key || U&'\001F' || value)) STORED,
  FOREIGN KEY (image_id, user_id) REFERENCES images (id, user_id) ON DELETE CASCADE
);
CREATE INDEX customs_image ON customs (image_id, created_at, id);

-- Beside the images and not in them, since every change of an image writes all its index entries anew,
-- and these are most of them (docs/adr/0014).
CREATE TABLE image_texts (
  image_id uuid PRIMARY KEY REFERENCES images ON DELETE CASCADE,
  user_id uuid NOT NULL,
  filename text NOT NULL,
  address text
);
COMMENT ON TABLE image_texts IS 'texts of images as searches compare them';

-- Objects that no row refers to: about to be written, or to be deleted. See docs/adr.
CREATE TABLE object_reclaim (
  key text PRIMARY KEY,
  not_before timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  waits boolean NOT NULL DEFAULT false,
  bytes bigint NOT NULL DEFAULT 0
);
COMMENT ON COLUMN object_reclaim.waits IS
  'whether a row referred to it until not_before: it stays for store.deletion_delay_hours, for backups';
COMMENT ON COLUMN object_reclaim.bytes IS 'what the quota counted, on the original of a version that waits';
CREATE INDEX object_reclaim_due ON object_reclaim (waits, not_before);

-- Entries that wait to be sorted in are read by every search: a megabyte of them takes a millisecond or two.
CREATE INDEX image_texts_filename_grams ON image_texts USING gin (search_grams(user_id, filename))
  WITH (gin_pending_list_limit = 1024);
CREATE INDEX image_texts_address_grams ON image_texts USING gin (search_grams(user_id, address))
  WITH (gin_pending_list_limit = 1024);
CREATE INDEX memos_grams ON memos USING gin (search_grams(user_id, search))
  WITH (gin_pending_list_limit = 1024);
CREATE INDEX customs_grams ON customs USING gin (search_grams(user_id, search))
  WITH (gin_pending_list_limit = 1024);
CREATE INDEX folders_grams ON folders USING gin (search_grams(user_id, search))
  WITH (gin_pending_list_limit = 1024);
