import type { Request as ExpressRequest, Response } from 'express';
import { ServiceError, invalidField } from '../base/errors/catalogue.js';
import { secondMs } from '../base/units.js';
import {
  decoderOf,
  decodeUtf8,
  type Decode,
  FormFields,
  type FieldRules,
  type RawFields,
  fieldsTooLarge,
  type FieldLimits,
} from './form-fields.js';
import { readForm } from './form.js';
import { readBody, bodyTooLarge, valueAndParameters } from './multipart.js';

// The fields of requests without a file, whatever the type of the body.

/** Bodies without a file are small; one that takes longer than this is stalled on purpose. */
const fieldsTimeMs = 30 * secondMs;

type BodyType = 'multipart' | 'urlencoded' | 'json';

/** The declared length of a request body in bytes; 0 if there is no body or no declared length. */
export const contentLength = ({ headers }: ExpressRequest): number =>
  Number(headers['content-length'] ?? 0);

/**
 * The type of the body that follows; undefined if there is none.
 * @param maxBytes limit for the whole body.
 * @throws ServiceError `upload_too_large`, `unsupported_media_type`.
 */
export function expectedBodyType(request: ExpressRequest, maxBytes: number): BodyType | undefined {
  const { headers } = request;
  const length = contentLength(request);
  if (length > maxBytes) throw bodyTooLarge(maxBytes);
  if (headers['transfer-encoding'] === undefined && length === 0) return undefined;
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', {
      message: 'Send the body without a Content-Encoding.',
    });
  }
  return bodyTypeOf(valueAndParameters(headers['content-type'] ?? '')[0]);
}

/** The decoder of the charset that a body declares. @throws ServiceError `unsupported_media_type`. */
export function decoderFor({ headers }: ExpressRequest): Decode {
  const charset = valueAndParameters(headers['content-type'] ?? '')[1].get('charset');
  const decode = charset === undefined ? decodeUtf8 : decoderOf(charset);
  if (decode) return decode;
  throw new ServiceError('unsupported_media_type', {
    message: 'Send text as UTF-8, or in another charset of the Encoding Standard.',
  });
}

/** Asks a client that sent Expect: 100-continue for the body. */
export function sendContinue({ headers }: ExpressRequest, response: Response): void {
  if (headers.expect?.toLowerCase() !== '100-continue') return;
  response.writeContinue();
}

function bodyTypeOf(contentType: string): BodyType {
  switch (contentType) {
    case 'multipart/form-data':
      return 'multipart';
    case 'application/x-www-form-urlencoded':
      return 'urlencoded';
    case 'application/json':
      return 'json';
    default:
      throw new ServiceError('unsupported_media_type', {
        message: 'Send multipart/form-data, application/x-www-form-urlencoded or application/json.',
      });
  }
}

/**
 * Reads the fields of a request without a file, from a form or a JSON object.
 * @throws ServiceError as {@link expectedBodyType}, {@link readForm} and {@link jsonFields}.
 */
export async function readFields(
  request: ExpressRequest,
  response: Response,
  rules: FieldRules,
): Promise<RawFields> {
  const { bytes } = rules.limits;
  const kind = expectedBodyType(request, bytes);
  if (kind === undefined) return {};
  const decode = decoderFor(request);
  sendContinue(request, response);
  const limits = { bytes, ms: fieldsTimeMs, per: 'body' } as const;
  switch (kind) {
    case 'multipart':
      return readForm(request, limits, rules, decode);
    case 'urlencoded':
      return urlencodedFields(await readBody(request, limits), rules, decode);
    case 'json':
      return jsonFields(await readBody(request, limits), rules, decode);
  }
}

/** Arrays and objects within each other: more than any operation reads. */
const maxDepth = 8;

const mark = '\ufffd';

/** Characters of a body in which errors are located, which takes longer than reading it. */
const maxExplained = 64 * 1024;

/**
 * The known fields of a JSON body.
 * @throws ServiceError `invalid_field` with the position of the error; `upload_too_large`.
 */
export function jsonFields(
  bytes: Buffer,
  { known, limits }: FieldRules,
  decode: Decode,
): RawFields {
  const text = decode(bytes);
  if (text === undefined) throw undecodable(bytes.toString(), limits);
  const body = text === '' ? {} : parsed(text.replace(/^\ufeff/, ''), limits);
  if (isObject(body)) return known.pick(body);
  throw invalidField('body', 'a JSON object');
}

const isObject = (value: unknown): value is RawFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The error for a body that is not in its charset, with the field that is at fault if known. */
function undecodable(text: string, limits: FieldLimits): ServiceError {
  const body = text.length > maxExplained ? undefined : parsed(text, limits);
  const [field = 'body'] =
    Object.entries(isObject(body) ? body : {}).find(([, value]) =>
      JSON.stringify(value).includes(mark),
    ) ?? [];
  return invalidField(field, 'text in UTF-8, or in the charset that the request declares');
}

/**
 * JSON with null in place of what is nested deeper than any operation reads. JSON.parse takes a
 * second for 2 MB of brackets, so values are counted and cut out first.
 * @throws ServiceError `upload_too_large` for more than `maxValues` others.
 */
export function shallowJson(text: string, maxValues: number): string {
  const pieces: string[] = [];
  let [values, depth, from, cut] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if ((code | 0x20) === opening) {
      depth += 1;
      if (depth === maxDepth + 1) cut = at;
      if (depth <= maxDepth) values += 1;
    } else if ((code | 0x20) === closing) {
      depth -= 1;
      if (depth === maxDepth) {
        pieces.push(text.slice(from, cut), 'null');
        from = at + 1;
      }
    } else if (code === comma && depth <= maxDepth) values += 1;
    if (values > maxValues) throw fieldsTooLarge();
  }
  if (depth > maxDepth) return text.slice(from, cut); // has no end, which parsing reports
  return pieces.length === 0 ? text : pieces.join('') + text.slice(from);
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];

/** "{" and "}", with "[" and "]" apart from one bit. */
const [opening, closing] = [0x7b, 0x7d];

function endOfString(text: string, start: number): number {
  for (let at = start; ;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}

function parsed(text: string, limits: FieldLimits): unknown {
  const shallow = shallowJson(text, limits.values);
  try {
    return JSON.parse(shallow);
  } catch (error) {
    const wrong = error instanceof SyntaxError ? error.message : String(error);
    const message = `body must be a JSON object: ${wrong}${lineAndColumn(text, wrong)}.`;
    throw new ServiceError('invalid_field', { field: 'body', message, cause: error });
  }
}

/**
 * V8 reports what it expected, and either quotes the surrounding text or names an offset, to which
 * Node 22 and later add line and column.
 */
function lineAndColumn(text: string, wrong: string): string {
  const offset = / at position (\d+)$/.exec(wrong)?.[1];
  if (offset === undefined || Number(offset) > maxExplained) return '';
  const before = text.slice(0, Number(offset));
  const lines = before.match(/\n/g)?.length ?? 0;
  return ` (line ${lines + 1} column ${before.length - before.lastIndexOf('\n')})`;
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
