import type { Queryable } from '../../../database/sql.js';
import { selectPresent } from './check.sql.js';
import { imagesPerHash } from './schemas.js';
import type { CheckResult } from './schemas.js';

type Present = CheckResult['present'][number];

/** Checks which files of a client are already stored. */
export class PresenceCheck {
  constructor(private readonly db: Queryable) {}

  /** @param asked hashes in lower case; duplicates are answered once. */
  async check(userId: string, asked: readonly string[]): Promise<CheckResult> {
    const hashes = [...new Set(asked)];
    const bytes = Buffer.from(hashes.join(''), 'hex');
    const images: (Present['images'] | undefined)[] = [];
    const found = await selectPresent(this.db, userId, bytes, imagesPerHash);
    for (const { n, imageId: id, version, inTrash } of found) {
      (images[n] ??= []).push({ id, version, in_trash: inTrash });
    }
    return {
      present: hashes.flatMap((hash, n) => {
        const those = images[n];
        return those ? [{ hash, images: those }] : [];
      }),
      missing: hashes.filter((_hash, n) => !images[n]),
    };
  }
}
