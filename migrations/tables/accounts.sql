-- Platforms, their users, and tokens. Counters at the end of a user are kept by triggers, change_seq and the
-- like by those of the change feed. None of them has an index, so that they change in place.

CREATE TABLE platforms (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  -- Tokens carry the generation that they were made in; raising it revokes them all.
  token_generation integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  suspended_at timestamptz,
  deleting_at timestamptz,
  revoked_at timestamptz,
  publish_log boolean NOT NULL DEFAULT false
);
COMMENT ON COLUMN platforms.publish_log IS 'whether anybody may read its log, which tells how much is uploaded';
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

CREATE TABLE platform_limits (
  platform_id uuid PRIMARY KEY REFERENCES platforms ON DELETE CASCADE,
  max_bytes bigint,
  max_images bigint,
  max_users bigint,
  free_bytes bigint NOT NULL DEFAULT 0,
  free_images bigint NOT NULL DEFAULT 0,
  free_users bigint NOT NULL DEFAULT 0,
  CONSTRAINT platform_limits_max_check
    CHECK (max_bytes >= 0 AND max_images >= 0 AND max_users >= 0)
);
COMMENT ON TABLE platform_limits IS 'of platforms that have any; null is no limit';
COMMENT ON COLUMN platform_limits.free_bytes IS 'neither stored by a user nor granted to one';

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
  expires_at timestamptz NOT NULL,
  name text NOT NULL DEFAULT '',
  platform_ids uuid[],
  user_id uuid REFERENCES users ON DELETE CASCADE
);
COMMENT ON COLUMN console_codes.hash IS 'SHA-256 of a code that is exchanged once for a token';
COMMENT ON COLUMN console_codes.name IS 'of whom it signs in';
COMMENT ON COLUMN console_codes.platform_ids IS
  'those that its bearer may choose from; null: it signs in an administrator';
COMMENT ON COLUMN console_codes.user_id IS 'the user whom it signs in; null: somebody else';
CREATE INDEX console_codes_user ON console_codes (user_id);
