import type { DataSource, EntityManager } from 'typeorm';
import { readInstance } from '../../database/instance.js';
import { tryWithLock } from '../../database/locks.js';
import { failure } from '../../base/errors/operator.js';
import { commandLine } from '../../base/os/command-line.js';
import { atMostEach } from '../../base/concurrency.js';
import { secondMs } from '../../base/units.js';
import type { ObjectStore } from '../../store/port.js';
import type { Findings } from './findings.js';
import type { Repair } from './repair.js';

/** State shared by the steps of a verification. */
export interface Run {
  /** If anything is recorded or moved, the connection that holds the lock of `verifying`. */
  readonly session: EntityManager;
  readonly store: ObjectStore;
  /** All platforms if omitted. */
  readonly platformId?: string | undefined;
  readonly findings: Findings;
  /** Undefined if nothing may be changed. */
  readonly repair?: Repair | undefined;
  /** Age up to which an unreferenced object is left alone. */
  readonly graceMs: number;
  readonly report: (message: string) => void;
  readonly signal: AbortSignal;
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

/** Limits the reports of one step. */
export const throttled = (report: (message: string) => void) => atMostEach(5 * secondMs, report);
