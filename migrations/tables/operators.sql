-- The installation itself, and what its operators do and find.

-- One row: which installation this database belongs to, which object store it uses, and how far a move
-- to another one has come.
CREATE TABLE instance (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  store text NOT NULL DEFAULT 'local' CHECK (store IN ('local', 's3')),
  second_store text CHECK (second_store IN ('local', 's3') AND second_store <> store),
  moving boolean NOT NULL DEFAULT false CHECK (NOT moving OR second_store IS NOT NULL),
  move_started_at timestamptz,
  moved_up_to uuid,
  read_only_since timestamptz
);
COMMENT ON COLUMN instance.second_store IS
  'while moving: where objects go to; afterwards: where they came from, until that is cleared';
COMMENT ON COLUMN instance.moved_up_to IS 'id of the last version whose objects were copied';
COMMENT ON COLUMN instance.read_only_since IS 'maintenance: every node refuses changes; null outside of it';

CREATE TABLE audit_acts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  act text NOT NULL,
  actor text NOT NULL,
  operator text,
  token_id uuid,
  platform_id uuid,
  user_id uuid,
  details jsonb
);
COMMENT ON TABLE audit_acts IS 'what administrators did; stays when platform or user are deleted';
COMMENT ON COLUMN audit_acts.operator IS 'user of the operating system, from the terminal';
CREATE INDEX audit_acts_at ON audit_acts (at, id);

CREATE TABLE erasures (
  platform_id uuid PRIMARY KEY,
  requested_at timestamptz NOT NULL DEFAULT now(),
  rows_deleted_at timestamptz,
  objects_deleted_at timestamptz,
  users bigint NOT NULL DEFAULT 0,
  folders bigint NOT NULL DEFAULT 0,
  images bigint NOT NULL DEFAULT 0,
  versions bigint NOT NULL DEFAULT 0,
  objects bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0
);
COMMENT ON TABLE erasures IS 'what was deleted with each platform; counts alone, kept for good';
COMMENT ON COLUMN erasures.bytes IS 'of originals and edits';

-- The last run of each scope: whether all objects are in place, and whether their bytes are right.
CREATE TABLE verifications (
  scope text PRIMARY KEY,
  began_at timestamptz NOT NULL,
  ended_at timestamptz,
  versions bigint NOT NULL DEFAULT 0,
  objects bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT verifications_scope_check CHECK (scope IN ('objects', 'contents'))
);
COMMENT ON COLUMN verifications.ended_at IS
  'of the last run that came to its end; before began_at while one is under way, or when it was killed';

-- One row: how far the bytes have been read. Each run goes on where the one before it stopped.
CREATE TABLE content_rounds (
  singleton boolean PRIMARY KEY DEFAULT true,
  began_at timestamptz NOT NULL DEFAULT now(),
  up_to uuid,
  versions bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  last_began_at timestamptz,
  last_ended_at timestamptz,
  CONSTRAINT content_rounds_singleton_check CHECK (singleton)
);
COMMENT ON COLUMN content_rounds.up_to IS 'the last version read in this round; null before the first';
COMMENT ON COLUMN content_rounds.last_ended_at IS 'when all versions had been read once more';
INSERT INTO content_rounds DEFAULT VALUES;

CREATE TABLE verification_findings (
  key text PRIMARY KEY,
  kind text NOT NULL,
  expected bigint,
  found bigint,
  reason text,
  found_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE verification_findings IS
  'objects that were wrong when they were last looked at, as far as there is room for them';
