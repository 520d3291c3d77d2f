import assert from 'node:assert/strict';
import { done, megabytes, near } from '../../testkit/expect.js';
import type { Folder, NumberedPage, Statistics } from '../../testkit/records.js';
import type { Tenant } from '../../testkit/world.js';
import { currentOf, originalOf, type OwnImage } from './model.js';
import type { SimulatedUser } from './simulated-user.js';
import { flat, sameFolders, sameImages, sizeOf } from './compare.js';
import { uploadsOf } from './steps/platforms.js';

/** Compares everything that a user owns with its model, including the bytes of all originals. */
export async function auditUser(user: SimulatedUser): Promise<void> {
  const { model } = user;
  sameFolders(flat(await user.get<Folder[]>('/folders')), model.folders.all);
  const extras = { with_memo: 'True', with_custom: 'True', with_history: 'True' };
  const images = await user.readPages(extras);
  sameImages(images, model.imagesIn(undefined));
  for (const { id, org_path_url } of images) {
    const own = model.images.get(id);
    if (own) await user.checkBytes(org_path_url, originalOf(own).hash);
  }
  const info = await user.get<Record<string, number>>('/info');
  assert.equal(info.image_count, model.imagesIn(false).length);
  assert.equal(info.used_storage_mb, megabytes(storedBytes([...model.images.values()])));
}

const storedBytes = (images: readonly OwnImage[]): number =>
  images.flatMap(({ versions }) => versions).reduce((sum, { bytes }) => sum + bytes, 0);

const originalBytes = (images: readonly OwnImage[]): number =>
  images.reduce((sum, image) => sum + originalOf(image).bytes, 0);

/** The original of each, and the latest edit of those that were edited. */
const latestBytes = (images: readonly OwnImage[]): number =>
  originalBytes(images) +
  images
    .filter(({ versions }) => versions.length > 1)
    .reduce((sum, image) => sum + currentOf(image).bytes, 0);

/** Compares a platform's totals and statistics with the models of all its users. */
export async function auditPlatform(
  tenant: Tenant,
  users: readonly SimulatedUser[],
): Promise<void> {
  const active = users.flatMap(({ model }) => model.imagesIn(false));
  const all = users.flatMap(({ model }) => model.imagesIn(undefined));
  const info = done(await tenant.call<Record<string, number>>('GET', '/info'));
  assert.deepEqual([info.user_count, info.image_count], [users.length, active.length]);
  near(info.part_total_filesize_mb, sizeOf(active));
  near(info.total_filesize_mb, megabytes(storedBytes(all)));

  const page = done(await tenant.call<NumberedPage<unknown>>('GET', '/images'));
  assert.equal(page.total_count, all.length);

  const stats = done(await tenant.statistics<Statistics>('/total'));
  const sum = (event: keyof SimulatedUser['model']['events']): number =>
    users.reduce((total, { model }) => total + model.events[event], 0);
  assert.deepEqual(stats, {
    upload_camera: sum('camera'),
    upload_gallery: sum('gallery'),
    upload_request: sum('request'),
    total_upload: uploadsOf(users),
    edit_count: sum('edits'),
    delete_count: sum('deletions'),
    total_images: active.length,
    org_filesize_mb: megabytes(originalBytes(all)),
    org_latest_filesize_mb: megabytes(latestBytes(all)),
    total_filesize_mb: megabytes(storedBytes(all)),
  });
}
