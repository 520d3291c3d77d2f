import type { DataSource } from 'typeorm';
import { forEachLimited, inGroups } from '../../base/concurrency.js';
import { hourMs } from '../../base/units.js';
import { withObjectsHeld } from '../../database/locks.js';
import type { ObjectStore } from '../../store/port.js';
import { addToPool, isSound } from '../backup/copy-objects.js';
import type { DirectoryRepository } from '../backup/directory-repository.js';
import { wantedOf, versionsById, type WantedObject } from '../backup/manifest.js';
import { poolPath } from '../backup/repository.js';
import { pingSession } from '../dumps.sql.js';

const groupSize = 200;
const parallelCopies = 8;

/** An upload gets its id when it begins, and fails if it takes longer than this. */
const maxUploadMs = 1.5 * hourMs;

export interface PassParts {
  readonly db: DataSource;
  readonly store: Pick<ObjectStore, 'get'>;
  readonly repository: DirectoryRepository;
  /** Path of an object as a file that may be linked; undefined if it must be copied. */
  readonly fileOf: ((key: string) => string) | undefined;
  readonly report: (message: string) => void;
  /** Reports the progress of a pass over all objects. */
  readonly copied: (progress: { objects: number; bytes: number }, total: number) => void;
}

/** Copies newly stored objects at short intervals. */
export class ObjectPasses {
  /** Versions already copied or found in the pool that the next pass will see again. */
  #recent = new Set<string>();
  #first = true;

  constructor(private readonly parts: PassParts) {}

  /**
   * Copies every object that a row references into the pool. Nothing is deleted meanwhile. The
   * first pass checks all versions, later ones only those with recent ids.
   */
  async pass(signal: AbortSignal): Promise<void> {
    const horizon = idAt(Date.now() - maxUploadMs);
    const seen = new Set<string>();
    await withObjectsHeld(this.parts.db, async (session) => {
      const progress = { objects: 0, bytes: 0 };
      const versions = versionsById(session, null, this.#first ? undefined : horizon);
      for await (const group of inGroups(versions, groupSize)) {
        signal.throwIfAborted();
        const fresh = group.filter(({ versionId }) => !this.#recent.has(versionId));
        await forEachLimited(fresh.flatMap(wantedOf), parallelCopies, async (wanted) => {
          progress.bytes += await this.#ensure(wanted);
          progress.objects += 1;
        });
        if (fresh.length > 0) await pingSession(session); // fails if the lock is lost, and with it perhaps objects
        for (const { versionId } of group) if (versionId > horizon) seen.add(versionId);
        if (this.#first) this.parts.copied(progress, progress.objects);
      }
    });
    this.#recent = seen;
    this.#first = false;
  }

  /** @returns the bytes that were copied. */
  async #ensure(wanted: WantedObject): Promise<number> {
    const { repository, report } = this.parts;
    const present = await repository.size(poolPath(wanted.key));
    if (present !== undefined && (wanted.bytes ?? present) === present) return 0;
    const entry = await addToPool(this.parts, wanted);
    if (!isSound(wanted, entry)) report(`Lost or damaged in the store: ${wanted.key}`);
    return entry.bytes ?? 0;
  }
}

/** The lowest id that can have been generated at a time, in milliseconds since 1970. */
function idAt(ms: number): string {
  const digits = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}
