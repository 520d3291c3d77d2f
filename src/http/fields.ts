import { z } from 'zod';
import type { Span, WallClock } from '../time.js';

/**
 * Kinds of request fields. They arrive as text (forms, queries) or as JSON values; each kind
 * reads both, and says in `expected` what completes the sentence "FIELD must be …".
 */
interface Kind<T> {
  /** @returns undefined when the value is not accepted. */
  readonly read: (raw: unknown) => T | undefined;
  readonly expected: string;
  /** JSON Schema of the field, for the OpenAPI document. */
  readonly schema: Record<string, unknown>;
  /** Whether the field may come several times. */
  readonly list?: true;
}

/** Marks an issue that means "not there" rather than "wrong". */
export const missing = 'missing';

function field<T>(kind: Kind<T>): z.ZodType<T> {
  return z
    .unknown()
    .transform((raw, context): T => {
      const value = raw === undefined ? undefined : kind.read(raw);
      if (value !== undefined) return value;
      const once = Array.isArray(raw) && !kind.list;
      const wrong = once ? 'given once' : kind.expected;
      context.addIssue({ code: 'custom', message: raw === undefined ? missing : wrong });
      return z.NEVER;
    })
    .meta(kind.schema);
}

export const required = <T>(kind: Kind<T>) => field(kind);
export const optional = <T>(kind: Kind<T>) => field(kind).optional();
export const withDefault = <T>(kind: Kind<T>, value: z.core.util.NoUndefined<T>) =>
  field(kind).default(value);

// PostgreSQL's text takes any character but NUL, and JSON can name halves of characters (lone
// surrogates), which become U+FFFD as malformed UTF-8 does.
const readText = (raw: unknown): string | undefined => {
  const value = typeof raw === 'number' ? String(raw) : raw;
  return typeof value === 'string' && !value.includes('\0') ? value.toWellFormed() : undefined;
};

/** Text of `min` to `max` characters (code points), as given. */
export const text = (min: number, max: number): Kind<string> => ({
  read: (raw) => {
    const value = readText(raw);
    if (value === undefined) return undefined;
    const length = [...value].length;
    return length >= min && length <= max ? value : undefined;
  },
  expected: `text of ${min} to ${max} characters`,
  schema: { type: 'string', minLength: min, maxLength: max },
});

/** Text that is stored as given, but an empty one as null. */
export const textOrNull = (max: number): Kind<string | null> => ({
  ...text(0, max),
  read: (raw) => (raw === null ? null : text(0, max).read(raw) || (raw === '' ? null : undefined)),
});

/** What an empty value clears: it reads as null. */
export const clearable = <T>(kind: Kind<T>): Kind<T | null> => ({
  ...kind,
  read: (raw) => (raw === '' || raw === null ? null : kind.read(raw)),
});

const words = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['none', null],
  ['null', null],
]);

const readWord = (raw: unknown): boolean | null | undefined =>
  typeof raw === 'boolean' || raw === null
    ? raw
    : typeof raw === 'string'
      ? words.get(raw.toLowerCase())
      : undefined;

export const flag: Kind<boolean> = {
  read: (raw) => readWord(raw) ?? undefined,
  expected: 'True or False',
  schema: { type: 'string', enum: ['True', 'False'] },
};

/** True, False, or None as null. */
export const triState: Kind<boolean | null> = {
  read: readWord,
  expected: 'True, False or None',
  schema: { type: 'string', enum: ['True', 'False', 'None'] },
};

/** A whole number from `min` to `max`. */
export const integer = (min: number, max: number): Kind<number> => ({
  read: (raw) => {
    const value = typeof raw === 'string' && /^[+-]?\d{1,15}$/.test(raw) ? Number(raw) : raw;
    return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? value
      : undefined;
  },
  expected: `a whole number from ${min} to ${max}`,
  schema: { type: 'integer', minimum: min, maximum: max },
});

/** A decimal number from `min` to `max`. */
export const decimal = (min: number, max: number): Kind<number> => ({
  read: (raw) => {
    const value =
      typeof raw === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(raw.trim())
        ? Number(raw)
        : raw;
    return typeof value === 'number' && value >= min && value <= max ? value : undefined;
  },
  expected: `a number from ${min} to ${max}`,
  schema: { type: 'number', minimum: min, maximum: max },
});

export const latitude = decimal(-90, 90);
export const longitude = decimal(-180, 180);

export const oneOf = <const C extends readonly string[]>(choices: C): Kind<C[number]> => ({
  read: (raw) => choices.find((choice) => choice === raw),
  expected: `one of ${choices.join(', ')}`,
  schema: { type: 'string', enum: choices },
});

/** A wall time `YYYYMMDD_HHMMSS` of the configured zone. */
export const wallTime = (clock: WallClock): Kind<Date> => ({
  read: (raw) => (typeof raw === 'string' ? clock.parse(raw) : undefined),
  expected: 'a time as YYYYMMDD_HHMMSS that exists',
  schema: { type: 'string', pattern: '^\\d{8}_\\d{6}$' },
});

/** A day `YYYYMMDD` of the configured zone, midnight to midnight. */
export const day = (clock: WallClock): Kind<Span> => ({
  read: (raw) => clock.day(readText(raw) ?? ''),
  expected: 'a day as YYYYMMDD that exists',
  schema: { type: 'string', pattern: '^\\d{8}$' },
});

/** A day `YYYYMMDD`, or a second `YYYYMMDD_HHMMSS` of it, of the configured zone. */
export const dayOrTime = (clock: WallClock): Kind<Span> => ({
  read: (raw) => clock.dayOrSecond(readText(raw) ?? ''),
  expected: 'a day as YYYYMMDD or a time as YYYYMMDD_HHMMSS that exists',
  schema: { type: 'string', pattern: '^\\d{8}(_\\d{6})?$' },
});

/** An id as given; one that is no UUID is simply unknown to whoever looks it up. */
export const identifier: Kind<string> = {
  read: readText,
  expected: 'an id',
  schema: { type: 'string', format: 'uuid' },
};

function readIds(raw: unknown): string[] | undefined {
  if (typeof raw === 'string' && raw.trimStart().startsWith('[')) return readIds(jsonArray(raw));
  const items: unknown[] = Array.isArray(raw) ? raw : [raw];
  const texts = items.map(readText);
  if (!texts.every((item) => item !== undefined)) return undefined;
  const ids = texts.flatMap((item) => item.split(',')).map((id) => id.trim().toLowerCase());
  return ids.filter((id) => id !== '');
}

function jsonArray(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Ids as a repeated field, a JSON array, or text with commas between; in lower case. */
export const idList: Kind<string[]> = {
  read: readIds,
  expected: 'a list of ids',
  schema: { type: 'array', items: { type: 'string', format: 'uuid' } },
  list: true,
};

export const pageSize = integer(1, 1000);
export const defaultPageSize = 60;
/** 0-based index of the first item wanted. */
export const lastIndex = integer(0, 1_000_000_000);
