-- Platforms' own identity providers: whose tokens are users (docs/adr/0027).
CREATE TABLE identities (
  platform_id uuid PRIMARY KEY REFERENCES platforms ON DELETE CASCADE,
  -- Like a generation: what was concluded from the identity before ends.
  id uuid NOT NULL,
  issuer text NOT NULL,
  audience text NOT NULL,
  jwks_url text,
  jwks jsonb,
  user_claim text NOT NULL,
  create_users boolean NOT NULL,
  allow text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT identities_token UNIQUE (issuer, audience)
);
COMMENT ON COLUMN identities.id IS 'another one with every change';

CREATE TABLE former_users (
  id uuid PRIMARY KEY,
  platform_id uuid NOT NULL REFERENCES platforms ON DELETE CASCADE,
  hash bytea,
  deleted_at timestamptz NOT NULL
);
COMMENT ON TABLE former_users IS
  'who was deleted: signed URLs of their files have ended, and tokens from before make none of them anew';
COMMENT ON COLUMN former_users.hash IS
  'SHA-256 of the platform_user_id; null if the platform had no identity then';
CREATE INDEX former_users_name ON former_users (platform_id, hash);
CREATE INDEX former_users_oldest ON former_users (deleted_at);
