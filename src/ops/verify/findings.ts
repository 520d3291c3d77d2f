import { commandLine } from '../../base/os/command-line.js';
import { parseOwner } from '../../store/object-key.js';

/** What can be wrong, by kind: with the database, then with objects. */
export const kinds = {
  schema: 'an index, constraint, trigger, or function differs from what the migrations created',
  extension: 'an extension, and everything that depends on it, would be omitted by pg_dump',
  ledger: 'the ledger differs from the images',
  daily_stats: 'the rolled-up days differ from the ledger',
  user_counter: "a user's counters differ from the images",
  image_total: "a user's totals by has_det, location, or top level differ from the images",
  folder_total: 'the totals of a folder differ from its images',
  place: "a location's counts, sizes, or newest images differ from the images",
  map_cell: 'the sums of a cell of the map differ from the locations in it',
  platform_cell: "the sums of a cell of a platform's map differ from those of its users",
  image_text: 'the texts that searches compare differ from those of an image',
  image_versions: 'an image differs from its versions',
  upload_set:
    'the counts of an upload set differ from its files, or a file counts as missing that has arrived',
  annotation_total:
    "an image's counts of memos and customs, or of their text, differ from the rows",
  active_in_trash: 'an image is not in the trash, but its folder is',
  upload_unfinished: 'an unfinished multipart upload takes up space in the bucket',
  object_missing: 'a row references an object that does not exist',
  object_size: 'the size of an original differs from its row, or a rendition is empty',
  object_damaged: 'the bytes of an object differ from those that were stored',
  object_unreadable: 'an object exists, but cannot be read',
  object_doomed: 'an object that a row references is listed for reclaim',
  object_orphan: 'nothing refers to an object: no row, no upload, no queue',
} as const;

export type Kind = keyof typeof kinds;

export interface Finding {
  readonly kind: Kind;
  readonly platformId: string | null;
  /** The row or figure at fault, or the key of the object. */
  readonly subject: string;
  /** Counts or bytes, if they differ. */
  readonly expected: number | null;
  readonly found: number | null;
  /** Further details about an object. */
  readonly reason: string | null;
}

export const finding = (
  kind: Kind,
  subject: string,
  rest: Partial<Omit<Finding, 'kind' | 'subject'>> = {},
): Finding => ({
  kind,
  platformId: null,
  subject,
  expected: null,
  found: null,
  reason: null,
  ...rest,
});

/** A finding about the object with this key. */
export const objectFinding = (
  kind: Kind,
  key: string,
  rest: Partial<Pick<Finding, 'expected' | 'found' | 'reason'>> = {},
): Finding => finding(kind, key, { platformId: parseOwner(key).platformId, ...rest });

/** Why an object cannot be used, as the store says. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error ? cause.message : message;
}

/** Findings listed in full; the rest are only counted, so that memory and table stay small. */
export const maxListed = 1_000;

/** Findings of a run, each object once, although several checks examine the same one. */
export class Findings {
  readonly listed: Finding[] = [];
  readonly #objects = new Set<string>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  add(found: Finding): void {
    const isAboutObject = found.kind.startsWith('object_');
    if (isAboutObject && this.#objects.has(found.subject)) return;
    this.#total += 1;
    if (this.listed.length === maxListed) return;
    this.listed.push(found);
    if (isAboutObject) this.#objects.add(found.subject);
  }
}

/** A finding as `verify accounts` reports it. */
export const differenceOf = ({ kind, platformId, subject, expected, found }: Finding) => ({
  kind,
  platform_id: platformId,
  subject,
  expected,
  // An orphan has a size, but there is none that it should have.
  found: kind === 'object_orphan' ? null : found,
});

export type Difference = ReturnType<typeof differenceOf>;

const fromBackup = 'Copy the files of these keys from a backup into the store, then verify again.';

const recount = () =>
  `Run "${commandLine('verify', 'accounts', '--repair')}", which counts them anew from the rows.`;

const remedies: Readonly<Partial<Record<Kind, () => string>>> = {
  schema: () =>
    `Run "${commandLine('verify', 'accounts', '--repair')}", which creates what is missing; what is different is to be dropped before.`,
  extension: () =>
    'Start this version once, or run the migrations: it makes the extensions part of dumps.',
  ledger: () =>
    'The ledger is the only record of what was uploaded and deleted when, so it cannot be counted anew. Statistics of past days depend on it, quotas and limits do not. Rows that a backup still has: restore it elsewhere, and compare usage_events.',
  image_versions: () =>
    'An image and its versions are both originals, so nothing says which is right. Restore a backup elsewhere, and compare images and image_versions.',
  active_in_trash: () =>
    'Restore the folder from the trash, or move the image to the trash or to another folder.',
  upload_unfinished: () =>
    'Delete the upload with the client of the bucket, or have a rule of the bucket abort unfinished uploads after some days.',
  daily_stats: recount,
  user_counter: recount,
  image_total: recount,
  folder_total: recount,
  place: recount,
  map_cell: recount,
  platform_cell: recount,
  image_text: recount,
  upload_set: recount,
  annotation_total: recount,
  object_missing: () =>
    `Run "${commandLine('verify', '--repair')}", which puts quarantined objects back. ${fromBackup}`,
  object_unreadable: () => `Check the disk or the bucket. ${fromBackup}`,
  object_doomed: () =>
    'Stop the service, which is about to delete these files, and copy them elsewhere.',
  object_orphan: () =>
    `Run "${commandLine('verify', '--repair')}", which moves them into quarantine.`,
};

/** What to do about each of these findings, once. */
export const remediesOf = (found: readonly { readonly kind: Kind }[]): string[] => [
  ...new Set(found.map(({ kind }) => remedies[kind]?.() ?? fromBackup)),
];

/** A finding as `verify` reports it, with the owner of the object, if its key has one. */
export function reportOf({ kind, subject: key, expected, found, reason }: Finding) {
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
    remedy: remedies[kind]?.() ?? fromBackup,
  };
}

export type FindingReport = ReturnType<typeof reportOf>;
