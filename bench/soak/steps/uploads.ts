import { sameImage } from '../compare.js';
import type { Image } from '../../../testkit/records.js';
import { filePart } from '../../../testkit/pictures.js';
import { uploadTypes, type OwnImage, type Coordinates } from '../model.js';
import { step } from '../step.js';

/** The first two are fifty meters apart; the third is in another city. */
export const spots = [
  { latitude: 37.5, longitude: 127 },
  { latitude: 37.50045, longitude: 127 },
  { latitude: 35.1, longitude: 129 },
] as const satisfies readonly Coordinates[];

/** All users have the same buildings, words, and days, so any leak shows immediately. */
export const buildings = ['창고 A', '창고 B', '사무실'] as const;
export const days = ['20240310', '20240311', '20240312', '20240401'] as const;

const twoDigits = (n: number): string => String(n).padStart(2, '0');

export const uploadSteps = [
  step(14, 'upload', async (user) => {
    const { random, model } = user;
    const { bytes, hash } = user.picture();
    const folder = random.of([undefined, ...model.folders.active]);
    const spot = random.of([null, ...spots]);
    const building = random.of([null, ...buildings]);
    const createdAt = `${random.of(days)}_${twoDigits(random.below(24))}${twoDigits(random.below(60))}00`;
    const uploadType = random.of(uploadTypes);
    const message = random.of([undefined, '확인할 곳']);
    const record = await user.post<Image>('/images', {
      image_data: filePart(bytes),
      created_at: createdAt,
      upload_type: uploadType,
      ...(folder && { folder_id: folder.id }),
      ...(spot && { latitude: String(spot.latitude), longitude: String(spot.longitude) }),
      ...(building && { building_name: building }),
      ...(message !== undefined && { is_shared: 'True', message }),
    });
    const image: OwnImage = {
      id: record.id,
      createdAt,
      spot,
      uploadType,
      versions: [{ hash, bytes: bytes.length }],
      memos: new Map(),
      customs: new Map(),
      folderId: folder?.id ?? null,
      building,
      hasDet: null,
      isShared: message !== undefined,
      trash: null,
    };
    for (const memo of record.memos ?? [])
      image.memos.set(memo.id, { message: message ?? '', isClient: false });
    model.images.set(image.id, image);
    model.events[uploadType] += 1;
    sameImage(record, image);
  }),

  step(4, 'edit', async (user) => {
    const image = user.random.of(user.model.imagesIn(undefined));
    if (!image) return;
    const { bytes, hash } = user.picture();
    const form = { image_data: filePart(bytes) };
    const path = `/images/${image.id}/filedata`;
    if (image.trash) return user.denied(user.member.post(path, form), 400, 'image_in_trash');
    const record = await user.post<Image>(path, form);
    image.versions.push({ hash, bytes: bytes.length });
    user.model.events.edits += 1;
    sameImage(record, image);
  }),
];
