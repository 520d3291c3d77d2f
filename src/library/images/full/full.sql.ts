import { only, selectList, type SelectedRow } from '../../../database/columns.js';
import { exists, type Queryable, row } from '../../../database/sql.js';
import type { VersionId } from '../../../store/object-key.js';
import { versionColumns } from '../entity.js';

const fileColumns = only(
  versionColumns,
  'extension',
  'fullExtension',
  'hash',
  'bytes',
  'width',
  'height',
);

/** What has to be known of a version to send its whole picture, or to make it. */
export type VersionFile = SelectedRow<typeof fileColumns>;

const ofVersion = 'id = $1 AND image_id = $2 AND user_id = $3 AND platform_id = $4';
const idsOf = ({ versionId, imageId, userId, platformId }: VersionId): string[] => [
  versionId,
  imageId,
  userId,
  platformId,
];

export const selectVersionFile = (db: Queryable, version: VersionId) =>
  row<VersionFile>(
    db,
    `SELECT ${selectList(fileColumns)} FROM image_versions WHERE ${ofVersion}`,
    idsOf(version),
  );

/** Refers to the object with the whole picture. @returns false if there is one, or no version. */
export const setFullExtension = (tx: Queryable, version: VersionId, extension: string) =>
  exists(
    tx,
    `UPDATE image_versions SET full_extension = $5
     WHERE ${ofVersion} AND full_extension IS NULL RETURNING 1`,
    [...idsOf(version), extension],
  );
