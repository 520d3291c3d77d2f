import type { DataSource, EntityManager } from 'typeorm';
import { whileOpen, withoutLimits } from '../../database/data-source.js';
import { withLock } from '../../database/locks.js';
import { rows } from '../../database/sql.js';
import { renewPlatformMap } from '../../library/images/map/upkeep.js';
import { remakeDaysAsTheyAre } from '../../library/statistics/roll-up.js';
import { extensionsMissingFromDumps, findSchemaDefects, partName } from '../schema.js';
import {
  activeInTrash,
  countersAgainstRows,
  daysAgainstLedger,
  differencesIn,
  folderTotalsAgainstImages,
  imagesAgainstVersions,
  imageTotalsAgainstImages,
  ledgerAgainstImages,
  setsAgainstFiles,
  textsAgainstImages,
  totalsAgainstAnnotations,
} from './account.sql.js';
import { finding, maxListed, type Findings, type Kind } from './findings.js';
import { recount, recountLimits } from './recount.sql.js';
import {
  cellsAgainstPlaces,
  placesAgainstImages,
  platformCellsAgainstCells,
  rebuildMap,
} from './place.sql.js';

/** Checks the schema and the accounts. @param platformId whose accounts; all if omitted. */
export async function verifyDatabase(
  db: DataSource,
  findings: Findings,
  platformId?: string,
): Promise<void> {
  await verifySchema(db, findings);
  await inSnapshot(db, async (tx) => {
    for (const [kind, comparison] of Object.entries(comparisons)) {
      for (const one of await differencesIn(tx, comparison, platformId)) {
        const { platformId: of, subject, expected, found } = one;
        const rest = { platformId: of, expected, found };
        findings.add(finding(kind as keyof typeof comparisons, subject, rest));
      }
    }
  });
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
  image_total: imageTotalsAgainstImages,
  folder_total: folderTotalsAgainstImages,
  place: placesAgainstImages,
  map_cell: cellsAgainstPlaces,
  platform_cell: platformCellsAgainstCells,
  image_text: textsAgainstImages,
  image_versions: imagesAgainstVersions,
  upload_set: setsAgainstFiles,
  annotation_total: totalsAgainstAnnotations,
  active_in_trash: activeInTrash,
} as const satisfies Partial<Record<Kind, unknown>>;

/**
 * Reads in one snapshot: triggers change ledger, days, counters, and rows together, so they agree in
 * any snapshot, even under load.
 */
const inSnapshot = <T>(db: DataSource, read: (tx: EntityManager) => Promise<T>): Promise<T> =>
  db.transaction('REPEATABLE READ', async (tx) => {
    await rows(tx, 'SET TRANSACTION READ ONLY');
    return read(tx);
  });

interface RecountParts {
  readonly db: DataSource;
  readonly platformId: string | undefined;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Counts anew whatever differs and can be counted: all but the ledger, images, and versions.
 * @returns how many users; how many platforms, whose maps were summed up anew from those of their
 * users; and whether daily statistics, of all platforms, were summed up anew from the ledger.
 */
export async function recountAccounts(parts: RecountParts) {
  const { db, platformId, report, signal } = parts;
  const { users, maps, days } = await inSnapshot(db, async (tx) => {
    const differing = new Set<string>();
    for (const comparison of Object.values(comparisons)) {
      const found = await differencesIn(tx, comparison, platformId);
      for (const { userId } of found) if (userId) differing.add(userId);
    }
    const summed = await differencesIn(tx, platformCellsAgainstCells, platformId);
    return {
      users: differing,
      maps: new Set(summed.map((cell) => cell.platformId)),
      days: (await differencesIn(tx, daysAgainstLedger, platformId)).length > 0,
    };
  });
  const platforms = new Set<string>();
  for (const user of users) {
    signal.throwIfAborted();
    report(`Counting what user ${user} has`);
    const platform = await recount(db, user);
    if (platform !== undefined) platforms.add(platform);
  }
  for (const platform of platforms) await recountLimits(db, platform);
  await renewPlatformMaps(maps, parts);
  if (days) {
    report('Summing up the days of the ledger');
    await withLock(db, 'rollUp', signal, (session) => session.transaction(remakeDaysAsTheyAre));
  }
  return { users: users.size, maps: maps.size, days };
}

/** After the maps of their users, which they sum up. */
async function renewPlatformMaps(
  platforms: Iterable<string>,
  { db, report, signal }: Pick<RecountParts, 'db' | 'report' | 'signal'>,
): Promise<void> {
  for (const platform of platforms) {
    signal.throwIfAborted();
    report(`Summing up the map of platform ${platform}`);
    await renewPlatformMap(db, platform, signal);
  }
}

/**
 * Compares the map of every user with the images, in one snapshot: places, sums of cells, and newest
 * images. @param parts `repair`: whether to rebuild the maps that differ.
 */
export const verifyMaps = ({
  db,
  repair,
  report,
  signal,
}: Omit<RecountParts, 'platformId'> & { readonly repair: boolean }) =>
  whileOpen(withoutLimits(db), async (own) => {
    signal.throwIfAborted();
    report('Comparing maps with images');
    const { total, users, platforms } = await differencesOf(own);
    for (const user of repair ? users : []) {
      signal.throwIfAborted();
      report(`Rebuilding the map of user ${user}`);
      await rebuildMap(own, user);
    }
    if (repair) await renewPlatformMaps(platforms, { db: own, report, signal });
    return {
      ok: total === 0 || (repair && (await differencesOf(own)).total === 0),
      /** Figures that differed. */
      differences_total: total,
      /** Whose maps differed from the images, the first 1,000. */
      users: users.slice(0, maxListed),
      /** Whose maps differed from those of their users, the first 1,000. */
      platforms: platforms.slice(0, maxListed),
      /** Maps rebuilt from the images. */
      rebuilt: repair ? users.length + platforms.length : 0,
    };
  });

export type VerifiedMaps = Awaited<ReturnType<typeof verifyMaps>>;

const differencesOf = (db: DataSource) =>
  inSnapshot(db, async (tx) => {
    const ofPlaces = await differencesIn(tx, placesAgainstImages);
    const ofUsers = [...ofPlaces, ...(await differencesIn(tx, cellsAgainstPlaces))];
    const ofPlatforms = await differencesIn(tx, platformCellsAgainstCells);
    return {
      total: ofUsers.length + ofPlatforms.length,
      users: [...new Set(ofUsers.map(({ userId = '' }) => userId))].sort(),
      platforms: [...new Set(ofPlatforms.map(({ platformId }) => platformId))].sort(),
    };
  });
