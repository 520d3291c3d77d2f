/** The differences that can be found, by kind. */
export const kinds = {
  schema: 'an index, constraint, trigger, or function differs from what the migrations created',
  extension: 'an extension, and everything that depends on it, would be omitted by pg_dump',
  ledger: 'the ledger differs from the images',
  daily_stats: 'the rolled-up days differ from the ledger',
  user_counter: "a user's counters differ from the images",
  image_range: 'the counts of a range of images, used to find pages, differ from the images',
  image_total: "a user's totals by has_det, location, or top level differ from the images",
  folder_total: 'the totals of a folder differ from its images',
  place: "a location's counts, sizes, or newest images differ from the images",
  map_cell: 'the sums of a cell of the map differ from the locations in it',
  image_text: 'the texts that searches compare differ from those of an image',
  image_versions: 'an image differs from its versions',
  upload_set:
    'the counts of an upload set differ from its files, or a file counts as missing that has arrived',
  annotation_total:
    "an image's counts of memos and customs, or of their text, differ from the rows",
  active_in_trash: 'an image is not in the trash, but its folder is',
  object_missing: 'a row references an object that does not exist',
  object_size: 'the size of an original differs from its row, or a rendition is empty',
  object_orphan: 'an object is neither referenced by a row nor in the reclaim queue',
  upload_unfinished: 'an unfinished multipart upload takes up space in the bucket',
  object_doomed: 'an object that a row references is listed for reclaim',
} as const;

export type DifferenceKind = keyof typeof kinds;

export interface Difference {
  readonly kind: DifferenceKind;
  readonly platform_id: string | null;
  /** The row, figure, or object at fault. */
  readonly subject: string;
  readonly expected: number | null;
  readonly found: number | null;
}

/** Differences listed in full; the rest are only counted, so that memory use stays constant. */
const maxListed = 1_000;

export class Differences {
  readonly listed: Difference[] = [];
  total = 0;

  add(difference: Difference): void {
    this.total += 1;
    if (this.listed.length < maxListed) this.listed.push(difference);
  }
}
