-- The chain of custody (docs/adr/0028): what has happened to images, as leaves of a log of their platform.

-- Without them, what the log says of a user's images is random. Apart from what they are for, and destroyed with
-- the user.
CREATE TABLE custody_salts (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  salt bytea NOT NULL DEFAULT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
);
INSERT INTO custody_salts (user_id) SELECT id FROM users;

-- What the logs have yet to take in, in the order of the feed. Written with each change, by triggers.
CREATE TABLE custody_entries (
  feed_position bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  platform_id uuid NOT NULL,
  image_id uuid NOT NULL,
  at timestamptz NOT NULL,
  kinds text NOT NULL,
  state text NOT NULL,
  address text,
  digest bytea,
  PRIMARY KEY (feed_position, id)
);
COMMENT ON COLUMN custody_entries.kinds IS 'what happened, in words; with a hold, its id';
COMMENT ON COLUMN custody_entries.state IS 'of the image afterwards; empty once it is deleted';
COMMENT ON COLUMN custody_entries.address IS 'as JSON, if it is new; the state has its hash';
COMMENT ON COLUMN custody_entries.digest IS 'of all of that, salted; null for deletions';

CREATE TABLE custody_logs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  platform_id uuid NOT NULL REFERENCES platforms ON DELETE CASCADE,
  origin text NOT NULL UNIQUE,
  key text NOT NULL,
  size bigint NOT NULL,
  checkpoint text NOT NULL,
  ended_at timestamptz,
  announced_size bigint NOT NULL DEFAULT 0,
  announced_at timestamptz NOT NULL DEFAULT '-infinity',
  stamp_tried_at timestamptz NOT NULL DEFAULT '-infinity',
  stamp_error text
);
COMMENT ON COLUMN custody_logs.announced_size IS 'what it had when webhooks were last told';
COMMENT ON COLUMN custody_logs.stamp_tried_at IS 'when a time stamp was last asked for';
COMMENT ON COLUMN custody_logs.stamp_error IS 'why there was none';
COMMENT ON COLUMN custody_logs.origin IS 'its name in checkpoints, and that of its key';
COMMENT ON COLUMN custody_logs.key IS 'what verifies its checkpoints; that which signs is not in the database';
COMMENT ON COLUMN custody_logs.checkpoint IS 'the newest, signed';
COMMENT ON COLUMN custody_logs.ended_at IS 'since when another one takes in what happens; null: it does';
CREATE UNIQUE INDEX custody_logs_current ON custody_logs (platform_id) WHERE ended_at IS NULL;
CREATE INDEX custody_logs_platform ON custody_logs (platform_id, id);

CREATE TABLE custody_tiles (
  log_id bigint NOT NULL REFERENCES custody_logs ON DELETE CASCADE,
  level smallint NOT NULL,
  n bigint NOT NULL,
  platform_id uuid NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (log_id, level, n)
);
ALTER TABLE custody_tiles ALTER data SET STORAGE EXTERNAL;
COMMENT ON COLUMN custody_tiles.level IS 'as in c2sp.org/tlog-tiles; -1 for bundles of entries';

-- Checkpoints that a service of RFC 3161 has stamped.
CREATE TABLE custody_stamps (
  log_id bigint NOT NULL REFERENCES custody_logs ON DELETE CASCADE,
  size bigint NOT NULL,
  platform_id uuid NOT NULL,
  checkpoint text NOT NULL,
  token bytea NOT NULL,
  certificates bytea,
  PRIMARY KEY (log_id, size)
);
COMMENT ON COLUMN custody_stamps.token IS 'without certificates';
COMMENT ON COLUMN custody_stamps.certificates IS 'null: those of the time stamp before';
CREATE INDEX custody_stamps_certificates ON custody_stamps (log_id, size) WHERE certificates IS NOT NULL;

-- What the leaves of an image say, which is forgotten when it is deleted for good.
CREATE TABLE custody_history (
  image_id uuid NOT NULL,
  log_id bigint NOT NULL,
  leaf bigint NOT NULL,
  at timestamptz NOT NULL,
  kinds text NOT NULL,
  state text NOT NULL,
  address text,
  hash bytea NOT NULL,
  PRIMARY KEY (image_id, log_id, leaf)
);
COMMENT ON COLUMN custody_history.leaf IS 'its index in the log';
COMMENT ON COLUMN custody_history.hash IS 'of the leaf; the next one of the image has it';

-- How far images that the logs do not know have been looked for; no row once that is done.
CREATE TABLE custody_scan (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  after uuid NOT NULL
);
INSERT INTO custody_scan (after)
SELECT '00000000-0000-0000-0000-000000000000' WHERE EXISTS (SELECT FROM images);
