/** What waits while a migration runs: nothing, changes of the tables that it reads, or reads, too. */
export type Hold = 'nothing' | 'changes' | 'everything';

export interface AboutMigration {
  /** What it does, in a sentence. */
  readonly does: string;
  readonly holds: Hold;
  /** Tables that are there before it and that it goes through: what its duration depends on. */
  readonly reads: readonly string[];
}

const about = (
  does: string,
  holds: Hold = 'nothing',
  reads: readonly string[] = [],
): AboutMigration => ({ does, holds, reads });

/** What `migrate --plan` says of each migration, by name. Every migration has an entry. */
export const aboutMigrations: Readonly<Record<string, AboutMigration>> = {
  Foundation0000000000001: about('Creates the tables.'),
  Accounting0000000000002: about('Creates the accounts of what is stored, kept by triggers.'),
  Folders0000000000003: about('Builds the indexes by which folders are read.', 'changes', [
    'folders',
    'images',
  ]),
  Search0000000000004: about('Adds texts to search in, and their indexes.', 'everything', [
    'images',
    'memos',
    'customs',
    'folders',
  ]),
  RollUp0000000000006: about('Creates a table for the time zone of daily statistics.'),
  Places0000000000008: about('Builds the index by which places are read.', 'changes', ['images']),
  ImageRanges0000000000009: about(
    'Counts the images of each user in ranges, so that any page is found at once.',
    'changes',
    ['images', 'users'],
  ),
  Whereabouts0000000000011: about('Notes which object store is in use.'),
  AnnotationTotals0000000000012: about('Counts the memos and customs of each image.', 'changes', [
    'images',
    'memos',
    'customs',
  ]),
  Incomplete0000000000013: about('Adds a mark for pictures that break off.'),
  KeptTotals0000000000014: about('Counts images by state and by folder.', 'changes', ['images']),
  KeptPlaces0000000000015: about(
    'Sums up images by place and by cell of the map; a minute per million images.',
    'changes',
    ['images'],
  ),
  MapReads0000000000016: about('Creates the functions that read the map.'),
  SearchTexts0000000000017: about(
    'Builds the search index anew, by user; three minutes per million images, and for a while room for both.',
    'changes',
    ['images', 'memos', 'customs', 'folders'],
  ),
  SmallChanges0000000000018: about('Creates functions for changes of one image.'),
  RadiusReads0000000000019: about('Replaces the functions that read the map.'),
  Changes0000000000020: about(
    'Begins the change feed of every user; a second per hundred thousand users.',
    'changes',
    ['users'],
  ),
  Retries0000000000021: about(
    'Builds the index that finds files by hash, and creates the table of idempotency keys.',
    'changes',
    ['image_versions'],
  ),
  UploadSets0000000000022: about('Creates the tables of upload sets.'),
  Webhooks0000000000023: about('Creates the tables of webhooks.'),
  Tenants0000000000024: about('Creates limits, suspension, erasure reports, and the audit trail.'),
  OnePass0000000000025: about('Replaces triggers, so that accounts and feed take one pass.'),
  Verification0000000000026: about('Creates the tables of what verifications find.'),
  Checksums0000000000028: about('Adds a column for the checksums that archives need.'),
  MapTiles0000000000029: about(
    'Makes the cells of maps anew, with the newest image of each; half a minute per million images.',
    'changes',
    ['places', 'users'],
  ),
  ConsoleCodes0000000000032: about('Creates the table of links that sign in to the console.'),
  CheaperMaps0000000000033: about(
    'Replaces functions and foreign keys of maps, so that changes cost less.',
  ),
  QuotaOfText0000000000034: about(
    'Counts the text of memos and customs against quotas; seconds per million images with text.',
    'changes',
    ['annotation_totals', 'images', 'users'],
  ),
  EndedLinks0000000000035: about(
    'Builds the indexes that find suspended users and platforms.',
    'changes',
    ['users'],
  ),
  Successors0000000000036: about('Adds columns to refresh tokens.'),
  CameraData0000000000037: about(
    'Adds columns for what cameras know, which a nightly job reads from older files; seconds per million images.',
    'changes',
    ['images'],
  ),
  Taken0000000000038: about(
    'Builds the indexes by the time that pictures were taken, and counts images along it; twenty seconds per million images.',
    'changes',
    ['images', 'users'],
  ),
  FullPictures0000000000039: about('Adds a column for whole pictures, which are made on demand.'),
  Links0000000000040: about('Creates the tables of links for people without an account.'),
  ResumableUploads0000000000041: about(
    'Creates the tables of uploads that resume; counts what they announce against quotas.',
  ),
  PlatformCells0000000000042: about(
    'Creates the sums of the maps of platforms, which a job makes afterwards; seconds per million images.',
    'changes',
    ['map_cells'],
  ),
};
