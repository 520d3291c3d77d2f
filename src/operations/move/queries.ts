import type { StoreKind } from '../../database/instance.js';
import { row, rows } from '../../database/sql.js';
import type { Queryable } from '../../database/sql.js';

/** Sends new objects to `to` from now on; says nothing new to a move that is under way. */
export const beginMove = (db: Queryable, to: StoreKind): Promise<unknown> =>
  rows(
    db,
    `UPDATE instance SET second_store = $1, moving = true, move_started_at = now(), moved_up_to = NULL
     WHERE NOT moving`,
    [to],
  );

/** Id of the last version whose objects are known to have been copied. */
export async function selectProgress(db: Queryable): Promise<string | null> {
  return (
    (await row<{ id: string | null }>(db, 'SELECT moved_up_to AS id FROM instance'))?.id ?? null
  );
}

export const saveProgress = (db: Queryable, versionId: string): Promise<unknown> =>
  rows(db, 'UPDATE instance SET moved_up_to = $1', [versionId]);

/** Makes the store that objects went to the one in use; the old one stays as the second. */
export const finishMove = (db: Queryable): Promise<unknown> =>
  rows(
    db,
    `UPDATE instance SET store = second_store, second_store = store, moving = false,
                         moved_up_to = NULL
     WHERE moving`,
  );

export const forgetSecondStore = (db: Queryable): Promise<unknown> =>
  rows(db, 'UPDATE instance SET second_store = NULL, move_started_at = NULL WHERE NOT moving');

/**
 * The id before the first version that an upload may have stored in the old store after the move
 * began: one that was under way for an hour at most. Ids of version 7 begin with their time.
 */
export async function selectFirstDoubtful(db: Queryable): Promise<string> {
  const found = await row<{ id: string }>(
    db,
    `SELECT rpad(lpad(to_hex((extract(epoch FROM move_started_at - interval '1 hour') * 1000)::bigint),
                      12, '0'), 32, '0')::uuid AS id
     FROM instance`,
  );
  if (!found) throw new Error('there is no instance');
  return found.id;
}

export async function countVersions(db: Queryable): Promise<number> {
  const counted = await row<{ n: number }>(db, 'SELECT count(*)::int AS n FROM image_versions');
  return counted?.n ?? 0;
}
