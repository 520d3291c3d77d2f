import type { DataSource } from 'typeorm';
import { inBatches } from '../../base/concurrency.js';
import { tryWithLock } from '../../database/locks.js';
import { objectsOf } from '../../store/object-key.js';
import type { LegalHolds, ObjectStore } from '../../store/port.js';
import * as queries from './holds.sql.js';

/** Versions whose objects are held, or no longer, at a time. */
const versionsAtOnce = 100;

/** What was done; versions of images. */
interface Set {
  readonly held: number;
  readonly released: number;
}

/**
 * Has the objects of what is held bear a legal hold in a bucket with object lock, and those of what is no longer
 * held none. What a crash left half done is done again, which changes nothing twice.
 * @returns undefined where objects cannot be held: another store, a bucket without lock, a move.
 */
export async function setLegalHolds(
  db: DataSource,
  { legalHolds: bucket }: Pick<ObjectStore, 'legalHolds'>,
  signal: AbortSignal,
): Promise<Set | undefined> {
  if (!bucket || (await bucket.lock()) !== 'on') return undefined;
  return tryWithLock(db, 'legalHolds', async (session) => ({
    held: await inBatches(versionsAtOnce, signal, async () => {
      const due = await queries.selectToHold(session, bucket.place, versionsAtOnce);
      const versions = due.map((version) => ({
        id: version.versionId,
        keys: objectsOf(version).map(({ key }) => key),
      }));
      await setAll(bucket, versions, true);
      await queries.insertLegalHolds(session, bucket.place, versions);
      return versions.length;
    }),
    released: await inBatches(versionsAtOnce, signal, async () => {
      const due = await queries.selectToRelease(session, bucket.place, versionsAtOnce);
      await setAll(bucket, due, false);
      await queries.deleteLegalHolds(
        session,
        due.map(({ id }) => id),
      );
      return due.length;
    }),
  }));
}

const setAll = (bucket: LegalHolds, versions: readonly queries.LegalHold[], held: boolean) =>
  bucket.set(
    versions.flatMap(({ keys }) => keys),
    held,
  );
