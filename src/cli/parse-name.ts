import { wrongUsage } from '../base/errors/operator.js';
import { text } from '../http/request-fields.js';

const name = text(1, 255);

/** A name given on the command line, trimmed and validated by the same rule as in the API. */
export function parseName(flag: string, value: string): string {
  const { data, error } = name.safeParse(value.trim());
  if (data !== undefined) return data;
  throw wrongUsage(`${flag} must be ${error?.issues[0]?.message}.`, { setting: flag });
}
