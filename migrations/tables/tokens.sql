-- Narrow tokens: access tokens that may do less, each with a name. What they may is in the tokens, too.
CREATE TABLE narrow_tokens (
  id uuid PRIMARY KEY,
  platform_id uuid REFERENCES platforms ON DELETE CASCADE,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  allow text[] NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz
);
COMMENT ON TABLE narrow_tokens IS
  'those that have ended stay for as long as audit and change feed may name them';
COMMENT ON COLUMN narrow_tokens.platform_id IS 'null, with user_id: an administrator''s';
COMMENT ON COLUMN narrow_tokens.last_used_at IS 'to the hour';
CREATE INDEX narrow_tokens_user ON narrow_tokens (user_id, id);
CREATE INDEX narrow_tokens_platform ON narrow_tokens (platform_id, id);
