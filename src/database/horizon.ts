// Uncommitted entries cannot get a position below this one, since their transaction ids are at
// least that of the oldest open transaction (docs/adr/0035).
export const horizon = `
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + xid_offset FROM feed_clock`;
