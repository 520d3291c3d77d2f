-- What the tables of 0.3.0 lack of those in tables/. The rules are made anew: all of those before go, but for
-- the functions that columns and indexes are made with.
DO $do$
DECLARE
  before CONSTANT text[] := ARRAY[
    'account_for_images', 'admit_text', 'change_actor', 'change_annotation_totals', 'count_announced',
    'count_at_place', 'count_in_ranges', 'count_one_in_range', 'customs_action', 'feed_position',
    'fill_map_cells', 'folder_is_open', 'folders_action', 'forget_annotation_totals', 'forget_changes',
    'forget_idempotency_keys', 'forget_map', 'gather_bits', 'images_action', 'keep_image_texts',
    'keep_image_totals', 'keep_places', 'make_first_range', 'map_cell', 'map_x', 'map_y', 'memos_action',
    'merge_changes', 'newest_at_place', 'note_arrivals', 'note_platform_cell', 'places_near',
    'platform_is_limited', 'post_annotation', 'post_change', 'post_changes', 'post_folders',
    'post_image_changes', 'post_image_versions', 'post_link', 'post_to_user', 'post_upload_sets',
    'post_user', 'rebuild_map', 'reclaim_pieces', 'reclaim_versions', 'redraw_map', 'renew_newest',
    'searchable_address', 'searchable_filename', 'settle_platform', 'split_image_range',
    'split_taken_range', 'spread_bits', 'sum_platform_cells', 'sum_within', 'take_room', 'take_user',
    'total_customs', 'total_memos'];
  rule regprocedure;
BEGIN
  FOR rule IN
    SELECT p.oid::regprocedure FROM pg_proc p
    WHERE p.pronamespace = current_schema()::regnamespace AND p.proname = ANY (before)
  LOOP
    EXECUTE format('DROP FUNCTION %s CASCADE', rule);
  END LOOP;
END $do$;
DROP TYPE image_change;

-- Positions are found by counting in an index (docs/adr/0005).
DROP TABLE walks, image_ranges, taken_ranges;

-- One index for what three had, by the trash alone, and none for orders that are sorted, or for keys that another
-- serves.
DROP INDEX folders_parent_key, images_newest, images_newest_active, images_newest_trashed, images_taken,
  images_taken_active, images_taken_trashed, images_trash, images_folder, images_folder_key, images_folder_taken,
  images_folder_updated, images_folder_name;
CREATE INDEX images_folder ON images (user_id, folder_id, created_at, id)
  INCLUDE (deleted_at, bytes, taken_at);
CREATE INDEX images_newest ON images (user_id, created_at DESC, id DESC) INCLUDE (deleted_at, bytes, has_det);
CREATE INDEX images_trash ON images (user_id, created_at DESC, id DESC) INCLUDE (deleted_at, taken_at)
  WHERE deleted_at IS NOT NULL;
CREATE INDEX images_taken ON images (user_id, (coalesce(taken_at, created_at)) DESC, id DESC)
  INCLUDE (deleted_at, created_at, taken_at, has_det);

-- A deleted user or folder is gone at once, and its rows follow in batches.
ALTER TABLE folders DROP CONSTRAINT folders_user_id_fkey, ADD COLUMN deleting_at timestamptz;
COMMENT ON COLUMN folders.deleting_at IS
  'since when its images are being deleted in batches, and it with them: nobody sees it any more';
ALTER TABLE images DROP CONSTRAINT images_user_id_platform_id_fkey;
ALTER TABLE upload_sets DROP CONSTRAINT upload_sets_user_id_fkey;

-- What is deleted waits, so that a backup made meanwhile is complete (docs/adr/0002).
DROP INDEX object_reclaim_due;
ALTER TABLE object_reclaim ADD COLUMN waits boolean NOT NULL DEFAULT false,
  ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN object_reclaim.waits IS
  'whether a row referred to it until not_before: it stays for store.deletion_delay_hours, for backups';
COMMENT ON COLUMN object_reclaim.bytes IS 'what the quota counted, on the original of a version that waits';
CREATE INDEX object_reclaim_due ON object_reclaim (waits, not_before);
-- Who made a change is told by a default, as is by which token.
ALTER TABLE changes ALTER COLUMN actor SET DEFAULT
  coalesce(array_position('{user,platform,admin,system}', current_setting('imgstore.actor', true)), 1);
-- The chain of custody has tables of its own.
ALTER TABLE changes DROP COLUMN digest;
ALTER TABLE platforms ADD COLUMN publish_log boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN platforms.publish_log IS 'whether anybody may read its log, which tells how much is uploaded';
-- Archives need no checksums that are kept (docs/adr/0004).
ALTER TABLE image_versions DROP COLUMN crc32;

COMMENT ON COLUMN changes.token_id IS 'jti of the token, or id of its session; null for the terminal and for jobs';

-- Codes are of people, some of whom are no administrators.
ALTER TABLE console_codes ADD COLUMN name text NOT NULL DEFAULT '', ADD COLUMN platform_ids uuid[],
  ADD COLUMN user_id uuid REFERENCES users ON DELETE CASCADE;
COMMENT ON COLUMN console_codes.hash IS 'SHA-256 of a code that is exchanged once for a token';
COMMENT ON COLUMN console_codes.name IS 'of whom it signs in';
COMMENT ON COLUMN console_codes.platform_ids IS
  'those that its bearer may choose from; null: it signs in an administrator';
COMMENT ON COLUMN console_codes.user_id IS 'the user whom it signs in; null: somebody else';
CREATE INDEX console_codes_user ON console_codes (user_id);

ALTER TABLE webhooks ADD COLUMN made_with jsonb;
COMMENT ON COLUMN webhooks.made_with IS 'id and name of the narrow token or session that made it';

-- The address of a link can be copied again.
ALTER TABLE links ADD COLUMN sealed_secret bytea;
COMMENT ON COLUMN links.sealed_secret
  IS 'the part of the URL that gives access, encrypted with the master key; null: it is not shown again';

DELETE FROM migrations;

-- Maintenance, and what jobs have run on any node.
ALTER TABLE instance ADD COLUMN read_only_since timestamptz;
COMMENT ON COLUMN instance.read_only_since IS 'maintenance: every node refuses changes; null outside of it';
