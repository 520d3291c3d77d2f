import { toMegabytes } from '../../base/units.js';
import { characterPerByte } from '../../database/bulk.js';
import { columnName, type Columns } from '../../database/columns.js';
import { shownByBrowsers } from '../../imaging/port.js';
import { fullName, objectName, type ObjectRole, type VersionId } from '../../store/object-key.js';

// The types of fields of records: each selects what it needs of a row as text, and writes its JSON
// from that. PostgreSQL writes values faster than objects: in a third of the time of whole records,
// whose field names repeat for each image.

/** Separate the texts of images, and those of a list within one; neither JSON nor any other text has them. */
const separators = ['\u0001', '\u0002'] as const;
const sqlOf = (separator: string): string => `E'\\x0${separator.charCodeAt(0)}'`;

export type Texts = readonly string[];

const split = (all: string, separator: string): Texts => (all === '' ? [] : all.split(separator));

/** Splits what `recordsSql` selected; empty if there are no images. */
export const textsOf = (all: string): Texts => split(all, separators[0]);

/** Joins texts of one image as `recordsSql` does. */
export const joinTexts = (...texts: readonly string[]): string => texts.join(separators[0]);

/** SQL of these texts of an image, with one character for each byte of UTF-8. */
export const textSql = (texts: readonly string[]): string =>
  characterPerByte(`concat_ws(${sqlOf(separators[0])}, ${texts.join(', ')})`);

/** SQL of these texts of all images, in this order. */
export const textsSql = (texts: readonly string[], order: string): string => {
  const separator = sqlOf(separators[0]);
  const each = `concat_ws(${separator}, ${texts.join(', ')})`;
  return characterPerByte(`coalesce(string_agg(${each}, ${separator} ORDER BY ${order}), '')`);
};

/** Data of records that is not in their rows. */
export interface JsonContext {
  /** What records include, in the order of the texts after those of every image. */
  readonly included: readonly string[];
  /** Whether a record is by itself, which alone has the address of the whole picture. */
  readonly single: boolean;
  /** @param second since 1970. */
  readonly time: (second: number) => string;
  /** @param object of the version. @param name under which clients should save it. */
  readonly url: (version: VersionId, object: string, name?: string) => string;
}

/**
 * Writes a field as JSON, with one character for each byte.
 * @param at index of the first text of the row.
 */
export type Field = (texts: Texts, at: number, context: JsonContext) => string;

type Read = (texts: Texts, at: number) => string;

const none = 'null';
const quoted = (text: string): string => `"${text}"`;

/** What is selected of rows of a table, and the fields that are written from that. */
export class RowTexts<C extends Columns> {
  /** SQL of the texts of each row. */
  readonly sql: string[] = [];

  constructor(
    readonly alias: string,
    private readonly columns: C,
  ) {}

  column(property: keyof C & string): string {
    return `${this.alias}.${columnName(this.columns, property)}`;
  }

  /** Adds a text unless it is already selected. @returns a function that reads it. */
  reading(sql: string): Read {
    const known = this.sql.indexOf(sql);
    const place = known < 0 ? this.sql.push(sql) - 1 : known;
    return (texts, at) => texts[at + place] ?? none;
  }

  /** The same; `null` if its column is null. */
  of(property: keyof C & string, sql = this.column(property)): Read {
    return this.reading(this.columns[property]?.nullable ? orNone(sql) : sql);
  }

  uuid(property: keyof C & string): Field {
    const id = this.of(property);
    return (texts, at) => {
      const text = id(texts, at);
      return text === none ? none : quoted(text);
    };
  }

  text(property: keyof C & string): Field {
    return this.of(property, `to_json(${this.column(property)})`);
  }

  /** A number or a boolean. */
  plain(property: keyof C & string): Field {
    return this.of(property, `${this.column(property)}::text`);
  }

  hex(property: keyof C & string): Field {
    const digits = this.of(property, `encode(${this.column(property)}, 'hex')`);
    return (texts, at) => quoted(digits(texts, at));
  }

  /** PostgreSQL breaks base64 into lines. */
  base64(property: keyof C & string): Field {
    const lines = this.of(property, `encode(${this.column(property)}, 'base64')`);
    return (texts, at) => quoted(lines(texts, at).replaceAll('\n', ''));
  }

  /**
   * An instant, selected as its microseconds since 2000 in 16 hexadecimal digits. The clock of the
   * service writes the time: PostgreSQL could know other rules of a time zone.
   */
  time(property: keyof C & string): Field {
    const sql = `encode(timestamptz_send(${this.column(property)}), 'hex')`;
    const microseconds = this.of(property, sql);
    return (texts, at, context) => {
      const digits = microseconds(texts, at);
      return digits === none ? none : context.time(secondOf(digits));
    };
  }

  /** A floating-point number; `+ 0` turns -0 into 0, as JSON.stringify does. */
  float(sql: string): Field {
    const number = this.reading(orNone(`${sql} + 0`));
    return (texts, at) => {
      const text = number(texts, at);
      return text.includes('e') ? String(Number(text)) : text; // 1e-07 is 1e-7 in JavaScript
    };
  }

  decimal(property: keyof C & string): Field {
    return this.float(this.column(property));
  }

  megabytes(property: keyof C & string): Field {
    const bytes = this.of(property);
    return (texts, at) => String(toMegabytes(Number(bytes(texts, at))));
  }
}

export const resolutionOf =
  (width: Read, height: Read): Field =>
  (texts, at) =>
    `"${width(texts, at)}x${height(texts, at)}"`;

const orNone = (sql: string): string => `coalesce((${sql})::text, '${none}')`;

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

/** A version of an image, as texts of its row. */
export interface VersionTexts {
  readonly platformId: Read;
  readonly userId: Read;
  readonly imageId: Read;
  readonly versionId: Read;
}

/** The URL of an object of a version. @param object the rest of its key. @param name under which clients should save it. */
export const urlOf =
  (
    { platformId, userId, imageId, versionId }: VersionTexts,
    object: Read,
    name?: (texts: Texts, at: number) => string | undefined,
  ): Field =>
  (texts, at, context) =>
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

export const objectOf =
  (role: ObjectRole, extension: Read): Read =>
  (texts, at) =>
    objectName(role, extension(texts, at));

/** The original name, from its JSON; most are simple. */
export const nameIn =
  (json: Read) =>
  (texts: Texts, at: number): string | undefined => {
    const name = json(texts, at);
    if (name === none) return undefined;
    if (/^"[\w.-]*"$/.test(name)) return name.slice(1, -1);
    return JSON.parse(Buffer.from(name, 'latin1').toString()) as string;
  };

/**
 * What a browser displays: the rendition, or the stored bytes if none was needed.
 * @param displayExtension of the rendition.
 */
export const displayUrl =
  (displayExtension: Read, rendition: Field, stored: Field): Field =>
  (texts, at, context) =>
    (displayExtension(texts, at) === none ? stored : rendition)(texts, at, context);

/**
 * The whole picture as any browser shows it: the stored bytes, or what is made of them on demand.
 * @param format as JSON.
 */
export function fullUrl(version: VersionTexts, format: Field, stored: Field): Field {
  const made = urlOf(version, () => fullName);
  return (texts, at, context) => {
    const isShown = shownByBrowsers.has(format(texts, at, context).slice(1, -1));
    return (isShown ? stored : made)(texts, at, context);
  };
}

type NamedField = readonly [name: string, write: Field];

/** A list of rows that belong to an image, as one of its texts. */
export class ListTexts {
  readonly #fields: readonly NamedField[];
  readonly #single: readonly NamedField[];

  /**
   * @param from its rows, those of image `i`. @param order within the list.
   * @param single fields of a record that is by itself alone.
   */
  constructor(
    private readonly rows: RowTexts<Columns>,
    private readonly from: string,
    private readonly order: string,
    fields: Readonly<Record<string, Field>>,
    single: Readonly<Record<string, Field>> = {},
  ) {
    this.#fields = Object.entries(fields);
    this.#single = [...this.#fields, ...Object.entries(single)];
  }

  /** SQL of its text, empty for an empty list. @param condition on its rows. */
  sql(condition = ''): string {
    const separator = sqlOf(separators[1]);
    const each = `concat_ws(${separator}, ${this.rows.sql.join(', ')})`;
    return `coalesce((SELECT string_agg(${each}, ${separator} ORDER BY ${this.order})
      FROM ${this.from} ${condition}), '')`;
  }

  /** Its items as JSON, without the brackets. */
  items(text: string, context: JsonContext): string {
    const texts = split(text, separators[1]);
    const fields = context.single ? this.#single : this.#fields;
    let json = '';
    for (let at = 0; at < texts.length; at += this.rows.sql.length) {
      let separator = at === 0 ? '{' : ',{';
      for (const [name, write] of fields) {
        json += `${separator}"${name}":${write(texts, at, context)}`;
        separator = ',';
      }
      json += '}';
    }
    return json;
  }
}
