-- What lets clients repeat requests safely, ask what has arrived (docs/adr/0016), resume (docs/adr/0019), and
-- give access to people without an account (docs/adr/0021).

-- Requests that have succeeded: a row for each piece of their answers, numbered from 0.
CREATE TABLE idempotency_keys (
  owner uuid NOT NULL,
  key text COLLATE "C" NOT NULL,
  piece integer NOT NULL,
  fingerprint bytea NOT NULL,
  answer bytea NOT NULL,
  is_last boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, key, piece)
);
COMMENT ON COLUMN idempotency_keys.owner IS 'the user or platform of the token';
COMMENT ON COLUMN idempotency_keys.fingerprint IS 'SHA-256 of the request as understood';
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

CREATE TABLE upload_sets (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL, -- no key to users: a set can have thousands of files
  title text,
  folder_id uuid REFERENCES folders ON DELETE SET NULL,
  expected integer NOT NULL,
  arrived integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  CONSTRAINT upload_sets_arrived_check CHECK (arrived <= expected),
  CONSTRAINT upload_sets_completed_check CHECK ((completed_at IS NOT NULL) = (arrived = expected))
);
CREATE INDEX upload_sets_newest ON upload_sets (user_id, created_at, id);
CREATE INDEX upload_sets_folder ON upload_sets (folder_id) WHERE folder_id IS NOT NULL;
CREATE INDEX upload_sets_open ON upload_sets (user_id, created_at) WHERE completed_at IS NULL;

CREATE TABLE upload_set_files (
  upload_set_id uuid NOT NULL REFERENCES upload_sets ON DELETE CASCADE,
  user_id uuid NOT NULL,
  hash bytea NOT NULL,
  position integer NOT NULL,
  arrived boolean NOT NULL,
  PRIMARY KEY (upload_set_id, hash)
);
COMMENT ON COLUMN upload_set_files.position IS 'among the hashes as they were given';
CREATE INDEX upload_set_files_missing ON upload_set_files (user_id, hash) WHERE NOT arrived;

CREATE TABLE resumable_uploads (
  id uuid PRIMARY KEY,
  platform_id uuid NOT NULL,
  user_id uuid NOT NULL,
  state text NOT NULL,
  length bigint NOT NULL,
  received bigint NOT NULL DEFAULT 0,
  pieces integer NOT NULL DEFAULT 0,
  metadata text,
  image_id uuid,
  error jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  CONSTRAINT resumable_uploads_state_check
    CHECK (state IN ('receiving', 'stored', 'refused', 'ended')),
  CONSTRAINT resumable_uploads_received_check CHECK (received <= length),
  FOREIGN KEY (user_id, platform_id) REFERENCES users (id, platform_id) ON DELETE CASCADE
);
COMMENT ON COLUMN resumable_uploads.received IS 'bytes of its pieces: what is durable of the file';
COMMENT ON COLUMN resumable_uploads.metadata IS 'Upload-Metadata, as it was sent';
COMMENT ON COLUMN resumable_uploads.image_id IS
  'what it was stored as, or as a version of; not a foreign key, since images are deleted';
CREATE INDEX resumable_uploads_user ON resumable_uploads (user_id, state, id);
CREATE INDEX resumable_uploads_expiry ON resumable_uploads (expires_at, id);
CREATE INDEX resumable_uploads_open ON resumable_uploads (received, length)
  WHERE state = 'receiving';
CREATE INDEX resumable_uploads_complete ON resumable_uploads (id)
  WHERE state = 'receiving' AND received = length;

CREATE TABLE resumable_pieces (
  key text PRIMARY KEY,
  upload_id uuid NOT NULL REFERENCES resumable_uploads ON DELETE CASCADE,
  start bigint NOT NULL,
  bytes bigint NOT NULL,
  UNIQUE (upload_id, start)
);
COMMENT ON TABLE resumable_pieces IS 'objects with what has arrived of uploads, in the order of start';

CREATE TABLE links (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  folder_id uuid,
  image_ids uuid[],
  secret_hash bytea NOT NULL,
  title text,
  message text,
  password_hash bytea,
  allow_download boolean NOT NULL,
  show_place boolean NOT NULL,
  is_paused boolean NOT NULL DEFAULT false,
  expires_at timestamptz NOT NULL,
  visits bigint NOT NULL DEFAULT 0,
  last_visit_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  sealed_secret bytea,
  CONSTRAINT links_kind_check CHECK (kind IN ('view', 'request')),
  CONSTRAINT links_target_check CHECK ((folder_id IS NULL) <> (image_ids IS NULL)),
  CONSTRAINT links_secret_hash_key UNIQUE (secret_hash)
);
COMMENT ON COLUMN links.folder_id
  IS 'not a foreign key: a link to a deleted folder stays, and opens nothing';
COMMENT ON COLUMN links.image_ids IS 'in the order given; those of deleted images stay, and open nothing';
COMMENT ON COLUMN links.secret_hash IS 'SHA-256 of the part of the URL that gives access';
COMMENT ON COLUMN links.password_hash IS 'salt (16 bytes) and scrypt of the password (32 bytes)';
COMMENT ON COLUMN links.deleted_at
  IS 'kept for a while without its content, to tell that it ended from that it never was';
COMMENT ON COLUMN links.sealed_secret
  IS 'the part of the URL that gives access, encrypted with the master key; null: it is not shown again';
CREATE INDEX links_newest ON links (user_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX links_ended ON links (user_id, deleted_at) WHERE deleted_at IS NOT NULL;

-- What has arrived through links, so that a repeat makes no second image.
CREATE TABLE link_arrivals (
  link_id uuid NOT NULL REFERENCES links ON DELETE CASCADE,
  hash bytea NOT NULL,
  image_id uuid NOT NULL,
  PRIMARY KEY (link_id, hash)
);
COMMENT ON COLUMN link_arrivals.image_id IS 'not a foreign key: it arrived, whatever became of it';
CREATE INDEX link_arrivals_image ON link_arrivals (link_id, image_id);
