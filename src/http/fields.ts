import { z } from 'zod';
import type { Span, WallClock } from '../time.js';

// Schemas of request fields. They arrive as text (forms, queries) or as JSON values; each schema
// reads both, and the messages of its issues complete the sentence "FIELD must be …".

/** Parameters of a schema or check whose failures are told in these words. */
export const expecting = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) => (Array.isArray(input) ? 'given once' : what),
});

export const asText = (raw: unknown): unknown => (typeof raw === 'number' ? String(raw) : raw);

// PostgreSQL's text takes any character but NUL, and JSON can name halves of characters (lone
// surrogates), which become U+FFFD as malformed UTF-8 does.
const storable = (words: { error: string | ReturnType<typeof expecting>['error'] }) =>
  z
    .string(words)
    .refine((value) => !value.includes('\0'), words)
    .overwrite((value) => value.toWellFormed());

/** Text of `min` to `max` characters (code points), as given. */
export function text(min: number, max: number) {
  const words = expecting(`text of ${min} to ${max} characters`);
  const fits = (value: string): boolean => {
    const length = [...value].length;
    return length >= min && length <= max;
  };
  const schema = storable(words).refine(fits, words).meta({ minLength: min, maxLength: max });
  return z.preprocess(asText, schema);
}

/** What an empty value clears: it reads as null. */
export const clearable = <S extends z.ZodType>(schema: S) =>
  z.preprocess((raw) => (raw === '' ? null : raw), schema.nullable());

/** Text that is stored as given, but an empty one as null. */
export const textOrNull = (max: number) => clearable(text(0, max));

/** Text of a pattern that stands for something; `read` returns undefined where it stands for nothing. */
export function notation<T>(
  pattern: RegExp,
  read: (text: string) => T | undefined,
  what: string,
): z.ZodType<T> {
  const words = expecting(what);
  const reading = (value: string, context: z.RefinementCtx): T => {
    const found = read(value);
    if (found !== undefined) return found;
    context.addIssue(what);
    return z.NEVER;
  };
  return z.preprocess(asText, z.string(words).regex(pattern, words).transform(reading));
}

const words = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['none', null],
  ['null', null],
]);

function asWord(raw: unknown): unknown {
  const meant = typeof raw === 'string' ? words.get(raw.toLowerCase()) : undefined;
  return meant === undefined ? raw : meant;
}

export const flag = z.preprocess(
  asWord,
  z.boolean(expecting('True or False')).meta({ type: 'string', enum: ['True', 'False'] }),
);

/** True, False, or None as null. */
export const triState = z.preprocess(
  asWord,
  z
    .literal([true, false, null], expecting('True, False or None'))
    .meta({ type: 'string', enum: ['True', 'False', 'None'] }),
);

const asNumber =
  (written: RegExp) =>
  (raw: unknown): unknown =>
    typeof raw === 'string' && written.test(raw) ? Number(raw) : raw;

const asWhole = asNumber(/^[+-]?\d{1,15}$/);
const asDecimal = asNumber(/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i);

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number) {
  const words = expecting(`a whole number from ${min} to ${max}`);
  return z.preprocess(asWhole, z.int(words).min(min, words).max(max, words));
}

/** A decimal number from `min` to `max`. */
export function decimal(min: number, max: number) {
  const words = expecting(`a number from ${min} to ${max}`);
  return z.preprocess(asDecimal, z.number(words).min(min, words).max(max, words));
}

export const latitude = decimal(-90, 90);
export const longitude = decimal(-180, 180);

export const oneOf = <const C extends readonly string[]>(choices: C) =>
  z.enum(choices, expecting(`one of ${choices.join(', ')}`));

/** A wall time `YYYYMMDD_HHMMSS` of the configured zone. */
export const wallTime = (clock: WallClock): z.ZodType<Date> =>
  notation(/^\d{8}_\d{6}$/, (value) => clock.parse(value), 'a time as YYYYMMDD_HHMMSS that exists');

/** A day `YYYYMMDD` of the configured zone, midnight to midnight. */
export const day = (clock: WallClock): z.ZodType<Span> =>
  notation(/^\d{8}$/, (value) => clock.day(value), 'a day as YYYYMMDD that exists');

/** A day `YYYYMMDD`, or a second `YYYYMMDD_HHMMSS` of it, of the configured zone. */
export const dayOrTime = (clock: WallClock): z.ZodType<Span> =>
  notation(
    /^\d{8}(_\d{6})?$/,
    (value) => clock.dayOrSecond(value),
    'a day as YYYYMMDD or a time as YYYYMMDD_HHMMSS that exists',
  );

/** An id as given; one that is no UUID is simply unknown to whoever looks it up. */
export const identifier = z.preprocess(
  asText,
  storable(expecting('an id')).meta({ format: 'uuid' }),
);

const ids = { error: 'a list of ids' };
const listedId = z.preprocess(asText, storable(ids).meta({ format: 'uuid' }));

function asList(raw: unknown): unknown {
  if (typeof raw === 'string' && raw.trimStart().startsWith('[')) return jsonOf(raw);
  return Array.isArray(raw) ? raw : [raw];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Ids as a repeated field, a JSON array, or text with commas between; in lower case. */
export const idList = z.preprocess(
  asList,
  z.array(listedId, ids).transform((texts) =>
    texts
      .flatMap((item) => item.split(','))
      .map((id) => id.trim().toLowerCase())
      .filter((id) => id !== ''),
  ),
);

export const pageSize = integer(1, 1000);
export const defaultPageSize = 60;
/** 0-based index of the first item wanted. */
export const lastIndex = integer(0, 1_000_000_000);
