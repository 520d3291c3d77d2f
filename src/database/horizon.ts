// Whatever is not committed yet will have a position that is not below this one: it has a transaction
// id that is at least as high as the oldest that is open (docs/adr/0035).
export const horizon = `
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + xid_offset FROM feed_clock`;
