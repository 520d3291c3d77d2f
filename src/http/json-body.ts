import { ServiceError, invalidField } from '../base/errors/catalogue.js';
import type { Decode } from './charset.js';
import { fieldsTooLarge } from './form-fields.js';
import type { FieldLimits, FieldRules } from './form-fields.js';
import type { RawFields } from './validate.js';

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
  const shallow = shallowJson(text, limits.fields);
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
