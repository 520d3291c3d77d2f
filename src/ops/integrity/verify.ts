import type { DataSource, EntityManager } from 'typeorm';
import { readInstance } from '../../database/instance.js';
import { tryWithLock } from '../../database/locks.js';
import { failure } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { VersionTally } from '../../library/reclaim/version-tally.js';
import type { ObjectStore } from '../../store/port.js';
import { checkContents } from './contents.js';
import type { Reading } from './contents.js';
import { Findings, reportOf } from './findings.js';
import type { FindingKind, FindingReport } from './findings.js';
import { recheckFindings } from './recheck.js';
import { checkObjects, graceMs } from './objects.js';
import {
  startedWithin,
  deleteFindings,
  insertFindings,
  recordBegin,
  recordEnd,
} from './integrity.sql.js';
import { Repair } from './repair.js';
import type { MovedObjects } from './repair.js';
import { checkRows } from './rows.js';
import type { Run } from './run.js';

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

export interface Verified {
  readonly ok: boolean;
  readonly versions: number;
  readonly objects: number;
  /** Unreferenced objects that are too young to be orphans. */
  readonly young_objects: number;
  readonly quarantined: Readonly<MovedObjects>;
  readonly put_back: Readonly<MovedObjects>;
  readonly contents: {
    readonly versions: number;
    readonly objects: number;
    readonly bytes: number;
    /** Whether the round ended: all versions have been read. */
    readonly round_ended: boolean;
  } | null;
  readonly differences_total: number;
  /** The first 1,000. */
  readonly differences: readonly FindingReport[];
}

/** Runs `work` unless another process verifies or repairs. @throws OperatorError. */
export async function verifying<T>(
  db: DataSource,
  work: (session: EntityManager) => Promise<T>,
): Promise<T> {
  const done = await tryWithLock(db, 'verification', async (session) => ({
    value: await work(session),
  }));
  if (done) return done.value;
  throw failure('Another process is verifying the objects, or working on the quarantine.', {
    remedy: 'Wait until it has ended; the nightly job ends by itself.',
  });
}

/** @throws OperatorError while objects are being moved to another store. */
export async function refuseWhileMoving(session: EntityManager): Promise<void> {
  const { moving, second } = await readInstance(session);
  if (!moving) return;
  throw failure('The objects are being moved to another store.', {
    remedy: `Finish that first: ${commandLine('store', 'migrate', '--to', String(second))}`,
  });
}

/**
 * Verifies that every version has its objects, that every object is referenced, and optionally that
 * the bytes are right (docs/adr/0003). May run while the service is running; can be repeated after
 * any interruption. @throws OperatorError; ServiceError `unavailable` of the store.
 */
export const verifyObjects = (parts: VerifyParts): Promise<Verified> =>
  verifying(parts.db, async (session) => {
    const { db, store, report, signal } = parts;
    if (parts.repair) await refuseWhileMoving(session);
    await store.check();
    const repair = parts.repair ? new Repair({ db, session, store }) : undefined;
    const findings = new Findings();
    const grace = parts.graceMs ?? graceMs;
    const run: Run = { session, store, findings, repair, graceMs: grace, report, signal };
    const { versions, objects, young } = await checkReferences(run);
    await recheckFindings(run);
    const contents = parts.reading && (await checkBytes(run, parts.reading));
    return {
      ok: findings.total === 0,
      versions,
      objects,
      young_objects: young,
      quarantined: repair?.quarantined ?? { objects: 0, bytes: 0 },
      put_back: repair?.putBack ?? { objects: 0, bytes: 0 },
      contents: contents ?? null,
      differences_total: findings.total,
      differences: findings.listed.map(reportOf),
    };
  });

const referenceKinds: readonly FindingKind[] = [
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
    const run: Run = { session, store, findings, repair: undefined, graceMs, report, signal };
    try {
      await recheckFindings(run);
      return { ...(await checkBytes(run, parts.reading)), differences: findings.total };
    } catch (error) {
      if (signal.aborted) return undefined; // the service stops; the next night resumes
      throw error;
    }
  });
