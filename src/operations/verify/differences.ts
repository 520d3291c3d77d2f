/** What can differ; each kind says where to look. */
export const kinds = {
  schema: 'an index, constraint, trigger or function against what the migrations made',
  extension: 'an extension that pg_dump would leave out, and all that depends on it',
  ledger: 'the ledger against the images',
  daily_stats: 'the rolled-up days against the ledger',
  user_counter: 'the counters of a user against the images',
  image_range: 'the counts of a range of images, by which pages are found, against the images',
  image_versions: 'an image against its versions',
  annotation_total: 'the counts of memos and customs of an image, and of their text, against them',
  active_in_trash: 'an image that is not in the trash, in a folder that is',
  object_missing: 'a row refers to an object that is not there',
  object_size: 'an original has another size than its row says',
  object_orphan: 'an object that no row refers to, nor the reclaim queue',
  upload_unfinished: 'an upload in parts that broke off and takes room in the bucket',
  object_doomed: 'an object that a row refers to is listed for reclaim',
} as const;

export type Kind = keyof typeof kinds;

export interface Difference {
  readonly kind: Kind;
  readonly platform_id: string | null;
  /** The row, figure or object at fault. */
  readonly subject: string;
  readonly expected: number | null;
  readonly found: number | null;
}

/** Differences told in full; more are counted only, so that memory stays flat. */
const maxTold = 1_000;

export class Differences {
  readonly told: Difference[] = [];
  total = 0;

  add(difference: Difference): void {
    this.total += 1;
    if (this.told.length < maxTold) this.told.push(difference);
  }
}
