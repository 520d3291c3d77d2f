import type { LimitsRow } from '../library/quota/platform-limits.js';
import { toMegabytes, sizeText } from '../base/units.js';

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
