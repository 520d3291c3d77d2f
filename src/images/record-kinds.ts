import { nameOf, only, selectList } from '../database/columns.js';
import { concatenation, megabytesPiece, sqlPiece } from '../database/json-text.js';
import type { JsonPiece } from '../database/json-text.js';
import type { MaybeBatched } from '../paging/batches.js';
import { objectKey } from '../store/object-key.js';
import type { ObjectRole } from '../store/object-key.js';
import { toMegabytes } from '../units.js';
import { imageColumns } from './entity.js';
import type { ImageRow } from './queries.js';
import { folderPlaceholder, timePlaceholder, urlPlaceholder } from './record-splice.js';
import type { ImageRecord } from './schemas.js';

// The kinds of fields of an image record, each written twice, side by side: how JavaScript reads it
// from a row, and how PostgreSQL writes the same JSON for an image `i`.

/** An image record whose arrays may come in batches. */
export type BatchedImageRecord = MaybeBatched<ImageRecord>;

/** What an image record includes besides the image; null if not requested. */
export type IncludedRecords = Pick<BatchedImageRecord, 'memos' | 'customs' | 'filedatas'>;

/** What a record says that is not in its row. */
export interface Surroundings {
  readonly time: (instant: Date) => string;
  /** The signed URL of an object. */
  readonly url: (key: string) => string;
  readonly included: IncludedRecords;
}

export interface Field<Value> {
  readonly read: (row: ImageRow, around: Surroundings) => Value;
  readonly json: readonly JsonPiece[];
}

/** Properties of a row that have such values. */
type Having<Value> = {
  [P in keyof ImageRow]-?: ImageRow[P] extends Value ? P : never;
}[keyof ImageRow] &
  keyof typeof imageColumns;

const column = (property: keyof typeof imageColumns): string =>
  `i.${nameOf(imageColumns, property)}`;

const orNull = (sql: string): JsonPiece => sqlPiece(`coalesce(${sql}, 'null')`);

/** A column as it is; `sql` is its JSON, or null where the column is. */
const asItIs = <P extends Having<string | number | boolean | null>>(
  property: P,
  sql: (column: string) => string,
): Field<ImageRow[P]> => ({
  read: (row) => row[property],
  json: [orNull(sql(column(property)))],
});

export const uuid = <P extends Having<string | null>>(property: P) =>
  asItIs(property, (name) => `'"' || ${name} || '"'`);

export const text = <P extends Having<string | null>>(property: P) =>
  asItIs(property, (name) => `to_json(${name})::text`);

export const plain = <P extends Having<number | boolean | null>>(property: P) =>
  asItIs(property, (name) => `${name}::text`);

/** Text in quotes that needs no escaping. */
const quoted = (sql: string): readonly JsonPiece[] => ['"', sqlPiece(sql), '"'];

export const hex = (property: Having<Buffer>): Field<string> => ({
  read: (row) => row[property].toString('hex'),
  json: quoted(`encode(${column(property)}, 'hex')`),
});

/** PostgreSQL breaks base64 into lines. */
export const base64 = (property: Having<Buffer>): Field<string> => ({
  read: (row) => row[property].toString('base64'),
  json: quoted(`replace(encode(${column(property)}, 'base64'), E'\\n', '')`),
});

// The clock of the service writes the time: PostgreSQL could know other rules of a time zone.
export const time = <P extends Having<Date | null>>(
  property: P,
): Field<string | Extract<ImageRow[P], null>> => ({
  read: (row, around) => {
    const instant: Date | null = row[property];
    return instant === null ? (instant as Extract<ImageRow[P], null>) : around.time(instant);
  },
  json: [orNull(timePlaceholder(column(property)))],
});

/** A half of the location, read as every list reads it; `+ 0` turns -0 into 0, as JSON.stringify does. */
export const degrees = (half: 'lat' | 'lng'): Field<number | null> => ({
  read: (row) => row[half],
  json: [orNull(`(place.${half} + 0)::text`)],
});

/** Joins what `degrees` reads to images `i`. */
export const placeOfImage = `CROSS JOIN LATERAL (SELECT ${selectList(only(imageColumns, 'location'), 'i')}) AS place`;

export const megabytes = (property: 'bytes'): Field<number> => ({
  read: (row) => toMegabytes(row[property]),
  json: [megabytesPiece(column(property))],
});

interface Size {
  readonly width: number;
  readonly height: number;
}

/** @param size in pixels. */
export const resolutionOf = ({ width, height }: Size): string => `${width}x${height}`;

export const resolution: Field<string> = {
  read: resolutionOf,
  json: ['"', sqlPiece(column('width')), 'x', sqlPiece(column('height')), '"'],
};

/** Of an include; PostgreSQL writes only records without any. */
export const included = <P extends keyof IncludedRecords>(name: P): Field<IncludedRecords[P]> => ({
  read: (_row, around) => around.included[name],
  json: ['null'],
});

type Extension = 'extension' | 'displayExtension' | 'thumbExtension' | 'originalExtension';

/** Precedes a record: the folder of all objects of an image. */
export const imageFolder = folderPlaceholder(
  ...[sqlPiece(column('platformId')), '/', sqlPiece(column('userId')), '/'],
  sqlPiece(column('id')),
);

/** An object of one version of an image. */
const object = (version: 'id' | 'versionId', role: ObjectRole, extension: Extension) => ({
  key: (row: ImageRow): string =>
    objectKey(
      {
        platformId: row.platformId,
        userId: row.userId,
        imageId: row.id,
        versionId: row[version],
      },
      role,
      row[extension] ?? '', // asked only where there is one
    ),
  /** After `imageFolder`. */
  sql: [sqlPiece(column(version)), `/${role}.`, sqlPiece(column(extension))],
});

/** The URL of an object of the upload or of the current version. */
export function url(
  version: 'id' | 'versionId',
  role: ObjectRole,
  extension: Extension,
): Field<string> {
  const { key, sql } = object(version, role, extension);
  return { read: (row, around) => around.url(key(row)), json: urlPlaceholder(...sql) };
}

const rendition = object('versionId', 'display', 'displayExtension');
const stored = object('versionId', 'original', 'extension');

/** URL of what a browser displays: the rendition, or the stored bytes if none was needed. */
export const displayUrl: Field<string> = {
  read: (row, around) => around.url((row.displayExtension === null ? stored : rendition).key(row)),
  json: urlPlaceholder(
    sqlPiece(
      `CASE WHEN ${column('displayExtension')} IS NULL THEN ${concatenation(stored.sql)}
       ELSE ${concatenation(rendition.sql)} END`,
    ),
  ),
};
