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

DELETE FROM migrations;
