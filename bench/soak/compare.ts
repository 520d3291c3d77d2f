import assert from 'node:assert/strict';
import { megabytes } from '../../testkit/expect.js';
import type { Folder, Image } from '../../testkit/records.js';
import type { OwnFolder } from './folder-model.js';
import { currentOf, type OwnImage } from './model.js';

/** Compares a record with the model, including notes and history if the record has them. */
export function sameImage(record: Image, own: OwnImage): void {
  const { hash, bytes } = currentOf(own);
  const edits = own.versions.slice(1);
  assert.deepEqual(
    {
      id: record.id,
      folder: record.folder_id,
      trashed: record.delete_at !== null,
      created: record.created_at,
      spot: record.lat === null ? null : { latitude: record.lat, longitude: record.lng },
      building: record.building_name,
      hasDet: record.has_det,
      isShared: record.is_shared,
      edits: record.filedata_total,
      hash: record.hashdata,
      size: record.filesize_mb,
    },
    {
      id: own.id,
      folder: own.folderId,
      trashed: own.trash !== null,
      created: own.createdAt,
      spot: own.spot,
      building: own.building,
      hasDet: own.hasDet,
      isShared: own.isShared,
      edits: edits.length,
      hash,
      size: megabytes(bytes),
    },
  );
  assert.ok(record.filename.includes(`_${own.createdAt}_${hash}_${edits.length}.`));
  if (record.memos) {
    const memos = record.memos.map((m) => [m.id, { message: m.message, isClient: m.is_client }]);
    assert.deepEqual(memos, [...own.memos], 'memos');
  }
  if (record.customs) {
    const customs = record.customs.map(({ id, key, value }) => [id, { key, value }]);
    assert.deepEqual(customs, [...own.customs], 'customs');
  }
  if (record.filedatas) {
    const hashes = record.filedatas.map(({ hashdata }) => hashdata);
    assert.deepEqual(
      hashes,
      edits.map((edit) => edit.hash),
      'history',
    );
  }
}

export function sameFolder(record: Folder, own: OwnFolder): void {
  assert.deepEqual(
    {
      id: record.id,
      title: record.title,
      parent: record.parent_id,
      trashed: record.delete_at !== null,
    },
    { id: own.id, title: own.title, parent: own.parentId, trashed: own.trash !== null },
  );
}

/** A tree as a list, parents before children. */
export const flat = (folders: readonly Folder[]): Folder[] =>
  folders.flatMap((folder) => [folder, ...flat(folder.child_folders ?? [])]);

const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

/** The same ids in any order, each once. */
const sameIds = (
  found: readonly { readonly id: string }[],
  expected: readonly { readonly id: string }[],
): void => assert.deepEqual(idsOf(found).sort(), idsOf(expected).sort());

/** Exactly these folders, each as the model has it. */
export function sameFolders(found: readonly Folder[], expected: readonly OwnFolder[]): void {
  sameIds(found, expected);
  const own = new Map(expected.map((folder) => [folder.id, folder]));
  for (const record of found) {
    const folder = own.get(record.id);
    if (folder) sameFolder(record, folder);
  }
}

/** Exactly these images, each as the model has it. */
export function sameImages(found: readonly Image[], expected: readonly OwnImage[]): void {
  sameIds(found, expected);
  const own = new Map(expected.map((image) => [image.id, image]));
  for (const record of found) {
    const image = own.get(record.id);
    if (image) sameImage(record, image);
  }
}

/** Newest `created_at` first. */
export const newestFirst = (images: readonly Image[]): void =>
  images.forEach(({ created_at }, i) => {
    const before = images[i - 1];
    assert.ok(!before || before.created_at >= created_at, 'newest first');
  });

/** Total bytes of all these, as represented in the API. */
export const sizeOf = (images: readonly OwnImage[]): number =>
  megabytes(images.reduce((sum, image) => sum + currentOf(image).bytes, 0));
