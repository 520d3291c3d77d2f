import { wrongUsage } from '../../base/errors/operator.js';
import type { Limits, LimitsRow } from '../../library/quota/platform-limits.js';
import { toBytes, toMegabytes } from '../../base/units.js';
import type { Context } from '../context.js';
import { limitLines, limitsDocument } from '../limits-text.js';
import { withTenants } from '../tenants.js';

interface Options {
  readonly storageMb?: string;
  readonly images?: string;
  readonly users?: string;
}

/** Sets the limits that are given, and shows all of them. */
export async function limitPlatform(
  context: Context,
  options: Options,
  [id = '']: string[],
): Promise<void> {
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
