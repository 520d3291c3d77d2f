-- What is not deleted for good, whoever asks (docs/adr/0026).
CREATE TABLE holds (
  id uuid PRIMARY KEY,
  platform_id uuid NOT NULL REFERENCES platforms ON DELETE CASCADE,
  reason text NOT NULL,
  until timestamptz,
  image_ids uuid[],
  folder_id uuid,
  user_id uuid,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  released_at timestamptz,
  CONSTRAINT holds_target_check CHECK (num_nonnulls(image_ids, folder_id, user_id) = 1),
  CONSTRAINT holds_created_by_check CHECK (created_by IN ('platform', 'admin'))
);
COMMENT ON COLUMN holds.until IS 'null: until it is released';
CREATE INDEX holds_platform ON holds (platform_id, created_at, id);

-- What holds are on: what was named, and what has left a held folder since. No keys: the rows of a hold that
-- has ended outlive what they are about, until the user is deleted.
CREATE TABLE held (
  user_id uuid NOT NULL,
  id uuid NOT NULL,
  hold_id uuid NOT NULL REFERENCES holds ON DELETE CASCADE,
  kind text NOT NULL,
  PRIMARY KEY (user_id, id, hold_id),
  CONSTRAINT held_kind_check CHECK (kind IN ('user', 'folder', 'image'))
);
COMMENT ON COLUMN held.kind IS 'what the id is of: with a user or a folder, everything below is held';
CREATE INDEX held_hold ON held (hold_id);

-- Versions whose objects bear a legal hold in their bucket. No keys: what is released may have been deleted.
CREATE TABLE legal_holds (
  version_id uuid PRIMARY KEY,
  place text NOT NULL,
  keys text[] NOT NULL
);
COMMENT ON COLUMN legal_holds.place IS 'the bucket, and the prefix of keys in it';
