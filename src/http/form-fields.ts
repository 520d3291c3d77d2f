import { z } from 'zod';
import { ServiceError, invalidField } from '../base/errors/catalogue.js';
import { bytesPerMegabyte } from '../base/units.js';
import { decoderOf, decodeUtf8 } from './charset.js';
import type { Decode } from './charset.js';
import type { RawFields } from './validate.js';

/** Limits on the fields of one request. */
export interface FieldLimits {
  /** Total size of names and values. */
  readonly bytes: number;
  readonly fields: number;
}

/** For requests without a file; a list of 10,000 hashes fits. */
export const fieldLimits: FieldLimits = { bytes: 2 * bytesPerMegabyte, fields: 10_100 };

/** For uploads; also the allowance for a form's parts besides its file. */
export const uploadFieldLimits: FieldLimits = { bytes: bytesPerMegabyte, fields: 2_000 };

/** For requests without a token: a token or a code, whoever sends it. */
export const anonymousFieldLimits: FieldLimits = { bytes: 32 * 1024, fields: 20 };

export const fieldsTooLarge = (): ServiceError =>
  new ServiceError('upload_too_large', {
    message: 'The form has too many fields, or they are too large.',
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

/**
 * The fields of a URL-encoded form or query, in time linear in its length.
 * @throws ServiceError `upload_too_large`; `invalid_field` as {@link FormFields.toRaw}.
 */
export function urlencodedFields(form: Buffer, rules: FieldRules, decode?: Decode): RawFields {
  const fields = new FormFields(rules, decode);
  for (let at = 0; at < form.length;) {
    const next = form.indexOf('&', at);
    const end = next < 0 ? form.length : next;
    fields.count(end - at); // before anything is decoded
    const pair = form.subarray(at, end);
    const equals = pair.indexOf('=');
    const nameEnd = equals < 0 ? pair.length : equals;
    const name =
      nameEnd <= maxNameBytes ? percentDecoded(pair.subarray(0, nameEnd)).toString() : '';
    if (fields.wants(name)) fields.add(name, percentDecoded(pair.subarray(nameEnd + 1)));
    at = end + 1;
  }
  return fields.toRaw();
}

/** Known names are shorter, even if every character is encoded. */
const maxNameBytes = 300;

const [plus, percent, blank] = [0x2b, 0x25, 0x20];

/** As in the URL standard: "%" without two digits stands for itself. */
function percentDecoded(text: Buffer): Buffer {
  if (!text.includes(percent) && !text.includes(plus)) return text;
  const bytes = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    const value = byte === percent ? hexPair(text[at + 1], text[at + 2]) : -1;
    bytes[length++] = value >= 0 ? value : byte === plus ? blank : byte;
    if (value >= 0) at += 2;
  }
  return bytes.subarray(0, length);
}

/** @returns -1 unless both are digits. */
function hexPair(high = 0, low = 0): number {
  const [first, second] = [hexDigit(high), hexDigit(low)];
  return first < 0 || second < 0 ? -1 : first * 16 + second;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
