import { entityOf, now, type RowOf } from '../../database/columns.js';

/** Uploads that resume, open and over. */
export const uploadColumns = {
  id: { type: 'uuid', primary: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  userId: { name: 'user_id', type: 'uuid' },
  /** `receiving` until it is `stored` as an image, `refused`, or `ended` by its client or its expiry. */
  state: { type: 'text' },
  /** Bytes of the file, as announced. */
  length: { type: 'bigint' },
  /** Bytes of its pieces: what is durable of the file. */
  received: { type: 'bigint', default: 0 },
  /** Number of its pieces. */
  pieces: { type: 'integer', default: 0 },
  /** Upload-Metadata, as it was sent; null without one, and once nobody needs it. */
  metadata: { type: 'text', nullable: true },
  /** What it was stored as, or as a version of. */
  imageId: { name: 'image_id', type: 'uuid', nullable: true },
  /** Why it was refused: the `error` of the envelope, and its status. */
  error: { type: 'jsonb', nullable: true },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
  /** When an open upload ends, and one that is over is forgotten. */
  expiresAt: { name: 'expires_at', type: 'timestamptz' },
} as const;

export type UploadState = 'receiving' | 'stored' | 'refused' | 'ended';

export interface UploadRow extends Readonly<Omit<RowOf<typeof uploadColumns>, 'state'>> {
  readonly state: UploadState;
}

export const ResumableUploadEntity = entityOf('resumable_uploads', uploadColumns);

const pieceColumns = {
  /** Of its object. */
  key: { type: 'text', primary: true },
  uploadId: { name: 'upload_id', type: 'uuid' },
  /** Offset of its first byte in the file. */
  start: { type: 'bigint' },
  bytes: { type: 'bigint' },
} as const;

/** What has arrived of a file, in objects that are reclaimed with their rows. */
export const ResumablePieceEntity = entityOf('resumable_pieces', pieceColumns);
