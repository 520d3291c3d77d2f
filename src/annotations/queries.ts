import { rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';

interface AnnotationRow {
  readonly id: string;
  readonly imageId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface MemoRow extends AnnotationRow {
  readonly message: string;
  readonly isClient: boolean;
}

export interface CustomRow extends AnnotationRow {
  readonly key: string;
  readonly value: string;
}

const common = `id, image_id AS "imageId", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Memos of these images, oldest first. */
export const selectMemos = (db: Queryable, imageIds: readonly string[]): Promise<MemoRow[]> =>
  rows(
    db,
    `SELECT ${common}, message, is_client AS "isClient" FROM memos
     WHERE image_id = ANY ($1::uuid[]) ORDER BY created_at, id`,
    [imageIds],
  );

/** Customs of these images, oldest first. */
export const selectCustoms = (db: Queryable, imageIds: readonly string[]): Promise<CustomRow[]> =>
  rows(
    db,
    `SELECT ${common}, key, value FROM customs
     WHERE image_id = ANY ($1::uuid[]) ORDER BY created_at, id`,
    [imageIds],
  );

export const insertMemo = (
  db: Queryable,
  memo: { id: string; userId: string; imageId: string; message: string; isClient: boolean },
): Promise<unknown> =>
  rows(
    db,
    `INSERT INTO memos (id, user_id, image_id, message, is_client) VALUES ($1, $2, $3, $4, $5)`,
    [memo.id, memo.userId, memo.imageId, memo.message, memo.isClient],
  );
