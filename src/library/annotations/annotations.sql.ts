import { ServiceError } from '../../base/errors/catalogue.js';
import { toMegabytes } from '../../base/units.js';
import { currentToken } from '../../database/fairness.js';
import {
  boundList,
  nameList,
  namesOf,
  only,
  selectList,
  valuesOf,
  type Columns,
  type RowOf,
} from '../../database/columns.js';
import {
  prepared,
  row,
  rows,
  type Queryable,
  violatedCheck,
  violationDetail,
} from '../../database/sql.js';
import type { PlatformLimits } from '../quota/platform-limits.js';
import { lockedUser } from '../quota/usage.js';
import { customColumns, customTable, memoColumns, memoTable, type Custom } from './entity.js';

/** Limits on what one image may carry. */
export interface AnnotationLimits {
  readonly memos: number;
  readonly customs: number;
  /** Total bytes of messages, keys, and values, in UTF-8. */
  readonly textBytes: number;
}

/** In the form read by the triggers, which reject growth past a limit (migrations/rules/annotations.sql). */
const limitsText = ({ memos, customs, textBytes }: AnnotationLimits): string =>
  `{${memos},${customs},${textBytes}}`;

/** The context of a rejected statement. */
interface Written {
  /** The request field that holds the text. */
  readonly field: string;
  readonly limits: AnnotationLimits;
  readonly platformLimits: PlatformLimits;
}

/**
 * Maps a rejection by the triggers to the catalogue's error, or to NoCapacity if the platform seems to
 * be full; returns other errors unchanged.
 */
export function limitErrorOf(error: unknown, written: Written): unknown {
  const { field, limits } = written;
  const code = violatedCheck(error);
  switch (code) {
    case 'too_many_memos':
      return refusal(code, `An image can have at most ${limits.memos} memos.`, field, error);
    case 'too_many_customs':
      return refusal(code, `An image can have at most ${limits.customs} customs.`, field, error);
    case 'too_much_text': {
      const megabytes = toMegabytes(limits.textBytes);
      const message = `The memos and customs of an image can hold at most ${megabytes} MB of text.`;
      return refusal(code, message, field, error);
    }
    case 'storage_quota_exceeded':
      return new ServiceError(code, { message: quotaMessage, field, cause: error });
    case 'platform_limit_exceeded': {
      const [platformId = '', bytes] = violationDetail(error)?.split(' ') ?? [];
      const demand = { bytes: Number(bytes), images: 0, users: 0 };
      return written.platformLimits.noCapacity(platformId, demand);
    }
    default:
      return error;
  }
}

const quotaMessage =
  "The text does not fit into the user's storage quota, which counts it with the files, trash included. Shorten it, delete something for good, or raise max_storage_mb.";

const refusal = (
  code: 'too_many_memos' | 'too_many_customs' | 'too_much_text',
  message: string,
  field: string,
  cause: unknown,
): ServiceError => new ServiceError(code, { message, field, cause });

export type CustomRow = Readonly<Custom>;

const customRow = selectList(customColumns);

// The triggers that maintain an image's totals enforce these limits, for this statement or for the
// rest of the transaction that it belongs to.
const within = (limits: string): string =>
  `set_config('imgstore.annotation_limits', ${limits}, true) <> ''`;

/**
 * Inserts the values bound from $1 on: $2 is the user, $6 the limits, $7 the token. The user's row
 * is locked before the image's, as everywhere, since triggers on the change update it
 * (docs/adr/0015).
 */
const annotationInsert = (table: string, columns: Columns): string => `
  WITH owner AS MATERIALIZED (SELECT id AS owner_id FROM ${lockedUser('$2', '$7')})
  INSERT INTO ${table} (${nameList(columns)})
  SELECT ${boundList(columns)} FROM owner WHERE ${within('$6')}`;

const newMemo = only(memoTable, 'id', 'userId', 'imageId', 'message', 'isClient');

const memoInsert = prepared(`${annotationInsert('memos', newMemo)} RETURNING id`);

/**
 * @returns undefined while the user is being deleted.
 * @throws a check violation past a limit, or a foreign-key violation if the image does not exist.
 */
export const insertMemo = (
  db: Queryable,
  memo: Readonly<RowOf<typeof newMemo>>,
  limits: AnnotationLimits,
): Promise<{ readonly id: string } | undefined> =>
  row(db, memoInsert, [...valuesOf(newMemo, memo), limitsText(limits), currentToken()]);

/** An annotation as identified by its path: user, image, and id. */
export interface AnnotationKey {
  readonly userId: string;
  readonly imageId: string;
  readonly id: string;
}

/**
 * A change to annotation `$1` on image `$2` of user `$3`. The user's row is locked first, then the
 * image's, so that this and a concurrent deletion of the image wait for each other: both change its
 * totals.
 * @param change an UPDATE or DELETE matching `thisOne`, up to its RETURNING clause.
 * @returns one row if the image exists; its `id` is null if it has no such annotation.
 */
const changed = <Row>(
  db: Queryable,
  { id, imageId, userId }: AnnotationKey,
  change: string,
  values: readonly unknown[] = [],
): Promise<(Row & { readonly id: string | null }) | undefined> =>
  row(
    db,
    `WITH owner AS MATERIALIZED (SELECT id AS owner_id FROM ${lockedUser('$3', `$${values.length + 4}`)}),
     image AS MATERIALIZED (
       SELECT i.id AS held FROM owner JOIN images i ON i.id = $2 AND i.user_id = owner_id
       FOR KEY SHARE OF i
     ),
     changed AS (${change})
     SELECT changed.* FROM image LEFT JOIN changed ON true`,
    [id, imageId, userId, ...values, currentToken()],
  );

const thisOne = 'WHERE id = $1 AND image_id = held AND user_id = $3';

/**
 * An UPDATE of the row that `thisOne` matches, up to its RETURNING clause: sets those columns whose
 * values, bound from $4 on, are given, and advances `updated_at` if the row changes. The limits are
 * bound after them.
 */
function update(table: string, columns: Columns): string {
  const names = namesOf(columns);
  const next = names.map((name, i) => `coalesce($${i + 4}, ${name})`);
  const differs = `(${next.join(', ')}) <> (${names.join(', ')})`;
  return `
    UPDATE ${table}
    SET ${names.map((name, i) => `${name} = ${next[i]}`).join(', ')},
        updated_at = CASE WHEN ${differs} THEN greatest(now(), updated_at) ELSE updated_at END
    FROM image ${thisOne} AND ${within(`$${names.length + 4}`)}`;
}

const memoUpdate = update('memos', only(memoColumns, 'message', 'isClient'));

/** Sets the given fields. @throws a check violation past a limit. */
export const updateMemo = (
  db: Queryable,
  memo: AnnotationKey,
  { message, isClient }: { message?: string; isClient?: boolean },
  limits: AnnotationLimits,
) =>
  changed<unknown>(db, memo, `${memoUpdate} RETURNING id`, [message, isClient, limitsText(limits)]);

export const deleteMemo = (db: Queryable, memo: AnnotationKey) =>
  changed<unknown>(db, memo, `DELETE FROM memos USING image ${thisOne} RETURNING id`);

const newCustom = only(customTable, 'id', 'userId', 'imageId', 'key', 'value');
const customInsert = prepared(`${annotationInsert('customs', newCustom)} RETURNING ${customRow}`);

/**
 * @returns undefined while the user is being deleted.
 * @throws a check violation past a limit, or a foreign-key violation if the image does not exist.
 */
export const insertCustom = (
  db: Queryable,
  custom: Readonly<RowOf<typeof newCustom>>,
  limits: AnnotationLimits,
): Promise<CustomRow | undefined> =>
  row(db, customInsert, [...valuesOf(newCustom, custom), limitsText(limits), currentToken()]);

const customUpdate = update('customs', only(customColumns, 'key', 'value'));

/** Sets the given fields. @throws a check violation past a limit. */
export const updateCustom = (
  db: Queryable,
  custom: AnnotationKey,
  { key, value }: { key?: string; value?: string },
  limits: AnnotationLimits,
) =>
  changed<CustomRow>(db, custom, `${customUpdate} RETURNING ${customRow}`, [
    key,
    value,
    limitsText(limits),
  ]);

export const deleteCustom = (db: Queryable, custom: AnnotationKey) =>
  changed<CustomRow>(
    db,
    custom,
    `DELETE FROM customs USING image ${thisOne} RETURNING ${customRow}`,
  );

/** What the images carry already; no row for those that never had a note. */
export const selectTotals = (tx: Queryable, imageIds: readonly string[]) =>
  rows<{ imageId: string; memos: number; customs: number; textBytes: number }>(
    tx,
    `SELECT image_id AS "imageId", memos, customs, text_bytes AS "textBytes"
     FROM annotation_totals WHERE image_id = ANY ($1::uuid[])`,
    [imageIds],
  );

/** A memo for each of many images. */
export interface ManyMemos {
  readonly ids: readonly string[];
  readonly imageIds: readonly string[];
  /** Places in `texts`. */
  readonly places: readonly number[];
  readonly texts: readonly { readonly message: string; readonly isClient: boolean }[];
}

/** The caller has the lock of the user, whose the images are. @throws a check violation past a limit. */
export const insertMemos = (
  tx: Queryable,
  userId: string,
  { ids, imageIds, places, texts }: ManyMemos,
  limits: AnnotationLimits,
): Promise<unknown> =>
  rows(
    tx,
    `INSERT INTO memos (id, user_id, image_id, message, is_client)
     SELECT w.id, $1, w.image_id, m.value->>'message', (m.value->>'isClient')::boolean
     FROM unnest($2::uuid[], $3::uuid[], $4::integer[]) AS w (id, image_id, place)
     JOIN jsonb_array_elements($5::jsonb) WITH ORDINALITY AS m (value, place) ON m.place = w.place + 1
     WHERE ${within('$6')}`,
    [userId, ids, imageIds, places, JSON.stringify(texts), limitsText(limits)],
  );

/** The customs that images have under a key: how many, and one of them. */
export interface KeyedCustom {
  readonly imageId: string;
  readonly key: string;
  readonly count: number;
  readonly id: string;
  readonly value: string;
}

export const selectCustomsByKey = (
  tx: Queryable,
  userId: string,
  imageIds: readonly string[],
  keys: readonly string[],
): Promise<KeyedCustom[]> =>
  rows(
    tx,
    `SELECT image_id AS "imageId", key, count(*)::int AS count, min(id::text) AS id, min(value) AS value
     FROM customs WHERE user_id = $1 AND image_id = ANY ($2::uuid[]) AND key = ANY ($3::text[])
     GROUP BY image_id, key`,
    [userId, imageIds, keys],
  );

/** Changes of customs of many images. */
export interface CustomChanges {
  readonly removed: readonly string[];
  readonly set: readonly { readonly id: string; readonly value: string }[];
  readonly added: readonly {
    readonly id: string;
    readonly imageId: string;
    readonly key: string;
    readonly value: string;
  }[];
}

/** The caller has the lock of the user, whose the customs are. @throws a check violation past a limit. */
export async function changeCustoms(
  tx: Queryable,
  userId: string,
  { removed, set, added }: CustomChanges,
  limits: AnnotationLimits,
): Promise<void> {
  if (removed.length > 0) {
    const sql = 'DELETE FROM customs WHERE user_id = $1 AND id = ANY ($2::uuid[])';
    await rows(tx, sql, [userId, removed]);
  }
  if (set.length > 0) {
    await rows(
      tx,
      `UPDATE customs c SET value = w.value, updated_at = greatest(now(), c.updated_at)
       FROM unnest($2::uuid[], $3::text[]) AS w (id, value)
       WHERE c.id = w.id AND c.user_id = $1 AND ${within('$4')}`,
      [userId, set.map(({ id }) => id), set.map(({ value }) => value), limitsText(limits)],
    );
  }
  if (added.length === 0) return;
  await rows(
    tx,
    `INSERT INTO customs (id, user_id, image_id, key, value)
     SELECT w.id, $1, w.image_id, w.key, w.value
     FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[]) AS w (id, image_id, key, value)
     WHERE ${within('$6')}`,
    [
      userId,
      added.map(({ id }) => id),
      added.map(({ imageId }) => imageId),
      added.map(({ key }) => key),
      added.map(({ value }) => value),
      limitsText(limits),
    ],
  );
}
