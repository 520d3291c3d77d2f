import type { Erasure } from '../library/deletion/platform-removal.js';
import { commandLine } from '../base/os/command-line.js';
import type { RemainingObjects } from '../library/reclaim/reclaim.js';
import { counted, sizeText } from '../base/units.js';

/** The state of the deletion of a platform. */
export const erasureState = ({ rowsDeletedAt, objectsDeletedAt }: Erasure) =>
  rowsDeletedAt === null ? 'deleting' : objectsDeletedAt === null ? 'deleting files' : 'deleted';

/** The report of a deletion: counts and times, no personal data. */
export const erasureDocument = (erasure: Erasure) => ({
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
  remaining: erasure.remaining,
});

/** What is still stored of a deleted platform or user. */
export const remainingText = ({ objects, failing, reason }: RemainingObjects): string =>
  failing === 0
    ? `${counted(objects, 'object')} to be deleted by the reclaim job of the service`
    : `${counted(objects, 'object')} still stored, ${failing} of which cannot be deleted (${reason}): ${commandLine('doctor', '--only', 'reclaim,store')}`;

export const deletedText = (erasure: Erasure): string =>
  [
    counted(erasure.users, 'user'),
    counted(erasure.folders, 'folder'),
    counted(erasure.images, 'image'),
    counted(erasure.versions, 'stored version'),
    counted(erasure.objects, 'object'),
    sizeText(erasure.bytes),
  ].join(', ');

export const erasureText = (erasure: Erasure): string =>
  [
    `platform  ${erasure.platformId}`,
    `state     ${erasureState(erasure)}`,
    `requested ${erasure.requestedAt.toISOString()}`,
    `rows      ${erasure.rowsDeletedAt ? `deleted ${erasure.rowsDeletedAt.toISOString()}` : 'being deleted'}`,
    `files     ${erasure.objectsDeletedAt ? `deleted ${erasure.objectsDeletedAt.toISOString()}` : remainingText(erasure.remaining)}`,
    `deleted   ${deletedText(erasure)}`,
  ].join('\n');
