import { commandLine } from '../../base/os/command-line.js';
import { parseOwner } from '../../store/object-key.js';

/** What can be wrong with an object. */
export const findingKinds = {
  object_missing: 'a row references an object that does not exist',
  object_size: 'the size of an object differs from its row, or the object is empty',
  object_damaged: 'the bytes of an object differ from those that were stored',
  object_unreadable: 'an object exists, but cannot be read',
  object_doomed: 'an object that a row references is listed for reclaim',
  object_orphan: 'nothing refers to an object: no row, no upload, no queue',
} as const;

export type FindingKind = keyof typeof findingKinds;

export interface Finding {
  readonly kind: FindingKind;
  readonly key: string;
  /** Sizes in bytes, if they differ. */
  readonly expected: number | null;
  readonly found: number | null;
  /** Further details. */
  readonly reason: string | null;
}

export const finding = (
  kind: FindingKind,
  key: string,
  rest: Partial<Pick<Finding, 'expected' | 'found' | 'reason'>> = {},
): Finding => ({ kind, key, expected: null, found: null, reason: null, ...rest });

/** Findings listed in full; the rest are only counted, so that memory and table stay small. */
export const maxListed = 1_000;

const fromBackup = 'Copy the files of these keys from a backup into the store, then verify again.';

const remedies: Readonly<Record<FindingKind, () => string>> = {
  object_missing: () =>
    `Run "${commandLine('verify', '--repair')}", which puts quarantined objects back. ${fromBackup}`,
  object_size: () => fromBackup,
  object_damaged: () => fromBackup,
  object_unreadable: () => `Check the disk or the bucket. ${fromBackup}`,
  object_doomed: () =>
    'Stop the service, which is about to delete these files, and copy them elsewhere.',
  object_orphan: () =>
    `Run "${commandLine('verify', '--repair')}", which moves them into quarantine.`,
};

/**
 * A finding as reports show it, with the owner of the object, if its key has one, and the remedy.
 */
export function reportOf({ kind, key, expected, found, reason }: Finding) {
  const { platformId, userId, imageId } = parseOwner(key);
  return {
    kind,
    key,
    platform_id: platformId,
    user_id: userId,
    image_id: imageId,
    expected,
    found,
    reason,
    remedy: remedies[kind](),
  };
}

export type FindingReport = ReturnType<typeof reportOf>;

/** Findings of a run, each key once, although several checks examine the same object. */
export class Findings {
  readonly #listed = new Map<string, Finding>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  get listed(): Finding[] {
    return [...this.#listed.values()];
  }

  add(found: Finding): void {
    if (this.#listed.has(found.key)) return;
    this.#total += 1;
    if (this.#listed.size < maxListed) this.#listed.set(found.key, found);
  }
}
