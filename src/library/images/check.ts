import { z } from 'zod';
import { type Queryable, rows } from '../../database/sql.js';
import { fileHash, id } from '../../http/record-fields.js';
import { hashList } from '../../http/request-fields.js';

/** Bytes of a SHA-256. */
const hashBytes = 32;

const trashedForOne = 20;

/** A version whose file has one of the hashes. */
interface PresentVersion {
  /** Index of the hash, from 0. */
  readonly n: number;
  readonly imageId: string;
  readonly version: number;
  readonly inTrash: boolean;
}

/**
 * The user's versions with these hashes, oldest images first, at most `each` per hash. The hashes
 * are sorted, so that the index is read in order. Whether images are in the trash is looked up in a
 * list of all that are, or, if that is long, in each image: about so many of the list are read
 * meanwhile. @param hashes concatenated: with an array, and the hash in each row, PostgreSQL, the
 * driver, and this process take a fifth longer.
 */
const selectPresent = (db: Queryable, userId: string, hashes: Buffer, each: number) =>
  rows<PresentVersion>(
    db,
    `WITH found AS MATERIALIZED (
       SELECT asked.n, v.image_id, v.version
       FROM (
         SELECT n, substring($2::bytea FROM ${hashBytes} * n + 1 FOR ${hashBytes}) AS hash
         FROM generate_series(0, length($2::bytea) / ${hashBytes} - 1) AS n ORDER BY hash
       ) AS asked
       CROSS JOIN LATERAL (
         SELECT image_id, version FROM image_versions
         WHERE user_id = $1 AND hash = asked.hash
         ORDER BY image_id, version LIMIT $3
       ) AS v
     ),
     trash AS MATERIALIZED (
       SELECT trashed_images <= ${trashedForOne} * (SELECT count(*) FROM found) AS is_short
       FROM users WHERE id = $1
     )
     SELECT f.n, f.image_id AS "imageId", f.version,
            CASE WHEN (SELECT is_short FROM trash) THEN t.id IS NOT NULL
                 ELSE (SELECT i.deleted_at IS NOT NULL FROM images i WHERE i.id = f.image_id)
            END AS "inTrash"
     FROM found f
     LEFT JOIN (
       SELECT id FROM images
       WHERE user_id = $1 AND deleted_at IS NOT NULL AND (SELECT is_short FROM trash)
       OFFSET 0
     ) AS t ON t.id = f.image_id`,
    [userId, hashes, each],
  );

/** Maximum number of hashes per request. */
const checkLimit = 5_000;

/** The same number as written in documentation. */
export const checkLimitText = checkLimit.toLocaleString('en');

/** Maximum number of images listed per hash. */
const imagesPerHash = 20;

export const checkFields = z.object({
  hashes: hashList(checkLimit),
});

export const checkResult = z.object({
  present: z.array(
    z.object({
      hash: fileHash,
      images: z
        .array(z.object({ id, version: z.int(), in_trash: z.boolean() }))
        .meta({ description: `the oldest ${imagesPerHash}, oldest first` }),
    }),
  ),
  missing: z.array(fileHash),
});
type CheckResult = z.output<typeof checkResult>;

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
