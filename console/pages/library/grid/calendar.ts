import { dayOfStamp } from '../../../core/days';
import { dayOf } from '../listing';
import type { Listing, Period } from '../listing';

/** Where a year or month begins in a list, the newest first. */
export interface Mark {
  /** `2024` or `2024-03`. */
  readonly name: string;
  readonly index: number;
  readonly count: number;
}

/** The years of a list, from the newest; none for lists that cannot count. @throws Problem. */
export async function readYears(listing: Listing, signal: AbortSignal): Promise<Mark[]> {
  const { total, items } = await listing.read(0, 1, signal);
  const [newest] = items;
  if (!newest || !listing.countIn) return [];
  const [oldest = newest] = (await listing.read(total - 1, 1, signal)).items;
  const [last, first] = [newest, oldest].map(({ data }) => Number(dayOf(data).slice(0, 4)));
  if (last === undefined || first === undefined) return [];
  const years = Array.from({ length: last - first + 1 }, (_, n) => String(last - n));
  return split(listing, years, { index: 0, count: total }, signal);
}

/** The months of a year of a list. @throws Problem. */
export function readMonths(listing: Listing, year: Mark, signal: AbortSignal): Promise<Mark[]> {
  const months = Array.from({ length: 12 }, (_, n) => monthOf(year.name, 12 - n));
  return split(listing, months, year, signal);
}

const monthOf = (year: string, month: number): string =>
  `${year}-${String(month).padStart(2, '0')}`;

/**
 * Counts in halves: periods without images cost nothing, and the last half follows from the others.
 * @param names of adjoining periods, the newest first.
 */
async function split(
  listing: Listing,
  names: readonly string[],
  { index, count }: { readonly index: number; readonly count: number },
  signal: AbortSignal,
): Promise<Mark[]> {
  const [only = ''] = names;
  if (count <= 0) return [];
  if (names.length === 1) return [{ name: only, index, count }];
  const half = Math.floor(names.length / 2);
  const newer = names.slice(0, half);
  const found = (await listing.countIn?.(periodOf(newer), signal)) ?? 0;
  const older = { index: index + found, count: count - found };
  return [
    ...(await split(listing, newer, { index, count: found }, signal)),
    ...(await split(listing, names.slice(half), older, signal)),
  ];
}

/** From the first day of the oldest to the last day of the newest: months have no day after the 31st. */
const periodOf = (names: readonly string[]): Period => ({
  from: dayOfStamp(firstDay(names.at(-1) ?? '')),
  to: lastDay(names[0] ?? ''),
});

const firstDay = (name: string): string => `${name.replace('-', '')}0101`.slice(0, 8);

function lastDay(name: string): string {
  const [year = 0, month = 12] = name.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}
