/** Which version of which image an object belongs to. */
export interface VersionId {
  readonly platformId: string;
  readonly userId: string;
  readonly imageId: string;
  /** The version's own id; the upload itself, version 0, has the id of its image. */
  readonly versionId: string;
}

export type ObjectRole = 'original' | 'display' | 'thumb';

/** The key of one object; migrations/0002-accounting.ts spells the same in SQL. */
export const objectKey = (id: VersionId, role: ObjectRole, extension: string): string =>
  `${id.platformId}/${id.userId}/${id.imageId}/${id.versionId}/${role}.${extension}`;
