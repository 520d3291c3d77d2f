import type { DataSource, EntityManager } from 'typeorm';
import { noteKeys, withdrawKeys } from '../queries.js';
import { ServiceError } from '../../errors/catalogue.js';
import type { ReceivedFile } from '../../http/upload.js';
import { extensionOf } from '../../imaging/port.js';
import type { ImageFacts, Imaging } from '../../imaging/port.js';
import { objectKey } from '../../store/layout.js';
import type { VersionId } from '../../store/layout.js';
import type { NewObject, ObjectStore } from '../../store/port.js';
import type { Usage } from '../../quota/usage.js';
import type { VersionFacts } from '../entity.js';

/** A version whose objects are stored and whose rows are about to be. */
export interface Arrived {
  readonly version: VersionFacts;
  readonly facts: ImageFacts;
}

/**
 * Brings an uploaded file into the store and its rows into the database, such that at every instant
 * each object is either referred to by a row or listed in object_reclaim (docs/adr/0003):
 * note the keys, put the objects, then in one transaction insert the rows and withdraw the keys.
 */
export class Intake {
  constructor(
    private readonly db: DataSource,
    private readonly imaging: Imaging,
    private readonly store: ObjectStore,
    private readonly usage: Usage,
  ) {}

  /**
   * @param save inserts the rows, inside the transaction that also charges the quota.
   * @throws ServiceError of the imaging port, `storage_quota_exceeded`, and what `save` throws;
   *   what was stored by then is left to the reclaim job.
   */
  async take<T>(
    file: ReceivedFile,
    id: VersionId,
    save: (tx: EntityManager, arrived: Arrived) => Promise<T>,
  ): Promise<T> {
    const facts = await this.imaging.process(file, id.userId);
    const objects = objectsOf(file, facts, id);
    const keys = objects.map(({ key }) => key);
    await noteKeys(this.db, keys);
    await this.store.put(objects);
    return this.db.transaction(async (tx) => {
      await this.usage.reserve(tx, id.userId, file.bytes);
      const saved = await save(tx, { facts, version: versionFacts(file, facts) });
      if (!(await withdrawKeys(tx, keys))) {
        // The upload took longer than the grace of its keys: its objects may be gone.
        throw new ServiceError('unavailable');
      }
      return saved;
    });
  }
}

function objectsOf(file: ReceivedFile, facts: ImageFacts, id: VersionId): NewObject[] {
  const { display, thumb } = facts;
  return [
    { key: objectKey(id, 'original', extensionOf[facts.format]), path: file.path },
    ...(display ? [{ key: objectKey(id, 'display', display.extension), path: display.path }] : []),
    { key: objectKey(id, 'thumb', thumb.extension), path: thumb.path },
  ];
}

const versionFacts = (file: ReceivedFile, facts: ImageFacts): VersionFacts => ({
  format: facts.format,
  extension: extensionOf[facts.format],
  displayExtension: facts.display?.extension ?? null,
  thumbExtension: facts.thumb.extension,
  hash: file.hash,
  bytes: file.bytes,
  width: facts.width,
  height: facts.height,
  isIncomplete: facts.incomplete,
});
