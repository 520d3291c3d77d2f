import { wrongUsage } from '../../base/errors/operator.js';
import { toBytes, toMegabytes, sizeText } from '../../base/units.js';
import type { Limits, LimitsRow } from '../../library/quota/platform-limits.js';
import type { Context } from '../context.js';
import { withTenants } from '../open.js';

/** The limits of a platform for programs; null is no limit. */
export const limitsDocument = (row: LimitsRow | undefined) => {
  const bytes = row?.maxBytes ?? null;
  return {
    storage_mb: bytes === null ? null : toMegabytes(bytes),
    images: row?.maxImages ?? null,
    users: row?.maxUsers ?? null,
  };
};

/** The same for people. */
export function limitLines(row: LimitsRow | undefined): string[] {
  const limit = (max: number | null, text: (n: number) => string): string =>
    max === null ? 'no limit' : `at most ${text(max)}`;
  const count = (n: number): string => n.toLocaleString('en');
  return [
    `storage   ${limit(row?.maxBytes ?? null, sizeText)}`,
    `images    ${limit(row?.maxImages ?? null, count)}`,
    `users     ${limit(row?.maxUsers ?? null, count)}`,
  ];
}

interface Options {
  readonly id: string;
  readonly storageMb?: string;
  readonly images?: string;
  readonly users?: string;
}

/** Sets the limits that are given, and shows all of them. */
export async function limitPlatform(context: Context, options: Options): Promise<void> {
  const { id } = options;
  const given = {
    maxBytes: parse('--storage-mb', options.storageMb, toBytes),
    maxImages: parse('--images', options.images, whole('--images')),
    maxUsers: parse('--users', options.users, whole('--users')),
  };
  const row = await withTenants(context, async ({ platforms, limits }) => {
    const { id: platformId } = await platforms.get(id);
    const now = await limits.of(platformId);
    if (Object.values(given).every((limit) => limit === undefined)) return now;
    return platforms.limit(platformId, merged(now, given));
  });
  const document = { id, limits: limitsDocument(row) };
  context.ui.result({ document, text: limitLines(row).join('\n') });
}

type Given = { readonly [P in keyof Limits]: Limits[P] | undefined };

/** Limits that are not given stay as they are. */
const merged = (now: LimitsRow | undefined, given: Given): Limits => {
  const pick = (name: keyof Limits): number | null => {
    const limit = given[name];
    return limit === undefined ? (now?.[name] ?? null) : limit;
  };
  return { maxBytes: pick('maxBytes'), maxImages: pick('maxImages'), maxUsers: pick('maxUsers') };
};

/** The largest value that can be counted. */
const maxLimit = toMegabytes(Number.MAX_SAFE_INTEGER);

function parse(
  flag: string,
  text: string | undefined,
  convert: (n: number) => number,
): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  const n = text.trim() === '' ? NaN : Number(text);
  if (n >= 0 && n <= maxLimit) return convert(n);
  throw wrongUsage(`${flag} must be a number from 0 to ${maxLimit}, or none.`, { setting: flag });
}

const whole =
  (flag: string) =>
  (n: number): number => {
    if (Number.isInteger(n)) return n;
    throw wrongUsage(`${flag} must be a whole number, or none.`, { setting: flag });
  };
