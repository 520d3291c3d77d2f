import { rows, type Queryable } from '../src/database/sql.js';

/** Inserts usage events of one upload at each of these times. */
export async function uploadedAt(
  db: Queryable,
  user: { id: string; platformId: string },
  moments: readonly string[],
  bytes = 1_048_576,
): Promise<void> {
  await rows(
    db,
    `INSERT INTO usage_events (platform_id, user_id, occurred_at, upload_camera, upload_gallery,
       upload_request, edits, deletions, active_images, original_bytes, latest_bytes, stored_bytes)
     SELECT $1, $2, moment::timestamptz, 0, 1, 0, 0, 0, 1, $4::bigint, $4, $4
     FROM unnest($3::text[]) AS moment`,
    [user.platformId, user.id, moments, bytes],
  );
}

/** The number of events that are not rolled up yet. */
export async function freshEvents(db: Queryable, platformId: string): Promise<number> {
  const sql = `SELECT FROM usage_events WHERE platform_id = $1 AND NOT rolled_up`;
  return (await rows(db, sql, [platformId])).length;
}
