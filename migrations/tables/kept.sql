-- What is kept about images, all of it by triggers: whatever statement changes images, the accounts change in
-- the same transaction (docs/adr/0003). Where counts are in no index and pages have room (the fillfactor), a
-- change of counts is a change in place.

-- Append-only but for the mark. Byte and image figures are differences: their sum up to a moment
-- is the state at that moment.
CREATE TABLE usage_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  platform_id uuid NOT NULL REFERENCES platforms ON DELETE CASCADE,
  user_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL DEFAULT now(),
  upload_camera integer NOT NULL,
  upload_gallery integer NOT NULL,
  upload_request integer NOT NULL,
  edits integer NOT NULL,
  deletions integer NOT NULL,
  active_images integer NOT NULL,
  original_bytes bigint NOT NULL,
  latest_bytes bigint NOT NULL,
  stored_bytes bigint NOT NULL,
  rolled_up boolean NOT NULL DEFAULT false
);
COMMENT ON COLUMN usage_events.latest_bytes IS 'originals, plus the latest edit of each edited image';
COMMENT ON COLUMN usage_events.rolled_up IS 'counted in daily_stats';
CREATE INDEX usage_events_platform ON usage_events (platform_id, occurred_at);
CREATE INDEX usage_events_fresh ON usage_events (platform_id, occurred_at) WHERE NOT rolled_up;

-- The ledger summed per day of the configured time zone, by the nightly job.
CREATE TABLE daily_stats (
  platform_id uuid NOT NULL REFERENCES platforms ON DELETE CASCADE,
  day date NOT NULL,
  upload_camera integer NOT NULL,
  upload_gallery integer NOT NULL,
  upload_request integer NOT NULL,
  edits integer NOT NULL,
  deletions integer NOT NULL,
  active_images integer NOT NULL,
  original_bytes bigint NOT NULL,
  latest_bytes bigint NOT NULL,
  stored_bytes bigint NOT NULL,
  PRIMARY KEY (platform_id, day)
);

-- One row, made by the first roll-up: daily statistics serve reads in that zone alone.
CREATE TABLE stats_roll_up (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  zone text NOT NULL
);
COMMENT ON COLUMN stats_roll_up.zone IS 'of the days in daily_stats; another one: made anew';

CREATE TABLE image_totals (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  has_det text NOT NULL,
  located boolean NOT NULL,
  in_folder boolean NOT NULL,
  active_images integer NOT NULL DEFAULT 0,
  trashed_images integer NOT NULL DEFAULT 0,
  active_bytes bigint NOT NULL DEFAULT 0,
  trashed_bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, has_det, located, in_folder)
) WITH (fillfactor = 80);
COMMENT ON TABLE image_totals IS 'at most twelve rows per user; those without images may be missing';
COMMENT ON COLUMN image_totals.has_det IS 'true, false, or none for images without a value';

CREATE TABLE folder_totals (
  folder_id uuid NOT NULL PRIMARY KEY,
  user_id uuid NOT NULL,
  active_images integer NOT NULL DEFAULT 0,
  trashed_images integer NOT NULL DEFAULT 0,
  active_bytes bigint NOT NULL DEFAULT 0,
  trashed_bytes bigint NOT NULL DEFAULT 0,
  FOREIGN KEY (folder_id, user_id) REFERENCES folders (id, user_id) ON DELETE CASCADE
) WITH (fillfactor = 80);
COMMENT ON TABLE folder_totals IS
  'images directly in a folder; folders that never had any may be missing';

-- No foreign key: a cascade would subtract from the user's row once per image, in time that grows with
-- the square. A trigger on images does so once per statement.
CREATE TABLE annotation_totals (
  image_id uuid PRIMARY KEY,
  memos integer NOT NULL DEFAULT 0,
  customs integer NOT NULL DEFAULT 0,
  text_bytes bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
COMMENT ON TABLE annotation_totals IS 'images without a row have never had a memo or custom';
COMMENT ON COLUMN annotation_totals.text_bytes IS 'of messages, keys and values, in UTF-8';

CREATE TABLE places (
  user_id uuid NOT NULL,
  cell bigint NOT NULL,
  location geography(Point, 4326) NOT NULL,
  active_images integer NOT NULL,
  trashed_images integer NOT NULL,
  active_bytes bigint NOT NULL,
  trashed_bytes bigint NOT NULL,
  active_at timestamptz,
  active_id uuid,
  trashed_at timestamptz,
  trashed_id uuid,
  uploaded_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, cell, location)
);
COMMENT ON COLUMN places.active_id IS 'newest image that is not in the trash; made at active_at';
COMMENT ON COLUMN places.trashed_id IS 'newest image in the trash; made at trashed_at';
COMMENT ON COLUMN places.uploaded_at IS 'no image there was uploaded after this';
-- A page of places is read from these alone: places by their newest image, and those that uploads
-- have come to since paging began.
CREATE INDEX places_active ON places (user_id, active_at DESC, active_id DESC)
  WHERE active_id IS NOT NULL;
CREATE INDEX places_trashed ON places (user_id, trashed_at DESC, trashed_id DESC)
  WHERE trashed_id IS NOT NULL;
CREATE INDEX places_uploaded ON places (user_id, uploaded_at);

CREATE TABLE map_cells (
  user_id uuid NOT NULL,
  zoom smallint NOT NULL,
  cell bigint NOT NULL,
  x integer NOT NULL,
  y integer NOT NULL,
  places integer NOT NULL,
  active_places integer NOT NULL,
  trashed_places integer NOT NULL,
  active_images integer NOT NULL,
  trashed_images integer NOT NULL,
  active_bytes bigint NOT NULL,
  trashed_bytes bigint NOT NULL,
  platform_id uuid NOT NULL,
  active_at timestamptz,
  active_id uuid,
  active_cell bigint,
  PRIMARY KEY (user_id, zoom, cell)
) WITH (fillfactor = 80);
COMMENT ON TABLE map_cells IS 'sums of places by the tile zoom/x/y; zoom 0 has all of a user';
COMMENT ON COLUMN map_cells.cell IS 'the first cell of zoom 26 in the tile';
COMMENT ON COLUMN map_cells.active_id IS
  'newest image that is not in the trash; made at active_at, in the cell active_cell of zoom 26';
-- All users' cells in a tile are one range.
CREATE INDEX map_cells_platform ON map_cells (platform_id, zoom, cell);

CREATE TABLE platform_cells (
  platform_id uuid NOT NULL,
  zoom smallint NOT NULL,
  cell bigint NOT NULL,
  x integer NOT NULL,
  y integer NOT NULL,
  active_images integer NOT NULL,
  active_at timestamptz,
  active_id uuid,
  active_cell bigint,
  PRIMARY KEY (platform_id, zoom, cell)
) WITH (fillfactor = 80);
COMMENT ON TABLE platform_cells IS
  'sums of map_cells of all users of a platform; platform_cell_changes has to be added';

CREATE TABLE platform_cell_changes (
  platform_id uuid NOT NULL,
  cell bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  active_images integer NOT NULL,
  active_at timestamptz,
  active_id uuid,
  PRIMARY KEY (platform_id, cell, id)
);
COMMENT ON COLUMN platform_cell_changes.cell IS 'of zoom 26';
COMMENT ON COLUMN platform_cell_changes.active_images IS 'how many more there are';
COMMENT ON COLUMN platform_cell_changes.active_id IS
  'image made at active_at that may be the newest there';
