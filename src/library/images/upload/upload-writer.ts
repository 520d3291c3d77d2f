import type { EntityManager } from 'typeorm';
import type { Database } from '../../../database/joint-transaction.js';
import { ServiceError } from '../../../base/errors/catalogue.js';
import type { ReceivedFile } from '../../../http/upload.js';
import { extensionOf, type ProcessedImage, type Imaging } from '../../../imaging/port.js';
import { queueKeys, unqueueKeys } from '../../reclaim/reclaim.js';
import { objectsOf, type VersionId, type VersionObject } from '../../../store/object-key.js';
import type { NewObject, ObjectStore } from '../../../store/port.js';
import type { Usage } from '../../quota/usage.js';
import { uploadBytes } from '../../../base/telemetry/metrics.js';
import type { VersionAttributes } from '../entity.js';

/** A version whose objects are stored and whose rows are about to be inserted. */
export interface StoredUpload {
  readonly version: VersionAttributes;
  readonly processed: ProcessedImage;
}

/**
 * Stores an uploaded file and inserts its rows so that at every instant each object is either
 * referenced by a row or listed in object_reclaim (docs/adr/0003): list the keys, put the objects,
 * then in one transaction insert the rows and take the keys off the list.
 */
export class UploadWriter {
  constructor(
    private readonly db: Database,
    private readonly imaging: Imaging,
    private readonly store: ObjectStore,
    private readonly usage: Usage,
  ) {}

  /**
   * @param textBytes of memos that `save` adds. @param save inserts the rows, inside the transaction that also charges the quota.
   * @throws ServiceError of the imaging port, `storage_quota_exceeded`,
   *   `platform_limit_exceeded`, and whatever `save`
   *   throws; objects stored by then are left to the reclaim job.
   */
  async write<T>(
    file: ReceivedFile,
    id: VersionId,
    save: (tx: EntityManager, arrived: StoredUpload) => Promise<T>,
    textBytes = 0,
  ): Promise<T> {
    const processed = await this.imaging.process(file, id.userId);
    const version = versionAttributes(file, processed);
    const objects = newObjects(file, processed, objectsOf({ ...id, ...version }));
    const keys = objects.map(({ key }) => key);
    await queueKeys(this.db, keys);
    await this.store.put(objects);
    const images = id.versionId === id.imageId ? 1 : 0;
    const insert = async (tx: EntityManager): Promise<T> => {
      await this.usage.reserve(tx, id.userId, file.bytes + textBytes, images);
      const saved = await save(tx, { processed, version });
      if (!(await unqueueKeys(tx, keys))) {
        // The upload took longer than the grace period of its keys, so its objects may be gone.
        throw new ServiceError('unavailable');
      }
      return saved;
    };
    const saved = await this.usage.platformLimits.retrying(() => this.db.transaction(insert));
    uploadBytes.of(version.format, images ? 'image' : 'edit').observe(file.bytes);
    return saved;
  }
}

/** The current paths of a version's object files. */
function newObjects(
  file: ReceivedFile,
  { display, thumb }: ProcessedImage,
  objects: readonly VersionObject[],
): NewObject[] {
  const paths = { original: file.path, display: display?.path, thumb: thumb.path };
  return objects.flatMap(({ role, key }) => {
    const path = paths[role];
    if (path === undefined) return [];
    return [role === 'original' ? { key, path, sha256: file.hash.toString('hex') } : { key, path }];
  });
}

const versionAttributes = (file: ReceivedFile, processed: ProcessedImage): VersionAttributes => ({
  format: processed.format,
  extension: extensionOf[processed.format],
  displayExtension: processed.display?.extension ?? null,
  thumbExtension: processed.thumb.extension,
  hash: file.hash,
  bytes: file.bytes,
  width: processed.width,
  height: processed.height,
  isIncomplete: processed.incomplete,
});
