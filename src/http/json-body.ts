import { ServiceError, invalidField } from '../errors/catalogue.js';
import type { RawFields } from './validate.js';

/**
 * The fields of a JSON body. @throws ServiceError `invalid_field` with the position of the error.
 */
export function jsonFields(text: string): RawFields {
  const body = text === '' ? {} : parsed(text);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as RawFields;
  throw invalidField('body', 'a JSON object');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
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
  if (offset === undefined) return '';
  const lines = text.slice(0, Number(offset)).split('\n');
  return ` (line ${lines.length} column ${(lines.at(-1) ?? '').length + 1})`;
}
