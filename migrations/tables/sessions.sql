-- Sign-ins with a name: who signed in, on what. A session lasts as long as a refresh token of its family, whose
-- id it has.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  platform_id uuid REFERENCES platforms ON DELETE CASCADE,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  device text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE sessions IS
  'those that have ended stay for as long as audit and change feed may name them';
COMMENT ON COLUMN sessions.platform_id IS 'null, with user_id: an administrator''s';
COMMENT ON COLUMN sessions.name IS 'of the person, as audit and change feed call them';
COMMENT ON COLUMN sessions.last_used_at IS 'to the hour, once that after its creation has begun';
CREATE INDEX sessions_user ON sessions (user_id, id);
CREATE INDEX sessions_platform ON sessions (platform_id, id);
