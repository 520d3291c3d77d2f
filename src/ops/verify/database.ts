import type { DataSource } from 'typeorm';
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
      for (const { subject, platformId: of, expected, found } of await compare(tx, platformId)) {
        const rest = { platformId: of, expected, found };
        findings.add(finding(kind as keyof typeof comparisons, subject, rest));
      }
    }
  });

export interface RecountParts {
  readonly db: DataSource;
  readonly platformId: string | undefined;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/** What was counted anew. */
export interface Recounted {
  readonly users: number;
  /** Platforms whose maps were summed up anew from those of their users. */
  readonly maps: number;
  /** Whether daily statistics, of all platforms, were summed up anew from the ledger. */
  readonly days: boolean;
}

/** Counts anew whatever differs and can be counted: all but the ledger, images, and versions. */
export async function recountAccounts(parts: RecountParts): Promise<Recounted> {
  const { db, platformId, report, signal } = parts;
  const { users, maps, days } = await db.transaction('REPEATABLE READ', async (tx) => {
    await rows(tx, 'SET TRANSACTION READ ONLY');
    const differing = new Set<string>();
    for (const compare of Object.values(comparisons)) {
      for (const { userId } of await compare(tx, platformId)) if (userId) differing.add(userId);
    }
    const summed = await platformCellsAgainstCells(tx, platformId);
    return {
      users: differing,
      maps: new Set(summed.map((cell) => cell.platformId)),
      days: (await daysAgainstLedger(tx, platformId)).length > 0,
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
  /** The platforms whose maps differed from those of their users, the first 1,000. */
  readonly platforms: readonly string[];
  /** Maps rebuilt from the images. */
  readonly rebuilt: number;
}

/** Compares the map of every user with the images, in one snapshot, and optionally repairs it. */
export const verifyMaps = ({ db, repair, report, signal }: MapParts): Promise<VerifiedMaps> =>
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
      differences_total: total,
      users: users.slice(0, maxListed),
      platforms: platforms.slice(0, maxListed),
      rebuilt: repair ? users.length + platforms.length : 0,
    };
  });

interface MapDifferences {
  readonly total: number;
  readonly users: readonly string[];
  readonly platforms: readonly string[];
}

const differencesOf = (db: DataSource): Promise<MapDifferences> =>
  db.transaction('REPEATABLE READ', async (tx) => {
    await rows(tx, 'SET TRANSACTION READ ONLY');
    const ofUsers = [...(await placesAgainstImages(tx)), ...(await cellsAgainstPlaces(tx))];
    const ofPlatforms = await platformCellsAgainstCells(tx);
    return {
      total: ofUsers.length + ofPlatforms.length,
      users: [...new Set(ofUsers.map(({ userId = '' }) => userId))].sort(),
      platforms: [...new Set(ofPlatforms.map(({ platformId }) => platformId))].sort(),
    };
  });
