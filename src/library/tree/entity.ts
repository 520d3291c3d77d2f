import { entityOf, now } from '../../database/columns.js';

const changeColumns = {
  id: { type: 'uuid', primary: true },
  platformId: { name: 'platform_id', type: 'uuid' },
  userId: { name: 'user_id', type: 'uuid' },
  kind: { type: 'text' },
  folderId: { name: 'folder_id', type: 'uuid', nullable: true },
  rootId: { name: 'root_id', type: 'uuid', nullable: true },
  trashedAt: { name: 'trashed_at', type: 'timestamptz', nullable: true },
  actor: { type: 'text' },
  token: { type: 'text' },
  begunAt: { name: 'begun_at', type: 'timestamptz', default: now },
} as const;

export const BulkChangeEntity = entityOf('bulk_changes', changeColumns);
