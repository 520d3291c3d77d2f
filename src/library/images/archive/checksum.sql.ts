import { rows } from '../../../database/sql.js';
import type { Queryable } from '../../../database/sql.js';

/** Stored in place of a CRC-32 for a version whose object was missing. */
export const missingObject = -1;

/** The stored CRC-32 of versions, by version id. */
export async function selectChecksums(
  db: Queryable,
  versionIds: readonly string[],
): Promise<Map<string, number>> {
  const kept = await rows<{ id: string; crc32: number }>(
    db,
    `SELECT id, crc32::float8 AS crc32 FROM image_versions
     WHERE id = ANY ($1::uuid[]) AND crc32 IS NOT NULL`,
    [versionIds],
  );
  return new Map(kept.map(({ id, crc32 }) => [id, crc32]));
}

/**
 * Stores computed checksums. Skips locked versions, such as those being deleted, so that nothing
 * waits here.
 */
export const keepChecksums = (
  db: Queryable,
  checksums: ReadonlyMap<string, number>,
): Promise<unknown> =>
  rows(
    db,
    `WITH free AS (
       SELECT v.id, known.crc32
       FROM unnest($1::uuid[], $2::bigint[]) AS known (id, crc32) JOIN image_versions v USING (id)
       ORDER BY v.id FOR NO KEY UPDATE OF v SKIP LOCKED
     )
     UPDATE image_versions v SET crc32 = free.crc32 FROM free WHERE v.id = free.id`,
    [[...checksums.keys()], [...checksums.values()]],
  );
