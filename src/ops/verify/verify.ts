import type { DataSource } from 'typeorm';
import { whileOpen, withoutLimits } from '../../database/data-source.js';
import { tryWithLock } from '../../database/locks.js';
import { VersionTally } from '../../library/reclaim/version-objects.js';
import { graceMinutes } from '../../library/reclaim/reclaim.js';
import { minuteMs } from '../../base/units.js';
import type { ObjectStore } from '../../store/port.js';
import { checkContents, type Reading, recheckFindings } from './contents.js';
import { repairSchema } from '../schema.js';
import { recountAccounts, verifyDatabase } from './database.js';
import { differenceOf, Findings, type Kind, reportOf } from './findings.js';
import { checkObjects, checkRows, checkUploads } from './objects.js';
import {
  deleteFindings,
  insertFindings,
  recordBegin,
  recordEnd,
  startedWithin,
} from './record.sql.js';
import { Repair } from './repair.js';
import { refuseWhileMoving, verifying, type Run } from './run.js';

interface StatisticsParts {
  readonly db: DataSource;
  readonly store: ObjectStore;
  /** All platforms if omitted. */
  readonly platformId?: string | undefined;
  /** Whether to mend the schema first, and to recount what differs and can be counted. */
  readonly repair?: boolean;
  readonly report: (message: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * `verify accounts`: that the schema is complete, and that ledger, rolled-up days, counters, rows, and
 * stored objects agree. Changes nothing but the schema and counts, and those only on request; may run while the
 * service is serving.
 * @throws ServiceError `unavailable` when the store is unavailable; the reason of `signal`.
 */
export async function verifyStatistics({
  db,
  store,
  platformId,
  repair = false,
  report,
  signal = new AbortController().signal,
}: StatisticsParts) {
  const mended = repair ? await repairSchema(db, report) : [];
  await store.check();
  const findings = new Findings();
  return whileOpen(withoutLimits(db), async (own) => {
    const session = own.manager;
    const run: Run = { session, store, platformId, findings, graceMs: 0, report, signal };
    report('Comparing ledger, days, counters, and rows');
    signal.throwIfAborted();
    const recounted = repair
      ? await recountAccounts({ db: own, platformId, report, signal })
      : null;
    await verifyDatabase(own, findings, platformId);
    report('Checking the objects of all rows');
    const versions = await checkRows(run);
    report('Checking the owners of all objects');
    const { objects } = await checkObjects(run);
    await checkUploads(run);
    return {
      ok: findings.total === 0,
      versions,
      objects,
      /** Null if nothing was to be repaired. */
      recounted,
      /** Parts of the schema that were missing or invalid, and are no more. */
      mended,
      differences_total: findings.total,
      /** The first 1,000. */
      differences: findings.listed.map(differenceOf),
    };
  });
}

export type VerifiedStatistics = Awaited<ReturnType<typeof verifyStatistics>>;

export interface VerifyParts {
  readonly db: DataSource;
  readonly store: ObjectStore;
  /** Whether to move unreferenced objects into quarantine, and needed ones back. */
  readonly repair?: boolean;
  /** How many of the bytes to read; none if omitted. */
  readonly reading?: Reading | undefined;
  /** Age up to which unreferenced objects are left alone; for tests. */
  readonly graceMs?: number;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Age up to which an unreferenced object is left alone, in milliseconds: no operation takes longer.
 */
const usualGraceMs = 2 * graceMinutes * minuteMs;

/**
 * `verify`: that every version has its objects, that every object is referenced, and optionally that
 * the bytes are right (docs/adr/0002). May run while the service is running; can be repeated after
 * any interruption. @throws OperatorError; ServiceError `unavailable` of the store.
 */
export const verifyObjects = (parts: VerifyParts) =>
  verifying(parts.db, async (session) => {
    const { db, store, report, signal } = parts;
    if (parts.repair) await refuseWhileMoving(session);
    await store.check();
    const repair = parts.repair ? new Repair({ db, session, store }) : undefined;
    const findings = new Findings();
    const { graceMs = usualGraceMs } = parts;
    const run: Run = { session, store, findings, repair, graceMs, report, signal };
    const { versions, objects, young } = await checkReferences(run);
    await recheckFindings(run);
    const contents = parts.reading && (await checkBytes(run, parts.reading));
    return {
      ok: findings.total === 0,
      versions,
      objects,
      /** Unreferenced objects that are too young to be orphans. */
      young_objects: young,
      quarantined: repair?.quarantined ?? { objects: 0, bytes: 0 },
      put_back: repair?.putBack ?? { objects: 0, bytes: 0 },
      contents: contents ?? null,
      differences_total: findings.total,
      /** The first 1,000. */
      differences: findings.listed.map(reportOf),
    };
  });

export type Verified = Awaited<ReturnType<typeof verifyObjects>>;

const referenceKinds: readonly Kind[] = [
  'object_missing',
  'object_size',
  'object_doomed',
  'object_orphan',
];

async function checkReferences(run: Run) {
  const { session, findings, repair, report, signal } = run;
  await recordBegin(session, 'objects');
  if (repair) {
    report('Checking for objects in quarantine that rows refer to');
    await repair.putBackNeeded(signal);
  }
  report('Looking up the references to each object');
  const whole = new VersionTally();
  const { objects, young } = await checkObjects(run, whole);
  report('Checking the objects of all rows');
  const versions = await checkRows(run, whole);
  await session.transaction(async (tx) => {
    await deleteFindings(tx, referenceKinds);
    await insertFindings(tx, findings.listed);
    await recordEnd(tx, 'objects', { versions, objects, bytes: 0 });
  });
  return { versions, objects, young };
}

async function checkBytes(run: Run, reading: Reading) {
  const { session, report } = run;
  report('Reading the bytes of the objects');
  await recordBegin(session, 'contents');
  const { roundEnded, ...counts } = await checkContents(run, reading);
  await recordEnd(session, 'contents', counts);
  return { ...counts, round_ended: roundEnded };
}

/** Minimum hours between two nightly readings: all nodes start them at about the same time. */
const nightHours = 12;

/**
 * Reads the bytes of some objects; a job runs this each night. @returns undefined if another
 * process is doing this, or did so recently.
 */
export const readNightly = (
  parts: Pick<VerifyParts, 'db' | 'store' | 'signal'> & { readonly reading: Reading },
) =>
  tryWithLock(parts.db, 'verification', async (session) => {
    if (await startedWithin(session, nightHours)) return undefined;
    const { store, signal } = parts;
    await store.check();
    const findings = new Findings();
    const report = (): void => undefined;
    const run: Run = { session, store, findings, graceMs: usualGraceMs, report, signal };
    try {
      await recheckFindings(run);
      return { ...(await checkBytes(run, parts.reading)), differences: findings.total };
    } catch (error) {
      if (signal.aborted) return undefined; // the service stops; the next night resumes
      throw error;
    }
  });
