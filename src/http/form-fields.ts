import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { z } from 'zod';
import { ServiceError, invalidField } from '../base/errors/catalogue.js';
import { bytesPerMegabyte } from '../base/units.js';

/** Request fields before validation: text from forms and queries, values from JSON. */
export type RawFields = Record<string, unknown>;

/** Limits on the fields of one request. */
export interface FieldLimits {
  /** Total size of names and values. */
  readonly bytes: number;
  readonly fields: number;
  /** Values of JSON: objects, lists, and what is in them. */
  readonly values: number;
}

/** For requests without a file; a list of 10,000 hashes fits, and 1,000 changes of 30 fields do. */
export const fieldLimits: FieldLimits = {
  bytes: 2 * bytesPerMegabyte,
  fields: 10_100,
  values: 40_100,
};

/** For uploads; also the allowance for a form's parts besides its file. */
export const uploadFieldLimits: FieldLimits = {
  bytes: bytesPerMegabyte,
  fields: 2_000,
  values: 2_000,
};

/** For requests without a token: a token or a code, whoever sends it. */
export const anonymousFieldLimits: FieldLimits = { bytes: 32 * 1024, fields: 20, values: 20 };

export const fieldsTooLarge = (): ServiceError =>
  new ServiceError('upload_too_large', {
    message:
      'The body has too many fields or values, or they are too large: send it in several requests.',
  });

/** Characters of a text: no field accepts more. */
const maxCharacters = 10_000;

/** The same in UTF-8, and in UTF-16 units. */
const maxTextBytes = 4 * maxCharacters;
const maxTextLength = 2 * maxCharacters;

type FieldKind = 'text' | 'list' | 'file';

/** The fields that an operation reads; all others are counted, but never decoded or kept. */
export class KnownFields {
  readonly #kinds = new Map<string, FieldKind>();

  /** @param file name of the part that is a file. */
  constructor(schemas: readonly (z.ZodObject | undefined)[], file?: string) {
    if (file !== undefined) this.#kinds.set(file, 'file');
    for (const schema of schemas) {
      for (const [name, field] of Object.entries(schema?.shape ?? {})) {
        this.#kinds.set(name, isList(field as z.ZodType) ? 'list' : 'text');
      }
    }
  }

  kindOf(name: string): FieldKind | undefined {
    return this.#kinds.get(name);
  }

  /**
   * The field that a name stands for: lists may also be written as PHP and qs do, `name[]` and
   * `name[0]`. Undefined for unknown fields.
   */
  find(name: string): string | undefined {
    if (this.#kinds.has(name)) return name;
    if (!name.endsWith(']')) return undefined;
    const list = /^([^[\]]{1,64})\[\d{0,9}\]$/.exec(name)?.[1] ?? '';
    return this.#kinds.get(list) === 'list' ? list : undefined;
  }

  /**
   * The known fields of an object; those of a list under several names are joined.
   * @throws ServiceError `invalid_field` for a text that is too long for any field.
   */
  pick(object: RawFields): RawFields {
    const raw = Object.create(null) as RawFields;
    for (const written of Object.keys(object)) {
      const name = this.find(written);
      if (name === undefined) continue;
      const value = object[written];
      const isLong = typeof value === 'string' && value.length > maxTextLength;
      if (isLong && this.#kinds.get(name) === 'text') throw tooLong(name);
      raw[name] = name in raw ? [raw[name], value].flat() : value;
    }
    return raw;
  }
}

const tooLong = (field: string): ServiceError =>
  invalidField(field, `text of at most ${maxCharacters.toLocaleString('en')} characters`);

function isList(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodPipe) {
    return isList(schema.in as z.ZodType) || isList(schema.out as z.ZodType);
  }
  const inner = 'unwrap' in schema && (schema as z.ZodOptional).unwrap();
  return schema instanceof z.ZodArray || (inner instanceof z.ZodType && isList(inner));
}

/** The rules for the fields of one request. */
export interface FieldRules {
  readonly known: KnownFields;
  readonly limits: FieldLimits;
}

/** Names the charset of fields that declare none (RFC 7578, section 4.6). */
const charsetField = '_charset_';

/** The known fields of a form as bytes; repeated ones become arrays. */
export class FormFields {
  readonly #values = new Map<string, { readonly bytes: Buffer; readonly charset?: string }[]>();
  #count = 0;
  #size = 0;
  #charset: string | undefined;

  /** @param decode decodes fields that declare no charset, unless the form itself names one. */
  constructor(
    private readonly rules: FieldRules,
    private readonly decode: Decode = decodeUtf8,
  ) {}

  /** Counts a field by its size, whether it is known or not. @throws ServiceError `upload_too_large`. */
  count(bytes: number, fields = 1): void {
    this.#count += fields;
    this.#size += bytes;
    const { limits } = this.rules;
    if (this.#count > limits.fields || this.#size > limits.bytes) throw fieldsTooLarge();
  }

  /** Whether a field has to be added; otherwise it is skipped. */
  wants(name: string): boolean {
    return name === charsetField || this.rules.known.find(name) !== undefined;
  }

  /** @throws ServiceError `invalid_field` for a text that is too long for any field. */
  add(written: string, bytes: Buffer, charset?: string): void {
    if (written === charsetField)
      this.#charset ??= bytes.subarray(0, 100).toString('latin1').trim();
    const { known } = this.rules;
    const name = known.find(written);
    if (name === undefined) return;
    const kind = known.kindOf(name);
    if (kind === 'text' && bytes.length > maxTextBytes) throw tooLong(name);
    // Text in place of the file is an error, whatever it says.
    const value = { bytes: kind === 'file' ? Buffer.alloc(0) : bytes, ...(charset && { charset }) };
    const values = this.#values.get(name);
    if (values) values.push(value);
    else this.#values.set(name, [value]);
  }

  /**
   * Without a prototype, since a field may have any name.
   * @throws ServiceError `invalid_field` for text that is not in the declared charset.
   */
  toRaw(): RawFields {
    const raw = Object.create(null) as RawFields;
    const common = this.#charset ? decoderNamed(this.#charset, charsetField) : this.decode;
    for (const [name, values] of this.#values) {
      const texts = values.map(({ bytes, charset }) =>
        decoded(name, bytes, charset === undefined ? common : decoderNamed(charset, name)),
      );
      raw[name] = texts.length > 1 ? texts : texts[0];
    }
    return raw;
  }
}

/** @throws ServiceError `invalid_field`. */
function decoderNamed(charset: string, field: string): Decode {
  const decode = decoderOf(charset);
  if (decode) return decode;
  throw invalidField(field, 'in a charset of the Encoding Standard, such as UTF-8 or EUC-KR');
}

function decoded(field: string, bytes: Buffer, decode: Decode): string {
  const text = decode(bytes);
  if (text === undefined) {
    throw invalidField(field, 'text in UTF-8, or in the charset that the request declares');
  }
  return text;
}

/** Decodes text; undefined if bytes are not valid in the charset. */
export type Decode = (bytes: Buffer) => string | undefined;

/** Names that the Encoding Standard lacks, or reads as windows-1252. */
const labels = new Map([
  ['us-ascii', 'utf-8'],
  ['ascii', 'utf-8'],
  ['cp949', 'euc-kr'],
  ['ms949', 'euc-kr'],
  ['uhc', 'euc-kr'],
]);

/** Names of encodings of the Encoding Standard in iconv-lite, where the two differ. */
const tables = new Map([
  ['euc-kr', 'cp949'],
  ['gbk', 'gb18030'],
  ['big5', 'big5-hkscs'],
  ['ibm866', 'cp866'],
  ['iso-8859-8-i', 'iso-8859-8'],
  ['x-mac-cyrillic', 'maccyrillic'],
]);

/** Bytes that a table decodes in 10 ms: more than any text, less than a body. */
const maxTableBytes = 512 * 1024;

const replacement = '\ufffd';

export const decodeUtf8: Decode = (bytes) => (isUtf8(bytes) ? bytes.toString() : undefined);

/**
 * The decoder of a charset by any label of the Encoding Standard; undefined for an unknown one.
 * TextDecoder only reads the labels, UTF-16 and ISO-2022-JP: the one of Node.js takes euc-kr
 * without the extension that most Korean text needs, and windows-1252 for ISO 8859-1, both without
 * an error.
 */
export function decoderOf(label: string): Decode | undefined {
  const wanted = label.trim().toLowerCase();
  const name = encodingOf(labels.get(wanted) ?? wanted);
  if (name === undefined || name === 'utf-8') return name && decodeUtf8;
  const table = tables.get(name) ?? name;
  if (name.startsWith('utf-16') || !iconv.encodingExists(table)) return decodeStrictly(name);
  return (bytes) => {
    if (bytes.length > maxTableBytes) return undefined;
    const text = iconv.decode(bytes, table, { stripBOM: false });
    return text.includes(replacement) ? undefined : text;
  };
}

function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

const decodeStrictly =
  (name: string): Decode =>
  (bytes) => {
    try {
      return new TextDecoder(name, { fatal: true }).decode(bytes);
    } catch {
      return undefined;
    }
  };
