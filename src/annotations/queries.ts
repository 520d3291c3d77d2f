import { instantText, row, rows } from '../database/sql.js';
import type { Queryable } from '../database/sql.js';
import type { PageStart, Timed } from '../paging/paged.js';
import { told } from './limits.js';
import type { AnnotationLimits } from './limits.js';

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

const after = (table: string, columns: string): string =>
  `SELECT ${common}, ${columns}, ${instantText('created_at')} AS "sortTime" FROM ${table}
   WHERE image_id = $1
     AND ($2::timestamptz IS NULL OR (created_at, id) > ($2::timestamptz, $3::uuid))
   ORDER BY created_at, id LIMIT $4`;

/** Memos of an image behind one of them, oldest first. */
export const selectMemosAfter = (
  db: Queryable,
  imageId: string,
  { last, limit }: PageStart<Timed<MemoRow>>,
): Promise<Timed<MemoRow>[]> =>
  rows(db, after('memos', 'message, is_client AS "isClient"'), [
    ...[imageId, last?.sortTime, last?.id, limit],
  ]);

/** Customs of an image behind one of them, oldest first. */
export const selectCustomsAfter = (
  db: Queryable,
  imageId: string,
  { last, limit }: PageStart<Timed<CustomRow>>,
): Promise<Timed<CustomRow>[]> =>
  rows(db, after('customs', 'key, value'), [imageId, last?.sortTime, last?.id, limit]);

/** Of those of these images that have, or had, any: how many, and the bytes of their text. */
export const selectTotals = (
  db: Queryable,
  imageIds: readonly string[],
): Promise<{ imageId: string; entries: number; textBytes: number }[]> =>
  rows(
    db,
    `SELECT image_id AS "imageId", memos + customs AS entries, text_bytes AS "textBytes"
     FROM annotation_totals WHERE image_id = ANY ($1::uuid[])`,
    [imageIds],
  );

// The triggers that keep an image's totals refuse what goes past these limits; they are of this
// statement, or of the rest of the transaction that it is part of.
const within = (limits: string): string =>
  `set_config('imgstore.annotation_limits', ${limits}, true) <> ''`;

/** @throws a violated check past a limit, a foreign-key violation without the image. */
export const insertMemo = (
  db: Queryable,
  memo: { id: string; userId: string; imageId: string; message: string; isClient: boolean },
  limits: AnnotationLimits,
): Promise<unknown> =>
  rows(
    db,
    `INSERT INTO memos (id, user_id, image_id, message, is_client)
     SELECT $1::uuid, $2::uuid, $3::uuid, $4, $5::boolean WHERE ${within('$6')}`,
    [memo.id, memo.userId, memo.imageId, memo.message, memo.isClient, told(limits)],
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

/**
 * A change of annotation `$1` on image `$2` of user `$3`. The image is held first, so that whoever
 * deletes it with all its annotations waits, or else is waited for: both change its totals.
 * @param change an UPDATE or DELETE of what `thisOne` finds, up to its RETURNING.
 * @returns a row when there is such an image; its `id` is null when it has no such annotation.
 */
const changed = <Row>(
  db: Queryable,
  { id, imageId, userId }: AnnotationKey,
  change: string,
  values: readonly unknown[] = [],
): Promise<(Row & { readonly id: string | null }) | undefined> =>
  row(
    db,
    `WITH image AS MATERIALIZED (
       SELECT i.id AS held FROM images i WHERE i.id = $2 AND i.user_id = $3 FOR KEY SHARE
     ),
     changed AS (${change})
     SELECT changed.* FROM image LEFT JOIN changed ON true`,
    [id, imageId, userId, ...values],
  );

const thisOne = 'WHERE id = $1 AND image_id = held AND user_id = $3';

/** Sets what is given. @throws a violated check past a limit. */
export const updateMemo = (
  db: Queryable,
  memo: AnnotationKey,
  { message, isClient }: { message?: string; isClient?: boolean },
  limits: AnnotationLimits,
) =>
  changed<unknown>(
    db,
    memo,
    `UPDATE memos
     SET message = coalesce($4, message), is_client = coalesce($5, is_client),
         ${touched('(coalesce($4, message), coalesce($5, is_client)) <> (message, is_client)')}
     FROM image ${thisOne} AND ${within('$6')} RETURNING id`,
    [message, isClient, told(limits)],
  );

export const deleteMemo = (db: Queryable, memo: AnnotationKey) =>
  changed<unknown>(db, memo, `DELETE FROM memos USING image ${thisOne} RETURNING id`);

/** @throws a violated check past a limit, a foreign-key violation without the image. */
export const insertCustom = (
  db: Queryable,
  { id, imageId, userId }: AnnotationKey,
  { key, value }: { key: string; value: string },
  limits: AnnotationLimits,
): Promise<CustomRow | undefined> =>
  row(
    db,
    `INSERT INTO customs (id, image_id, user_id, key, value)
     SELECT $1::uuid, $2::uuid, $3::uuid, $4, $5 WHERE ${within('$6')}
     RETURNING ${common}, key, value`,
    [id, imageId, userId, key, value, told(limits)],
  );

/** Sets what is given. @throws a violated check past a limit. */
export const updateCustom = (
  db: Queryable,
  custom: AnnotationKey,
  { key, value }: { key?: string; value?: string },
  limits: AnnotationLimits,
) =>
  changed<CustomRow>(
    db,
    custom,
    `UPDATE customs
     SET key = coalesce($4, key), value = coalesce($5, value),
         ${touched('(coalesce($4, key), coalesce($5, value)) <> (key, value)')}
     FROM image ${thisOne} AND ${within('$6')} RETURNING ${common}, key, value`,
    [key, value, told(limits)],
  );

export const deleteCustom = (db: Queryable, custom: AnnotationKey) =>
  changed<CustomRow>(
    db,
    custom,
    `DELETE FROM customs USING image ${thisOne} RETURNING ${common}, key, value`,
  );
