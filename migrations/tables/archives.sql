-- Addresses of archives and ledgers; the token that one was made with ends it, too.
CREATE TABLE archives (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  filter jsonb NOT NULL,
  image_ids uuid[],
  ledger jsonb,
  token jsonb NOT NULL,
  expires_at timestamptz NOT NULL
);
COMMENT ON COLUMN archives.image_ids IS 'null: the images of the list that filter chooses';
COMMENT ON COLUMN archives.ledger IS 'how a ledger looks; null: an archive';
CREATE INDEX archives_user ON archives (user_id);
