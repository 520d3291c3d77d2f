import { wrongUsage } from '../errors/operator.js';
import { text } from '../http/fields.js';

const name = text(1, 255);

/** A name given at the terminal: held to the same rule as in the API, without blanks around it. */
export function parseName(flag: string, value: string): string {
  const read = name.read(value.trim());
  if (read === undefined) throw wrongUsage(`${flag} must be ${name.expected}.`, { setting: flag });
  return read;
}
