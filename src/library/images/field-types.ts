import { toMegabytes } from '../../base/units.js';
import { columnName } from '../../database/columns.js';
import { characterPerByte } from '../../database/bulk.js';
import { shownByBrowsers } from '../../imaging/port.js';
import { fullName, objectName, type ObjectRole, type VersionId } from '../../store/object-key.js';
import { imageColumns } from './entity.js';

// The types of fields of an image record: each selects what it needs of images `i` as text, and
// writes its JSON from that. PostgreSQL writes values faster than objects: in a third of the time of
// whole records, whose field names repeat for each image.

/** Separates texts; neither JSON nor any other text read ever contains it. */
const separator = '\u0001';
const sqlSeparator = `E'\\x01'`;

/** The texts of images: those of the first image, of the second, and so on. */
type Texts = readonly string[];

/** Splits what `textSql` or `pageTextSql` selected; empty if there are no images. */
export const textsOf = (all: string): Texts => (all === '' ? [] : all.split(separator));

/** SQL of the texts of each image. */
const columns: string[] = [];

/** Number of texts of each image. */
export const textCount = (): number => columns.length;

const joined = (besides: readonly string[]): string =>
  `concat_ws(${sqlSeparator}, ${[...columns, ...besides].join(', ')})`;

/** SQL of the texts of an image, with one character for each byte of UTF-8. */
export const textSql = (): string => characterPerByte(joined([]));

/**
 * SQL of the texts of all images, in this order.
 * @param besides texts after those of every image, not null.
 */
export const pageTextSql = (order: string, besides: readonly string[]): string =>
  characterPerByte(`string_agg(${joined(besides)}, ${sqlSeparator} ORDER BY ${order})`);

/** Data of records that is not in their rows. */
export interface JsonContext {
  /** @param second since 1970. */
  readonly time: (second: number) => string;
  /** @param object of the version. @param name under which clients should save it. */
  readonly url: (version: VersionId, object: string, name?: string) => string;
}

/**
 * Writes a field as JSON, with one character for each byte.
 * @param at index of the image's first text.
 */
export type Field = (texts: Texts, at: number, context: JsonContext) => string;

type Property = keyof typeof imageColumns;

const column = (property: Property): string => `i.${columnName(imageColumns, property)}`;

const none = 'null';
const orNone = (sql: string): string => `coalesce((${sql})::text, '${none}')`;

/** Adds a text unless it is already selected. @returns a function that reads it. */
function reading(sql: string): (texts: Texts, at: number) => string {
  const known = columns.indexOf(sql);
  const place = known < 0 ? columns.push(sql) - 1 : known;
  return (texts, at) => texts[at + place] ?? none;
}

/** The same; `null` if its column is null. */
function textOf(property: Property, sql = column(property)) {
  const { nullable } = imageColumns[property] as { readonly nullable?: boolean };
  return reading(nullable ? orNone(sql) : sql);
}

const quoted = (text: string): string => `"${text}"`;

export function uuid(property: Property): Field {
  const id = textOf(property);
  return (texts, at) => {
    const text = id(texts, at);
    return text === none ? none : quoted(text);
  };
}

export const text = (property: Property): Field => textOf(property, `to_json(${column(property)})`);

/** A number or a boolean. */
export const plain = (property: Property): Field => textOf(property, `${column(property)}::text`);

export function hex(property: Property): Field {
  const digits = textOf(property, `encode(${column(property)}, 'hex')`);
  return (texts, at) => quoted(digits(texts, at));
}

/** PostgreSQL breaks base64 into lines. */
export function base64(property: Property): Field {
  const lines = textOf(property, `encode(${column(property)}, 'base64')`);
  return (texts, at) => quoted(lines(texts, at).replaceAll('\n', ''));
}

/**
 * An instant, selected as its microseconds since 2000 in 16 hexadecimal digits. The clock of the
 * service writes the time: PostgreSQL could know other rules of a time zone.
 */
export function time(property: Property): Field {
  const microseconds = textOf(property, `encode(timestamptz_send(${column(property)}), 'hex')`);
  return (texts, at, context) => {
    const digits = microseconds(texts, at);
    return digits === none ? none : context.time(secondOf(digits));
  };
}

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

/** A floating-point number; `+ 0` turns -0 into 0, as JSON.stringify does. */
function float(sql: string): Field {
  const number = reading(orNone(`${sql} + 0`));
  return (texts, at) => {
    const text = number(texts, at);
    return text.includes('e') ? String(Number(text)) : text; // 1e-07 is 1e-7 in JavaScript
  };
}

/** One coordinate of the location. */
export const degrees = (half: 'lat' | 'lng'): Field =>
  float(`${half === 'lat' ? 'ST_Y' : 'ST_X'}(${column('location')}::geometry)`);

export const decimal = (property: Property): Field => float(column(property));

export function megabytes(property: Property): Field {
  const bytes = textOf(property);
  return (texts, at) => String(toMegabytes(Number(bytes(texts, at))));
}

const width = textOf('width');
const height = textOf('height');

export const resolution: Field = (texts, at) => `"${width(texts, at)}x${height(texts, at)}"`;

/** An include, which is added to the record if requested. */
export const included: Field = () => none;

type Extension = 'extension' | 'displayExtension' | 'thumbExtension' | 'originalExtension';

const platformId = textOf('platformId');
const userId = textOf('userId');
const imageId = textOf('id');

/** The texts of an image, from which its name may be read. */
type NameOf = (texts: Texts, at: number) => string | undefined;

const originalName = textOf('originalName', `to_json(${column('originalName')})`);
const edits = textOf('edits');

/** The original name; most are simple. */
const nameOf: NameOf = (texts, at) => {
  const json = originalName(texts, at);
  if (json === none) return undefined;
  if (/^"[\w.-]*"$/.test(json)) return json.slice(1, -1);
  return JSON.parse(Buffer.from(json, 'latin1').toString()) as string;
};

/** The same, but for edited images: each edit has a name of its own. */
const nameUnlessEdited: NameOf = (texts, at) =>
  edits(texts, at) === '0' ? nameOf(texts, at) : undefined;

/**
 * The URL of something of the upload or of the current version. @param object the rest of its key, as a
 * text of the row. @param name under which clients should save it.
 */
function urlOf(
  version: 'id' | 'versionId',
  object: (texts: Texts, at: number) => string,
  name?: NameOf,
): Field {
  const versionId = textOf(version);
  return (texts, at, context) =>
    context.url(
      {
        platformId: platformId(texts, at),
        userId: userId(texts, at),
        imageId: imageId(texts, at),
        versionId: versionId(texts, at),
      },
      object(texts, at),
      name?.(texts, at),
    );
}

/** The URL of an object of the upload or of the current version. */
function url(
  version: 'id' | 'versionId',
  role: ObjectRole,
  extension: Extension,
  name?: NameOf,
): Field {
  const extensionText = textOf(extension);
  return urlOf(version, (texts, at) => objectName(role, extensionText(texts, at)), name);
}

/** URL of the upload as it came. */
export const originalUrl: Field = url('id', 'original', 'originalExtension', nameOf);

export const thumbUrl: Field = url('versionId', 'thumb', 'thumbExtension');

const rendition = url('versionId', 'display', 'displayExtension');
const stored = url('versionId', 'original', 'extension', nameUnlessEdited);
const displayExtension = textOf('displayExtension');

/**
 * URL of the image that a browser displays: the rendition, or the stored bytes if none was needed.
 */
export const displayUrl: Field = (texts, at, context) =>
  (displayExtension(texts, at) === none ? stored : rendition)(texts, at, context);

const format = text('format');
const full = urlOf('versionId', () => fullName);

/**
 * URL of the whole picture as any browser shows it: the stored bytes, or what is made of them on
 * demand. It selects nothing that the record does not.
 */
export const fullUrl: Field = (texts, at, context) => {
  const isShown = shownByBrowsers.has(JSON.parse(format(texts, at, context)) as string);
  return (isShown ? stored : full)(texts, at, context);
};
