import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../src/database/sql.js';
import { insertMemo } from '../src/library/annotations/annotations.sql.js';
import { selectImage } from '../src/library/images/images.sql.js';
import { selectWholePage } from '../src/library/images/list/whole.sql.js';
import { shareImage, updateImage } from '../src/library/images/update/update.sql.js';
import { insertImage } from '../src/library/images/upload/upload.sql.js';

/** An image that is there, and an index of its user's list. */
export interface KnownImage {
  readonly id: string;
  readonly userId: string;
  readonly platformId: string;
  readonly folderId: string | null;
  readonly index: number;
}

type Statement = (db: Queryable, image: KnownImage) => Promise<unknown>;

/** Another image of the same user, as the upload of a phone's picture inserts it. */
const insert: Statement = (db, { userId, platformId, folderId }) => {
  const id = uuidv7();
  const now = new Date();
  const hash = randomBytes(32);
  const [longitude, latitude] = [126.98 + (hash[0] ?? 0) / 1000, 37.56 + (hash[1] ?? 0) / 1000];
  const image = {
    id,
    userId,
    platformId,
    folderId,
    versionId: id,
    version: 0,
    uploadSetId: null,
    createdAt: now,
    updatedAt: now,
    takenAt: now,
    uploadType: 'camera' as const,
    hash,
    location: { type: 'Point' as const, coordinates: [longitude, latitude] as [number, number] },
    hasDet: null,
    isShared: false,
    isSigned: false,
    isIncomplete: false,
    filename: `20260101_120000_000_20260101_120000_${hash.toString('hex')}_0.jpg`,
    format: 'jpeg' as const,
    extension: 'jpg',
    displayExtension: 'jpg',
    thumbExtension: 'webp',
    bytes: 2_500_000,
    width: 4000,
    height: 3000,
    thumbhash: Buffer.from('1c0812', 'hex'),
    originalExtension: 'jpg',
    originalBytes: 2_500_000,
    edits: 0,
    editBytes: 0,
    originalName: 'IMG_0001.JPG',
    direction: 12,
    altitudeM: 30,
    accuracyM: 4,
    camera: 'Phone',
  };
  return insertImage(db, image, 1);
};

const wholeList = { trash: false, sortBy: 'created_at' } as const;
let det = false;

/** The statements of the service that are run most often, with how often to run each for a figure. */
export const imageStatements: readonly (readonly [name: string, calls: number, run: Statement])[] =
  [
    ['insert of an image, with its triggers', 150, insert],
    [
      'change of has_det, with its triggers',
      300,
      (db, { userId, id }) => updateImage(db, userId, id, { hasDet: (det = !det) }),
    ],
    [
      'first page of 60',
      300,
      (db, { userId }) =>
        selectWholePage(db, userId, wholeList, { start: { offset: 0 }, size: 60 }),
    ],
    [
      'deep page of 60, jumping',
      300,
      (db, { userId, index }) =>
        selectWholePage(db, userId, wholeList, { start: { offset: index }, size: 60 }),
    ],
    ['one image by its id', 1000, (db, { userId, id }) => selectImage(db, userId, id)],
  ];

/** The statements of requests that change little, by what they change. */
export const smallChanges = {
  has_det: (db, userId, id) => updateImage(db, userId, id, { hasDet: true }),
  share: shareImage,
  trash: (db, userId, id) => updateImage(db, userId, id, { trashed: true }),
  restore: (db, userId, id) => updateImage(db, userId, id, { trashed: false }),
  memo: (db, userId, imageId) =>
    insertMemo(
      db,
      { id: uuidv7(), userId, imageId, message: 'seen', isClient: true },
      { memos: 1e6, customs: 1e6, textBytes: 1e9 },
    ),
} as const satisfies Record<
  string,
  (db: Queryable, userId: string, imageId: string) => Promise<unknown>
>;
