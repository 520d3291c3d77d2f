import assert from 'node:assert/strict';
import type { Image } from '../../../testkit/records.js';
import { originalOf, currentOf } from '../model.js';
import { sameImage } from '../compare.js';
import { step } from '../step.js';
import { buildings } from './uploads.js';

const detWords = { True: true, False: false, None: null } as const;

export const imageSteps = [
  step(5, 'get one image, with its bytes', async (user) => {
    const image = user.random.of(user.model.imagesIn(undefined));
    if (!image) return;
    const extras = { with_memo: 'True', with_custom: 'True', with_history: 'True' };
    const record = await user.get<Image>(`/images/${image.id}`, extras);
    sameImage(record, image);
    await user.checkBytes(record.org_path_url, originalOf(image).hash);
    const [width = 0, height = 0] = record.resolution.split('x').map(Number);
    // For small JPEGs, the display object is the upload itself.
    if (record.image_resource_type === 'jpeg' && Math.max(width, height) <= 1024) {
      await user.checkBytes(record.path_url, currentOf(image).hash);
    }
    const thumb = await user.member.tenant.client.raw('GET', record.thumb_url);
    assert.ok(thumb.status === 200 && (await thumb.arrayBuffer()).byteLength > 0, 'a thumbnail');
  }),

  step(4, 'change an image', async (user) => {
    const { random, model } = user;
    const image = random.of(model.imagesIn(false));
    if (!image) return;
    const building = random.of(buildings);
    const det = random.of(['True', 'False', 'None'] as const);
    const form = { building_name: building, has_det: det };
    const record = await user.put<Image>(`/images/${image.id}`, form);
    Object.assign(image, { building, hasDet: detWords[det] });
    sameImage(record, image);
  }),

  step(3, 'move an image', async (user) => {
    const { random, model } = user;
    const image = random.of(model.imagesIn(false));
    if (!image) return;
    const folder = random.of([undefined, ...model.folders.active]);
    const form = { folder_id: folder?.id ?? ' ' };
    const record = await user.put<Image>(`/images/${image.id}`, form);
    image.folderId = folder?.id ?? null;
    sameImage(record, image);
  }),

  step(3, 'trash an image', async (user) => {
    const image = user.random.of(user.model.imagesIn(false));
    if (!image) return;
    const record = await user.put<Image>(`/images/${image.id}`, { delete: 'True' });
    user.model.trashImage(image);
    sameImage(record, image);
  }),

  step(3, 'restore an image', async (user) => {
    const image = user.random.of(user.model.imagesIn(true));
    if (!image) return;
    const record = await user.put<Image>(`/images/${image.id}`, { delete: 'False' });
    user.model.restoreImage(image);
    sameImage(record, image);
  }),

  step(2, 'share images', async (user) => {
    const { random, model } = user;
    const images = random.shuffled(model.imagesIn(false)).slice(0, 5);
    if (images.length === 0) return;
    const form = { image_ids: images.map(({ id }) => id) };
    const records = await user.post<Image[]>('/images/share', form);
    for (const image of images) image.isShared = true;
    assert.equal(records.length, images.length);
    records.forEach((record, i) => images[i] && sameImage(record, images[i]));
  }),

  step(2, 'count', async (user) => {
    const { model } = user;
    const { count } = await user.get<{ count: number }>('/images/count');
    assert.equal(count, model.imagesIn(false).length);
    const info = await user.get<{ image_count: number; trash_image_count: number }>('/info');
    assert.equal(info.image_count, model.imagesIn(false).length);
    assert.equal(info.trash_image_count, model.imagesIn(true).length);
  }),
];
