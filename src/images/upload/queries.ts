import type { EntityManager } from 'typeorm';
import { insert } from '../../database/insert.js';
import type { RowOf } from '../../database/table.js';
import { ImageEntity, ImageVersionEntity } from '../entity.js';
import type { addressColumns, Image, ImageVersion, VersionAttributes } from '../entity.js';

type Address = RowOf<typeof addressColumns>;

/** An image as it is uploaded; the database fills in the rest. */
export type NewImage = Omit<Image, 'uploadedAt' | 'deletedAt' | 'trashedWith' | keyof Address> &
  Partial<Address>;

export const insertImage = (tx: EntityManager, image: NewImage): Promise<unknown> =>
  insert(tx, ImageEntity, image);

export const insertVersion = (tx: EntityManager, version: ImageVersion): Promise<unknown> =>
  insert(tx, ImageVersionEntity, version);

/** The columns of an image that a new version changes. */
export type CurrentVersion = VersionAttributes &
  Pick<
    Image,
    'versionId' | 'version' | 'edits' | 'editBytes' | 'filename' | 'thumbhash' | 'updatedAt'
  >;

/** Makes a version the current one of the user's image. */
export const setCurrentVersion = (
  tx: EntityManager,
  image: Pick<Image, 'id' | 'userId'>,
  version: CurrentVersion,
): Promise<unknown> => tx.update(ImageEntity, image, version);
