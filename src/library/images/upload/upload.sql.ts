import type { EntityManager } from 'typeorm';
import {
  boundList,
  nameList,
  namesOf,
  propertiesOf,
  touched,
  valuesOf,
  without,
  type RowOf,
} from '../../../database/columns.js';
import { insert, onlyRow, type Queryable } from '../../../database/sql.js';
import {
  addressColumns,
  ImageEntity,
  imageColumns,
  ImageVersionEntity,
  versionColumns,
  type Image,
  type ImageVersion,
  type VersionAttributes,
} from '../entity.js';
import { wholeRow, type ImageRow } from '../images.sql.js';

type Address = RowOf<typeof addressColumns>;

/** An image as it is uploaded; the database fills in the rest. */
export type NewImage = Omit<Image, (typeof later)[number] | keyof Address> & Partial<Address>;

/** Columns that an upload leaves alone. */
const later = ['updatedAt', 'uploadedAt', 'deletedAt', 'trashedWith', 'unreadFields'] as const;
const newImage = without(imageColumns, ...later);

/**
 * Columns of the first version whose values do not come from the image's column of the same name.
 */
const ofVersion = new Map([
  ['id', 'version_id'],
  ['image_id', 'id'],
  ['created_at', 'updated_at'],
  ['full_extension', 'NULL'],
]);
const versionNames = namesOf(versionColumns);

const noAddress = Object.fromEntries(
  propertiesOf(addressColumns).map((property) => [property, null]),
) as Address;

const imageInsert = `
  WITH image AS (
    INSERT INTO images (${nameList(newImage)}) VALUES (${boundList(newImage)}) RETURNING *
  ),
  version AS (
    INSERT INTO image_versions (${versionNames.join(', ')})
    SELECT ${versionNames.map((name) => ofVersion.get(name) ?? name).join(', ')} FROM image
  )
  SELECT ${wholeRow} FROM image i`;

/** Inserts an image and its first version. @returns the image as reads select it. */
export const insertImage = (tx: Queryable, image: NewImage) =>
  onlyRow<ImageRow>(
    tx,
    imageInsert,
    // Not spread, as in `#newImage` of the service.
    valuesOf(newImage, Object.assign({ ...noAddress }, image)),
  );

export const insertVersion = (tx: EntityManager, version: ImageVersion): Promise<unknown> =>
  insert(tx, ImageVersionEntity, version);

/** The columns of an image that a new version changes. */
export type CurrentVersion = VersionAttributes &
  Pick<Image, 'versionId' | 'version' | 'edits' | 'editBytes' | 'filename' | 'thumbhash'>;

/** Makes a version the current one of the user's image. */
export const setCurrentVersion = (
  tx: EntityManager,
  image: Pick<Image, 'id' | 'userId'>,
  version: CurrentVersion,
): Promise<unknown> => tx.update(ImageEntity, image, { ...version, updatedAt: touched });
