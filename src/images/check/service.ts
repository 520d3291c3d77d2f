import type { Queryable } from '../../database/sql.js';
import { selectPresent } from './queries.js';
import { imagesPerHash } from './schemas.js';
import type { CheckResult } from './schemas.js';

type Present = CheckResult['present'][number];

/** Tells clients which of their files have arrived. */
export class PresenceCheck {
  constructor(private readonly db: Queryable) {}

  /** @param asked hashes in lower case; one that occurs twice is answered once. */
  async check(userId: string, asked: readonly string[]): Promise<CheckResult> {
    const hashes = [...new Set(asked)];
    const bytes = hashes.map((hash) => Buffer.from(hash, 'hex'));
    const found = new Map<string, Present>();
    for (const version of await selectPresent(this.db, userId, bytes, imagesPerHash)) {
      const hash = version.hash.toString('hex');
      const present = found.get(hash) ?? { hash, images: [] };
      const { imageId: id, version: number, inTrash } = version;
      present.images.push({ id, version: number, in_trash: inTrash });
      found.set(hash, present);
    }
    return {
      present: hashes.flatMap((hash) => found.get(hash) ?? []),
      missing: hashes.filter((hash) => !found.has(hash)),
    };
  }
}
