import { wrongUsage } from '../errors/operator.js';
import { text } from '../http/fields.js';

const name = text(1, 255);

/** A name given at the terminal: held to the same rule as in the API, without blanks around it. */
export function parseName(flag: string, value: string): string {
  const { data, error } = name.safeParse(value.trim());
  if (data !== undefined) return data;
  throw wrongUsage(`${flag} must be ${error?.issues[0]?.message}.`, { setting: flag });
}
