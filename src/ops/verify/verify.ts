import type { DataSource } from 'typeorm';
import { withoutLimits } from '../../database/data-source.js';
import type { ObjectStore } from '../../store/port.js';
import { verifyAccounts } from './accounts.js';
import { Differences } from './differences.js';
import type { Difference } from './differences.js';
import { verifyRows, verifyStore } from './objects.js';
import { verifyUploads } from './uploads.js';
import { verifySchema } from './schema.js';

export interface VerifyParts {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'stat' | 'list' | 'unfinished' | 'check'>;
  /** All platforms if omitted. */
  readonly platformId?: string | undefined;
  readonly report: (message: string) => void;
  readonly signal?: AbortSignal;
}

export interface VerifiedStatistics {
  readonly ok: boolean;
  readonly versions: number;
  readonly objects: number;
  readonly differences_total: number;
  /** The first 1,000. */
  readonly differences: readonly Difference[];
}

/**
 * Verifies that the schema is complete, and that ledger, rolled-up days, counters, rows, and stored
 * objects agree. Changes nothing and may run while the service is serving.
 * @throws ServiceError `unavailable` when the store is unavailable; the reason of `signal`.
 */
export async function verify(given: VerifyParts): Promise<VerifiedStatistics> {
  const { db, store, platformId, report, signal } = given;
  await store.check();
  const differences = new Differences();
  const own = await withoutLimits(db).initialize();
  try {
    await verifySchema(own, differences);
    signal?.throwIfAborted();
    report('Comparing ledger, days, counters, and rows');
    await verifyAccounts(own, platformId, differences);
    const parts = { db: own, store, platformId, differences, ...(signal && { signal }) };
    report('Checking the objects of all rows');
    const versions = await verifyRows(parts);
    report('Checking the owners of all objects');
    const objects = await verifyStore(parts);
    await verifyUploads(parts);
    return {
      ok: differences.total === 0,
      versions,
      objects,
      differences_total: differences.total,
      differences: differences.listed,
    };
  } finally {
    await own.destroy();
  }
}
