import { selectList, without } from '../../database/columns.js';
import { onlyRow, onlyValue, type Queryable, row, rows } from '../../database/sql.js';
import { linkField } from './announcement.js';
import { uploadColumns, type UploadRow, type UploadState } from './entity.js';

const uploadRow = selectList(uploadColumns);

/**
 * An upload of the user. One that nobody has taken up again in time counts as ended, and so does one whose
 * image has been deleted: whoever uploads the file again means it.
 */
export const selectUpload = (db: Queryable, userId: string, id: string) =>
  row<UploadRow>(
    db,
    `SELECT ${selectList(without(uploadColumns, 'state'))},
            CASE WHEN state = 'receiving' AND expires_at < now()
                   OR state = 'stored' AND NOT EXISTS (SELECT FROM images i WHERE i.id = image_id)
                 THEN 'ended' ELSE state END AS state
     FROM resumable_uploads WHERE id = $1 AND user_id = $2`,
    [id, userId],
  );

type NewUpload = Pick<UploadRow, 'id' | 'platformId' | 'userId' | 'length' | 'metadata'>;

/** @param hours until it expires. The caller must hold the user's lock. */
export const insertUpload = (
  tx: Queryable,
  { id, platformId, userId, length, metadata }: NewUpload,
  hours: number,
): Promise<UploadRow> =>
  onlyRow(
    tx,
    `INSERT INTO resumable_uploads (id, platform_id, user_id, state, length, metadata, expires_at)
     VALUES ($1, $2, $3, 'receiving', $4, $5, now() + make_interval(hours => $6))
     RETURNING ${uploadRow}`,
    [id, platformId, userId, length, metadata, hours],
  );

/** Uploads of the user that are open, at most `limit`. @param ofLinks only those through links. */
export const countOpen = (db: Queryable, userId: string, limit: number, ofLinks = false) =>
  onlyValue<number>(
    db,
    `SELECT count(*)::int AS n FROM (
       SELECT FROM resumable_uploads
       WHERE user_id = $1 AND state = 'receiving' ${ofLinks ? `AND ${isOfLink}` : ''} LIMIT $2
     ) AS open`,
    [userId, limit],
  );

/** Whether an upload came through a link, which its metadata begins with. */
const isOfLink = `starts_with(metadata, '${linkField} ')`;

/** Bytes that open uploads have announced and not sent. */
export const sumOutstanding = (db: Queryable): Promise<number> =>
  onlyValue(
    db,
    `SELECT coalesce(sum(length - received), 0)::bigint AS bytes
     FROM resumable_uploads WHERE state = 'receiving'`,
  );

/** A stored part of a file. */
export interface Piece {
  readonly key: string;
  readonly start: number;
  readonly bytes: number;
}

export const selectPieces = (db: Queryable, uploadId: string): Promise<Piece[]> =>
  rows(db, `SELECT key, start, bytes FROM resumable_pieces WHERE upload_id = $1 ORDER BY start`, [
    uploadId,
  ]);

/**
 * Adds a piece to the end of an upload, unless another request has done so in the meantime; a piece
 * from the beginning replaces all others. @param hours until the upload expires.
 * @returns the upload as it is then; undefined if it is no longer as it was.
 */
export async function insertPiece(
  tx: Queryable,
  { id, received }: Pick<UploadRow, 'id' | 'received'>,
  { key, start, bytes }: Piece,
  hours: number,
): Promise<UploadRow | undefined> {
  const replaces = start === 0;
  const upload = await row<UploadRow>(
    tx,
    `UPDATE resumable_uploads
     SET received = $3, pieces = CASE WHEN $4 THEN 1 ELSE pieces + 1 END,
         expires_at = now() + make_interval(hours => $5)
     WHERE id = $1 AND received = $2 AND state = 'receiving'
     RETURNING ${uploadRow}`,
    [id, received, start + bytes, replaces, hours],
  );
  if (!upload) return undefined;
  if (replaces) await deletePieces(tx, id, 0);
  await rows(
    tx,
    'INSERT INTO resumable_pieces (key, upload_id, start, bytes) VALUES ($1, $2, $3, $4)',
    [key, id, start, bytes],
  );
  return upload;
}

/** Deletes the pieces from an offset on; a trigger hands their objects to the reclaim job. */
const deletePieces = (tx: Queryable, uploadId: string, from: number): Promise<unknown> =>
  rows(tx, 'DELETE FROM resumable_pieces WHERE upload_id = $1 AND start >= $2', [uploadId, from]);

/** Goes back to the beginning of a piece whose object is lost. */
export async function rewind(tx: Queryable, uploadId: string, start: number): Promise<void> {
  await deletePieces(tx, uploadId, start);
  await rows(
    tx,
    `UPDATE resumable_uploads
     SET received = $2, pieces = (SELECT count(*) FROM resumable_pieces WHERE upload_id = $1)
     WHERE id = $1 AND state = 'receiving'`,
    [uploadId, start],
  );
}

/** How an upload is over. */
interface Outcome {
  readonly state: Exclude<UploadState, 'receiving'>;
  readonly imageId?: string;
  readonly error?: object;
}

/**
 * Ends an upload. The caller must hold the user's lock, since a trigger releases what was announced.
 * @param hours for which it is remembered. @returns false if it is over already, or gone.
 */
export async function closeUpload(
  tx: Queryable,
  id: string,
  { state, imageId, error }: Outcome,
  hours: number,
): Promise<boolean> {
  const closed = await rows(
    tx,
    `UPDATE resumable_uploads
     SET state = $2, received = CASE WHEN $2 = 'stored' THEN length ELSE received END,
         image_id = coalesce($3, image_id), error = $4, pieces = 0,
         metadata = CASE WHEN $2 = 'stored' THEN metadata END,
         expires_at = now() + make_interval(hours => $5)
     WHERE id = $1 AND (state = 'receiving' OR $2 = 'ended' AND state <> 'ended')
     RETURNING id`,
    [id, state, imageId ?? null, error ? JSON.stringify(error) : null, hours],
  );
  if (closed.length === 0) return false;
  await deletePieces(tx, id, 0);
  return true;
}

/** Forgets the oldest uploads of the user that became nothing, beyond the newest `kept` of a state. */
export const forgetOldest = (tx: Queryable, userId: string, kept: number): Promise<unknown> =>
  rows(
    tx,
    `DELETE FROM resumable_uploads WHERE id IN (
       SELECT id FROM (VALUES ('refused'), ('ended')) AS over (state), LATERAL (
         SELECT id FROM resumable_uploads u WHERE u.user_id = $1 AND u.state = over.state
         ORDER BY u.id DESC OFFSET $2
       ) AS oldest
     )`,
    [userId, kept],
  );

/** An upload and its user. */
export interface UploadId {
  readonly id: string;
  readonly userId: string;
}

/** Uploads whose bytes are all there and that were not stored or refused yet, after an id. */
export const selectComplete = (db: Queryable, after: string, limit: number): Promise<UploadId[]> =>
  rows(
    db,
    `SELECT id, user_id AS "userId" FROM resumable_uploads
     WHERE state = 'receiving' AND received = length AND id > $1 ORDER BY id LIMIT $2`,
    [after, limit],
  );
