import type { WallClock } from '../../base/time.js';
import type { LinkKind } from './entity.js';
import type { LinkRow } from './links.sql.js';
import type { LinkRecord } from './schemas.js';

/** A link as represented in the API. @param url null: it is not shown again. */
export const linkRecord = (row: LinkRow, clock: WallClock, url: string | null): LinkRecord => ({
  id: row.id,
  url,
  kind: row.kind as LinkKind,
  folder_id: row.folderId,
  image_ids: row.imageIds,
  title: row.title,
  message: row.message,
  has_password: row.hasPassword,
  allow_download: row.allowDownload,
  show_place: row.showPlace,
  state: row.expiresAt.getTime() <= Date.now() ? 'expired' : row.isPaused ? 'paused' : 'active',
  expires_at: clock.format(row.expiresAt),
  visits: row.visits,
  last_visit_at: row.lastVisitAt && clock.format(row.lastVisitAt),
  created_at: clock.format(row.createdAt),
  updated_at: clock.format(row.updatedAt),
});
