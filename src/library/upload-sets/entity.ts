import { entityOf, now, type RowOf } from '../../database/columns.js';

export const uploadSetColumns = {
  id: { type: 'uuid', primary: true },
  userId: { name: 'user_id', type: 'uuid' },
  title: { type: 'text', nullable: true },
  /** The folder of uploads that name none. */
  folderId: { name: 'folder_id', type: 'uuid', nullable: true },
  /** Number of different files. */
  expected: { type: 'integer' },
  /** How many of them have arrived; maintained by a trigger on image_versions, as is `completedAt`. */
  arrived: { type: 'integer' },
  createdAt: { name: 'created_at', type: 'timestamptz', default: now },
  completedAt: { name: 'completed_at', type: 'timestamptz', nullable: true },
} as const;

export type UploadSet = RowOf<typeof uploadSetColumns>;

export const UploadSetEntity = entityOf('upload_sets', uploadSetColumns);

const fileColumns = {
  uploadSetId: { name: 'upload_set_id', type: 'uuid', primary: true },
  userId: { name: 'user_id', type: 'uuid' },
  /** SHA-256, 32 bytes. */
  hash: { type: 'bytea', primary: true },
  /** Index in the list of hashes given by the client. */
  position: { type: 'integer' },
  arrived: { type: 'boolean' },
} as const;

/** A file that a set expects. */
export const UploadSetFileEntity = entityOf('upload_set_files', fileColumns);
