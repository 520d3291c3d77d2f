import { toMegabytes } from '../../base/units.js';
import { columnName, only, selectList } from '../../database/columns.js';
import { characterPerByte } from '../../database/bulk.js';
import type { MaybeBatched } from '../../http/paging/batches.js';
import { objectKey, objectName, type ObjectRole, type VersionId } from '../../store/object-key.js';
import { imageColumns } from './entity.js';
import type { ImageRow } from './images.sql.js';
import type { ImageRecord } from './schemas.js';

/** Separates the texts of a page; neither JSON nor any other text read ever contains it. */
const separator = '\u0001';
const sqlSeparator = `E'\\x01'`;

/** The texts of a page: those of its first image, of its second, and so on. */
type Texts = readonly string[];

/**
 * The values that a page reads for each image, as text. PostgreSQL writes values faster than
 * objects: in a third of the time of whole records, whose field names repeat for each image.
 */
class TextColumns {
  readonly #sql: string[] = [];

  /**
   * Adds a text unless it is already included.
   * @param sql not null.
   * @returns its index among the texts of an image.
   */
  place(sql: string): number {
    const known = this.#sql.indexOf(sql);
    return known < 0 ? this.#sql.push(sql) - 1 : known;
  }

  get count(): number {
    return this.#sql.length;
  }

  /**
   * SQL of the texts of all images, with one character for each byte of UTF-8.
   * @param besides texts after those of every image, not null.
   */
  allSql(order: string, besides: readonly string[]): string {
    const one = `concat_ws(${sqlSeparator}, ${[...this.#sql, ...besides].join(', ')})`;
    return characterPerByte(`string_agg(${one}, ${sqlSeparator} ORDER BY ${order})`);
  }
}

/** Splits a page into texts. @param all the result of `allSql`; empty if there are no images. */
export const textsOf = (all: string): Texts => (all === '' ? [] : all.split(separator));

/** SQL of the microseconds of an instant since 2000, as 16 hexadecimal digits. */
const microsecondsSql = (instant: string): string => `encode(timestamptz_send(${instant}), 'hex')`;

const second2000 = 946_684_800;

/**
 * Converts such an instant to seconds since 1970. The microseconds of distant years exceed the
 * precision of a number, so they are read in two halves.
 */
function secondOf(microseconds: string): number {
  const high = parseInt(microseconds.slice(0, 8), 16) | 0;
  const low = parseInt(microseconds.slice(8), 16);
  return second2000 + high * 4294 + Math.floor((high * 967_296 + low) / 1e6); // 2^32 is 4294967296
}

// The types of fields of an image record. Each is implemented twice, side by side: reading it from
// a row, and writing its JSON from the texts of a page of images `i`.

/** An image record whose arrays may come in batches. */
export type BatchedImageRecord = MaybeBatched<ImageRecord>;

/** The includes of an image record; null if not requested. */
export type IncludedRecords = Pick<BatchedImageRecord, 'memos' | 'customs' | 'filedatas'>;

/** Data of a record that is not in its row. */
export interface RecordContext {
  readonly time: (instant: Date) => string;
  /** The signed URL of an object. */
  readonly url: (key: string) => string;
  readonly included: IncludedRecords;
}

/** The same as JSON, in ASCII. */
export interface JsonContext {
  /** @param second since 1970. */
  readonly time: (second: number) => string;
  /** @param name of one of the version's objects. */
  readonly url: (version: VersionId, name: string) => string;
}

export interface Field<Value> {
  readonly read: (row: ImageRow, context: RecordContext) => Value;
  /** @param at index of the image's first text. */
  readonly write: (texts: Texts, at: number, context: JsonContext) => string;
}

/** Properties of a row with values of this type. */
type Having<Value> = {
  [P in keyof ImageRow]-?: ImageRow[P] extends Value ? P : never;
}[keyof ImageRow] &
  keyof typeof imageColumns;

/** The texts that a page reads for each image. */
export const pageColumns = new TextColumns();

const column = (property: keyof typeof imageColumns): string =>
  `i.${columnName(imageColumns, property)}`;

const none = 'null';

/** Adds a text; `null` if its column is null. @returns a function that reads it. */
function textOf(property: keyof typeof imageColumns, sql = column(property)) {
  const { nullable } = imageColumns[property] as { readonly nullable?: boolean };
  return reading(nullable ? orNone(sql) : sql);
}

const orNone = (sql: string): string => `coalesce((${sql})::text, '${none}')`;

function reading(sql: string): (texts: Texts, at: number) => string {
  const place = pageColumns.place(sql);
  return (texts, at) => texts[at + place] ?? none;
}

const quoted = (text: string): string => `"${text}"`;
const quotedOrNull = (text: string): string => (text === none ? none : quoted(text));

export const uuid = <P extends Having<string | null>>(property: P): Field<ImageRow[P]> => {
  const id = textOf(property);
  return { read: (row) => row[property], write: (texts, at) => quotedOrNull(id(texts, at)) };
};

export const text = <P extends Having<string | null>>(property: P): Field<ImageRow[P]> => ({
  read: (row) => row[property],
  write: textOf(property, `to_json(${column(property)})`),
});

export const plain = <P extends Having<number | boolean | null>>(
  property: P,
): Field<ImageRow[P]> => ({
  read: (row) => row[property],
  write: textOf(property, `${column(property)}::text`),
});

export const hex = (property: Having<Buffer>): Field<string> => {
  const digits = textOf(property, `encode(${column(property)}, 'hex')`);
  return {
    read: (row) => row[property].toString('hex'),
    write: (texts, at) => quoted(digits(texts, at)),
  };
};

/** PostgreSQL breaks base64 into lines. */
export const base64 = (property: Having<Buffer>): Field<string> => {
  const lines = textOf(property, `encode(${column(property)}, 'base64')`);
  return {
    read: (row) => row[property].toString('base64'),
    write: (texts, at) => quoted(lines(texts, at).replaceAll('\n', '')),
  };
};

// The clock of the service writes the time: PostgreSQL could know other rules of a time zone.
export const time = <P extends Having<Date | null>>(
  property: P,
): Field<string | Extract<ImageRow[P], null>> => {
  const instantText = textOf(property, microsecondsSql(column(property)));
  return {
    read: (row, context) => {
      const instant: Date | null = row[property];
      return instant === null ? (instant as Extract<ImageRow[P], null>) : context.time(instant);
    },
    write: (texts, at, context) => {
      const instant = instantText(texts, at);
      return instant === none ? none : context.time(secondOf(instant));
    },
  };
};

/**
 * One coordinate of the location, read as in every list; `+ 0` turns -0 into 0, as JSON.stringify
 * does.
 */
export const degrees = (half: 'lat' | 'lng'): Field<number | null> => {
  const number = reading(orNone(`place.${half} + 0`));
  return {
    read: (row) => row[half],
    write: (texts, at) => {
      const text = number(texts, at);
      return text.includes('e') ? String(Number(text)) : text; // 1e-07 is 1e-7 in JavaScript
    },
  };
};

/** SQL that joins the coordinates read by `degrees` to images `i`. */
export const placeOfImage = `CROSS JOIN LATERAL (SELECT ${selectList(only(imageColumns, 'location'), 'i')}) AS place`;

export const megabytes = (property: 'bytes'): Field<number> => {
  const bytes = textOf(property);
  return {
    read: (row) => toMegabytes(row[property]),
    write: (texts, at) => String(toMegabytes(Number(bytes(texts, at)))),
  };
};

interface Size {
  readonly width: number;
  readonly height: number;
}

/** @param size in pixels. */
export const resolutionOf = ({ width, height }: Size): string => `${width}x${height}`;

const width = textOf('width');
const height = textOf('height');

export const resolution: Field<string> = {
  read: resolutionOf,
  write: (texts, at) => `"${width(texts, at)}x${height(texts, at)}"`,
};

/** An include; pages of text have none. */
export const included = <P extends keyof IncludedRecords>(name: P): Field<IncludedRecords[P]> => ({
  read: (_row, context) => context.included[name],
  write: () => none,
});

type Extension = 'extension' | 'displayExtension' | 'thumbExtension' | 'originalExtension';

const platformId = textOf('platformId');
const userId = textOf('userId');
const imageId = textOf('id');

/** The URL of an object of the upload or of the current version. */
export function url(
  version: 'id' | 'versionId',
  role: ObjectRole,
  extension: Extension,
): Field<string> {
  const versionId = textOf(version);
  const extensionText = textOf(extension);
  return {
    read: (row, context) =>
      context.url(
        objectKey(
          {
            platformId: row.platformId,
            userId: row.userId,
            imageId: row.id,
            versionId: row[version],
          },
          role,
          row[extension] ?? '', // called only for versions with this extension
        ),
      ),
    write: (texts, at, context) =>
      context.url(
        {
          platformId: platformId(texts, at),
          userId: userId(texts, at),
          imageId: imageId(texts, at),
          versionId: versionId(texts, at),
        },
        objectName(role, extensionText(texts, at)),
      ),
  };
}

const rendition = url('versionId', 'display', 'displayExtension');
const stored = url('versionId', 'original', 'extension');
const displayExtension = textOf('displayExtension');

/**
 * URL of the image that a browser displays: the rendition, or the stored bytes if none was needed.
 */
export const displayUrl: Field<string> = {
  read: (row, context) => (row.displayExtension === null ? stored : rendition).read(row, context),
  write: (texts, at, context) =>
    (displayExtension(texts, at) === none ? stored : rendition).write(texts, at, context),
};
