import type { ErasureRow } from '../deletion/platform-removal.js';
import { counted, sizeText } from '../amounts.js';

/** The state of the deletion of a platform. */
export const erasureState = ({ rowsDeletedAt, objectsDeletedAt }: ErasureRow) =>
  rowsDeletedAt === null ? 'deleting' : objectsDeletedAt === null ? 'deleting files' : 'deleted';

/** The report of a deletion: counts and times, no personal data. */
export const erasureDocument = (erasure: ErasureRow) => ({
  id: erasure.platformId,
  state: erasureState(erasure),
  requested_at: erasure.requestedAt.toISOString(),
  rows_deleted_at: erasure.rowsDeletedAt?.toISOString() ?? null,
  objects_deleted_at: erasure.objectsDeletedAt?.toISOString() ?? null,
  deleted: {
    users: erasure.users,
    folders: erasure.folders,
    images: erasure.images,
    versions: erasure.versions,
    objects: erasure.objects,
    bytes: erasure.bytes,
  },
});

export const deletedText = (erasure: ErasureRow): string =>
  [
    counted(erasure.users, 'user'),
    counted(erasure.folders, 'folder'),
    counted(erasure.images, 'image'),
    counted(erasure.versions, 'stored version'),
    counted(erasure.objects, 'object'),
    sizeText(erasure.bytes),
  ].join(', ');

export const erasureText = (erasure: ErasureRow): string =>
  [
    `platform  ${erasure.platformId}`,
    `state     ${erasureState(erasure)}`,
    `requested ${erasure.requestedAt.toISOString()}`,
    `rows      ${erasure.rowsDeletedAt ? `deleted ${erasure.rowsDeletedAt.toISOString()}` : 'being deleted'}`,
    `files     ${erasure.objectsDeletedAt ? `deleted ${erasure.objectsDeletedAt.toISOString()}` : 'to be deleted by the reclaim job of the service'}`,
    `deleted   ${deletedText(erasure)}`,
  ].join('\n');
