import { validate as isUuid } from 'uuid';

/** The version and image that an object belongs to. */
export interface VersionId {
  readonly platformId: string;
  readonly userId: string;
  readonly imageId: string;
  /** The version's own id; version 0, the upload itself, has the id of its image. */
  readonly versionId: string;
}

export type ObjectRole = 'original' | 'display' | 'thumb';

/** The prefix of the keys of a version's objects. */
export const versionFolder = (id: VersionId): string =>
  `${id.platformId}/${id.userId}/${id.imageId}/${id.versionId}/`;

/** The rest of the key. */
export const objectName = (role: ObjectRole, extension: string): string => `${role}.${extension}`;

/** The key of one object. */
export const objectKey = (id: VersionId, role: ObjectRole, extension: string): string =>
  versionFolder(id) + objectName(role, extension);

/** The ids that a key contains; null if imgstore did not generate it. */
export function parseOwner(key: string): { readonly [P in keyof VersionId]: string | null } {
  const [platformId, userId, imageId, versionId] = key
    .split('/')
    .map((part) => (isUuid(part) ? part : null));
  return {
    platformId: platformId ?? null,
    userId: userId ?? null,
    imageId: imageId ?? null,
    versionId: versionId ?? null,
  };
}

/** A version, with the file details from its row. */
export interface VersionFiles extends VersionId {
  readonly extension: string;
  /** Null when a browser can show the file itself. */
  readonly displayExtension: string | null;
  readonly thumbExtension: string;
}

export interface VersionObject {
  readonly role: ObjectRole;
  readonly key: string;
}

/** The objects of a version; migrations/0002-accounting.ts does the same in SQL. */
export const objectsOf = (v: VersionFiles): VersionObject[] => [
  { role: 'original', key: objectKey(v, 'original', v.extension) },
  ...(v.displayExtension === null
    ? []
    : [{ role: 'display', key: objectKey(v, 'display', v.displayExtension) } as const]),
  { role: 'thumb', key: objectKey(v, 'thumb', v.thumbExtension) },
];
