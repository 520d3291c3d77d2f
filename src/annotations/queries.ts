import { row, rows } from '../database/sql.js';
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

/** An annotation, as its path tells it: whose, on which image, and which. */
export interface AnnotationKey {
  readonly userId: string;
  readonly imageId: string;
  readonly id: string;
}

// What is assigned is what makes the row newer, if it differs.
const touched = (changed: string): string =>
  `updated_at = CASE WHEN ${changed} THEN greatest(now(), updated_at) ELSE updated_at END`;

const thisOne = 'WHERE id = $1 AND image_id = $2 AND user_id = $3';

/** Sets what is given. @returns the memo, or undefined when the image has no such memo. */
export const updateMemo = (
  db: Queryable,
  { id, imageId, userId }: AnnotationKey,
  { message, isClient }: { message?: string; isClient?: boolean },
): Promise<{ id: string } | undefined> =>
  row(
    db,
    `UPDATE memos
     SET message = coalesce($4, message), is_client = coalesce($5, is_client),
         ${touched('(coalesce($4, message), coalesce($5, is_client)) <> (message, is_client)')}
     ${thisOne} RETURNING id`,
    [id, imageId, userId, message, isClient],
  );

/** @returns undefined when the image has no such memo. */
export const deleteMemo = (
  db: Queryable,
  { id, imageId, userId }: AnnotationKey,
): Promise<{ id: string } | undefined> =>
  row(db, `DELETE FROM memos ${thisOne} RETURNING id`, [id, imageId, userId]);

export const insertCustom = (
  db: Queryable,
  { id, imageId, userId }: AnnotationKey,
  { key, value }: { key: string; value: string },
): Promise<CustomRow | undefined> =>
  row(
    db,
    `INSERT INTO customs (id, image_id, user_id, key, value) VALUES ($1, $2, $3, $4, $5)
     RETURNING ${common}, key, value`,
    [id, imageId, userId, key, value],
  );

/** Sets what is given. @returns undefined when the image has no such custom. */
export const updateCustom = (
  db: Queryable,
  { id, imageId, userId }: AnnotationKey,
  { key, value }: { key?: string; value?: string },
): Promise<CustomRow | undefined> =>
  row(
    db,
    `UPDATE customs
     SET key = coalesce($4, key), value = coalesce($5, value),
         ${touched('(coalesce($4, key), coalesce($5, value)) <> (key, value)')}
     ${thisOne} RETURNING ${common}, key, value`,
    [id, imageId, userId, key, value],
  );

/** @returns undefined when the image has no such custom. */
export const deleteCustom = (
  db: Queryable,
  { id, imageId, userId }: AnnotationKey,
): Promise<CustomRow | undefined> =>
  row(db, `DELETE FROM customs ${thisOne} RETURNING ${common}, key, value`, [id, imageId, userId]);
