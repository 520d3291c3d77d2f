import type { DataSource } from 'typeorm';
import { whileOpen, withoutLimits } from '../../database/data-source.js';
import { rows } from '../../database/sql.js';
import { extensionsMissingFromDumps, findSchemaDefects, partName } from '../schema.js';
import {
  activeInTrash,
  countersAgainstRows,
  daysAgainstLedger,
  folderTotalsAgainstImages,
  imagesAgainstVersions,
  imageTotalsAgainstImages,
  ledgerAgainstImages,
  rangesAgainstImages,
  setsAgainstFiles,
  textsAgainstImages,
  totalsAgainstAnnotations,
} from './account.sql.js';
import { finding, maxListed, type Findings, type Kind } from './findings.js';
import { cellsAgainstPlaces, placesAgainstImages, rebuildMap } from './place.sql.js';

/** Checks the schema and the accounts. @param platformId whose accounts; all if omitted. */
export async function verifyDatabase(
  db: DataSource,
  findings: Findings,
  platformId?: string,
): Promise<void> {
  await verifySchema(db, findings);
  await verifyAccounts(db, findings, platformId);
}

/** Checks the schema that everything else relies on, and whether a backup would include it. */
async function verifySchema(db: DataSource, findings: Findings): Promise<void> {
  for (const { part, what } of await findSchemaDefects(db)) {
    findings.add(finding('schema', `${partName(part)}: ${what}`));
  }
  for (const name of await extensionsMissingFromDumps(db)) findings.add(finding('extension', name));
}

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
} as const satisfies Partial<Record<Kind, unknown>>;

/**
 * Compares ledger, days, counters, and rows in one snapshot: triggers change them together, so they
 * agree in any snapshot, even under load.
 */
const verifyAccounts = (
  db: DataSource,
  findings: Findings,
  platformId: string | undefined,
): Promise<void> =>
  db.transaction('REPEATABLE READ', async (tx) => {
    await rows(tx, 'SET TRANSACTION READ ONLY');
    for (const [kind, compare] of Object.entries(comparisons)) {
      for (const { subject, ...rest } of await compare(tx, platformId)) {
        findings.add(finding(kind as keyof typeof comparisons, subject, rest));
      }
    }
  });

interface MapParts {
  readonly db: DataSource;
  /** Whether to rebuild the maps that differ. */
  readonly repair: boolean;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/** Which maps differ from the images: places, sums of cells, or newest images. */
export interface VerifiedMaps {
  readonly ok: boolean;
  /** Figures that differed. */
  readonly differences_total: number;
  /** The users whose maps differed, the first 1,000. */
  readonly users: readonly string[];
  /** Maps rebuilt from the images. */
  readonly rebuilt: number;
}

/** Compares the map of every user with the images, in one snapshot, and optionally repairs it. */
export const verifyMaps = ({ db, repair, report, signal }: MapParts): Promise<VerifiedMaps> =>
  whileOpen(withoutLimits(db), async (own) => {
    signal.throwIfAborted();
    report('Comparing maps with images');
    const found = await differencesOf(own);
    const users = [...new Set(found)].sort();
    for (const user of repair ? users : []) {
      signal.throwIfAborted();
      report(`Rebuilding the map of user ${user}`);
      await rebuildMap(own, user);
    }
    return {
      ok: found.length === 0 || (repair && (await differencesOf(own)).length === 0),
      differences_total: found.length,
      users: users.slice(0, maxListed),
      rebuilt: repair ? users.length : 0,
    };
  });

/** The user of each figure that differs. */
const differencesOf = (db: DataSource): Promise<string[]> =>
  db.transaction('REPEATABLE READ', async (tx) => {
    await rows(tx, 'SET TRANSACTION READ ONLY');
    const found = [...(await placesAgainstImages(tx)), ...(await cellsAgainstPlaces(tx))];
    return found.map(({ subject }) => subject.split(' ')[0] ?? '');
  });
