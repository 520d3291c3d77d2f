import type { DataSource } from 'typeorm';
import { rows } from '../../database/sql.js';
import { activeInTrash, countersAgainstRows, daysAgainstLedger } from './account.sql.js';
import {
  folderTotalsAgainstImages,
  imagesAgainstVersions,
  imageTotalsAgainstImages,
  ledgerAgainstImages,
  rangesAgainstImages,
  totalsAgainstAnnotations,
} from './account.sql.js';
import { cellsAgainstPlaces, placesAgainstImages } from './place.sql.js';
import { textsAgainstImages } from './text.sql.js';
import { setsAgainstFiles } from './upload-set.sql.js';
import type { Differences } from './differences.js';

const comparisons = {
  ledger: ledgerAgainstImages,
  daily_stats: daysAgainstLedger,
  user_counter: countersAgainstRows,
  image_range: rangesAgainstImages,
  image_total: imageTotalsAgainstImages,
  folder_total: folderTotalsAgainstImages,
  place: placesAgainstImages,
  map_cell: cellsAgainstPlaces,
  image_text: textsAgainstImages,
  image_versions: imagesAgainstVersions,
  upload_set: setsAgainstFiles,
  annotation_total: totalsAgainstAnnotations,
  active_in_trash: activeInTrash,
} as const;

/**
 * Compares ledger, days, counters, and rows in one snapshot: triggers change them together, so they
 * agree in any snapshot, even under load.
 */
export async function verifyAccounts(
  db: DataSource,
  platformId: string | undefined,
  differences: Differences,
): Promise<void> {
  await db.transaction('REPEATABLE READ', async (tx) => {
    await rows(tx, 'SET TRANSACTION READ ONLY');
    for (const [kind, compare] of Object.entries(comparisons)) {
      for (const { platformId: id, ...rest } of await compare(tx, platformId)) {
        differences.add({ kind: kind as keyof typeof comparisons, platform_id: id, ...rest });
      }
    }
  });
}
