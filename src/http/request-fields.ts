import { z } from 'zod';
import { invalidField, missingField } from '../base/errors/catalogue.js';
import { isoDay, type TimeSpan, type WallClock } from '../base/time.js';
import { shallowJson } from './body.js';
import { fieldLimits } from './form-fields.js';
import type { RawFields } from './form-fields.js';
import { ext } from './record-fields.js';

// Schemas of request fields, and what is validated by them. Values arrive as text (forms, queries) or
// as JSON; each schema parses both, and its error messages complete the sentence "FIELD must be …".

/**
 * Validates fields and drops unknown ones.
 * @throws ServiceError `missing_field` or `invalid_field`, naming the first field at fault.
 */
export function validate<S extends z.ZodObject>(schema: S, raw: RawFields): z.output<S> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = String(issue?.path[0] ?? 'body');
  if (raw[field] === undefined) throw missingField(field);
  throw invalidField(field, issue?.message ?? 'valid');
}

/** An empty string in a query means that the parameter was omitted. */
export const withoutEmpty = (query: RawFields): RawFields =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));

const isNothing = (text: unknown): boolean =>
  typeof text === 'string' && ['none', 'null'].includes(text.toLowerCase());

/** Parameters that `none` and `null` are values of: of their own, or as any text is. */
const takesWords = new Set<string>([
  ...(['has_det', 'has_delete_at'] as const), // not entered; with and without the trash
  ...(['search', 'platform_user_id', 'custom_value'] as const),
]);

/** In place of any other parameter, these words mean that it was omitted: clients print them for it. */
export const withoutNothing = (query: RawFields): RawFields =>
  Object.fromEntries(
    Object.entries(query).filter(([name, value]) => takesWords.has(name) || !isNothing(value)),
  );

/** A blank, or a double-encoded blank as some clients send it. */
export const isBlank = (text: string): boolean =>
  (text !== '' && text.trim() === '') || text === '+' || text === '%20';

/**
 * The target of a `folder_id` or `parent_id`: a lowercase folder id, null for the top level, or
 * undefined if no target is given (absent, empty, `none`, `null`, or the API's sentinel `UNSET`). A
 * JSON null is what the record shows for the top level.
 */
export function parseFolderTarget(folderId: string | null | undefined): string | null | undefined {
  if (folderId === undefined || folderId === null) return folderId;
  if (folderId === '' || folderId === 'UNSET' || isNothing(folderId)) return undefined;
  return isBlank(folderId) ? null : folderId.trim().toLowerCase();
}

/** Parameters of a schema or check that fails with this message. */
export const expecting = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    Array.isArray(input) ? 'given only once' : what,
});

/** JSON as a field of a form has it, as text; undefined if it is none. */
export function asJson(raw: unknown, most = fieldLimits.values): unknown {
  try {
    return typeof raw === 'string' ? (JSON.parse(shallowJson(raw, most)) as unknown) : raw;
  } catch {
    return undefined;
  }
}

export const asText = (raw: unknown): unknown => (typeof raw === 'number' ? String(raw) : raw);

// PostgreSQL text accepts any character but NUL. JSON can encode lone surrogates, which are no text.
const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();

const storable = (words: { error: string | ReturnType<typeof expecting>['error'] }) =>
  z.string(words).refine(isStorable, words);

/** Text of `min` to `max` characters (code points), unchanged. */
export function text(min: number, max: number) {
  const words = expecting(`text of ${min} to ${max} characters`);
  const fits = (value: string): boolean => {
    const length = [...value].length;
    return length >= min && length <= max;
  };
  const schema = storable(words).refine(fits, words).meta({ minLength: min, maxLength: max });
  return z.preprocess(asText, schema);
}

/** A field that an empty value clears: parsed as null. */
export const clearable = <S extends z.ZodType>(schema: S) =>
  z.preprocess((raw) => (raw === '' ? null : raw), schema.nullable());

/** Text stored as is, except that an empty string becomes null. */
export const textOrNull = (max: number) => clearable(text(0, max));

/** Text in a pattern that denotes a value; `read` returns undefined if there is no such value. */
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

/** True, False, or None (as null). */
export const triState = z.preprocess(
  asWord,
  z
    .literal([true, false, null], expecting('True, False, or None'))
    .meta({ type: 'string', enum: ['True', 'False', 'None'] }),
);

const asNumber =
  (written: RegExp) =>
  (raw: unknown): unknown =>
    typeof raw === 'string' && written.test(raw) ? Number(raw) : raw;

const asWhole = asNumber(/^[+-]?\d{1,15}$/);
const asDecimal = asNumber(/^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i);

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

/** A local time `YYYYMMDD_HHMMSS` in the configured zone. */
export const wallTime = (clock: WallClock): z.ZodType<Date> =>
  notation(
    /^\d{8}_\d{6}$/,
    (value) => clock.parse(value),
    'an existing time in the form YYYYMMDD_HHMMSS',
  );

const dayReadBy = <T>(read: (text: string) => T | undefined) =>
  notation(/^\d{8}$/, read, 'an existing day in the form YYYYMMDD');

/** A day `YYYYMMDD` in the configured zone, midnight to midnight. */
export const day = (clock: WallClock): z.ZodType<TimeSpan> =>
  dayReadBy((value) => clock.day(value));

/** A day `YYYYMMDD` as `YYYY-MM-DD`, for data that is stored by day. */
export const calendarDay = dayReadBy(isoDay);

/** A day `YYYYMMDD`, or one second of it `YYYYMMDD_HHMMSS`, in the configured zone. */
export const dayOrTime = (clock: WallClock): z.ZodType<TimeSpan> =>
  notation(
    /^\d{8}(_\d{6})?$/,
    (value) => clock.dayOrSecond(value),
    'an existing day in the form YYYYMMDD or time in the form YYYYMMDD_HHMMSS',
  );

/** An id, not validated: one that is not a UUID is simply not found. */
export const identifier = z.preprocess(
  asText,
  storable(expecting('an id')).meta({ format: 'uuid' }),
);

/** Words of a list before they are checked, and characters of a word: more than any list may have. */
const maxWords = 10_100;
const maxWord = 1_000;

/** Thrown within {@link asWords} for what is no list of words, or too long for any. */
const noWords = new Error('no list of words');

/** The words of a list however it was sent; undefined if it is none, or too long. */
function asWords(raw: unknown): string[] | undefined {
  const counts = { words: 0, commas: 0 };
  try {
    const items = Array.isArray(raw) ? raw : [raw];
    return items.flatMap((item) => wordsIn(item, counts));
  } catch (error) {
    if (error === noWords) return undefined;
    throw error;
  }
}

/** Counts before anything is split or parsed. */
function wordsIn(item: unknown, counts: { words: number; commas: number }): string[] {
  const text = asText(item);
  if (typeof text !== 'string') throw noWords;
  const isJson = text.length > 1 && /^\s*\[/.test(text);
  if (!isJson) {
    for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) {
      counts.commas += 1;
      if (counts.commas > maxWords) throw noWords;
    }
  }
  const parts = isJson ? itemsOfJson(text) : text.split(',');
  counts.words += parts.length;
  if (counts.words > 2 * maxWords) throw noWords;
  return parts.map(trimmedWord).filter((word) => word !== '');
}

function trimmedWord(part: unknown): string {
  const word = asText(part);
  if (typeof word !== 'string' || word.length > maxWord || !isStorable(word)) throw noWords;
  return word.trim();
}

function itemsOfJson(text: string): unknown[] {
  const items = asJson(text, maxWords);
  if (items === undefined) throw noWords;
  return Array.isArray(items) ? items : [];
}

/** Words as a repeated field, a JSON array, or comma-separated text. */
export const wordList = (words: { error: string }, word: z.ZodType<string>) =>
  z.preprocess(asWords, z.array(word, words));

/** The same in lowercase. */
export function textList(words: { error: string }, meta: Record<string, string>) {
  const lowered = (raw: unknown): unknown => asWords(raw)?.map((word) => word.toLowerCase());
  return z.preprocess(lowered, z.array(z.string(words).meta(meta), words));
}

export const idList = textList({ error: 'a list of ids' }, { format: 'uuid' });

export const pageSize = integer(1, 1000);
export const defaultPageSize = 60;
/** 0-based index of the first item requested. */
export const lastIndex = integer(0, 1_000_000_000);
/** 1-based number of the page requested. */
export const pageNumber = (max: number) => integer(1, max).default(1);
/** 0-based index of the first item of a page. */
export const indexOfPage = (page: number, size: number): number => (page - 1) * size;

/** For lists whose totals are not always counted to the end. */
export const totalIsExact = z
  .literal(false)
  .optional()
  .meta({ ...ext, description: 'false: there is at least as much; omitted if totals are exact' });

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/**
 * Hashes of 1 to `limit` files, in lower case.
 * @param count counts the hashes of a list; by default, duplicates count.
 */
export function hashList(limit: number, count = (hashes: readonly string[]) => hashes.length) {
  const limitText = limit.toLocaleString('en');
  const words = {
    error: `a list of 1 to ${limitText} SHA-256 hashes, each of 64 hexadecimal digits`,
  };
  return textList(words, { pattern: '^[0-9A-Fa-f]{64}$' })
    .refine((hashes) => hashes.length > 0 && count(hashes) <= limit, words)
    .refine((hashes) => hashes.every(isHash), words)
    .meta({ description: `SHA-256 of 1 to ${limitText} files, hexadecimal` });
}
