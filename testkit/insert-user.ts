import type { DataSource } from 'typeorm';
import { rows, type Queryable } from '../src/database/sql.js';
import { deleteUser, finishChanges } from '../src/library/tree/bulk-changes.js';

/** Inserts a user, and a platform unless one is given, into a database that no service uses. */
export async function insertUser(
  db: Queryable,
  platform?: string,
): Promise<{ platformId: string; userId: string }> {
  const [platformId, userId] = [platform ?? crypto.randomUUID(), crypto.randomUUID()];
  await rows(db, `INSERT INTO platforms (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [
    platformId,
    platformId,
  ]);
  await rows(
    db,
    `INSERT INTO users (id, platform_id, platform_user_id, max_storage_bytes)
     VALUES ($1, $2, $3, 1)`,
    [userId, platformId, userId],
  );
  return { platformId, userId };
}

/** Deletes a user with all rows, as a request does. */
export async function removeUser(db: DataSource, userId: string): Promise<void> {
  const { left } = await db.transaction((tx) => deleteUser(tx, userId));
  await finishChanges(db, left);
}
