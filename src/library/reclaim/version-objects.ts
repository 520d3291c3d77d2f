import { NIL } from 'uuid';
import { exists, type Queryable, rows } from '../../database/sql.js';
import { objectsOf, parseOwner, type VersionFiles } from '../../store/object-key.js';

/** Slices that ids are divided into; a power of two. */
const sliceCount = 2 ** 18;

export interface VersionRow extends VersionFiles {
  readonly bytes: number;
  /** SHA-256 of the original. */
  readonly hash: Buffer;
}

const versions = `
  SELECT id AS "versionId", image_id AS "imageId", user_id AS "userId",
         platform_id AS "platformId", bytes, hash, extension, display_extension AS "displayExtension",
         thumb_extension AS "thumbExtension", full_extension AS "fullExtension"
  FROM image_versions`;

/** Hexadecimal digits of an id as an integer; ids as text have hyphens. */
const digits = (bits: number, ...parts: readonly string[]): string =>
  `('x' || ${parts.join(' || ')})::bit(${bits})::integer`;

/** Which slice an id is in: from the time that it begins with, in steps of 17 minutes. */
const slice = `(${digits(28, 'left(id::text, 7)')} & ${sliceCount - 1})`;

/** Versions by id, at most `limit` of them after `after`. */
const selectVersions = (
  db: Queryable,
  page: {
    platformId?: string | undefined;
    slices?: readonly number[] | undefined;
    after: string;
    limit: number;
  },
): Promise<VersionRow[]> =>
  rows(
    db,
    `${versions}
     WHERE id > $1 AND ($2::uuid IS NULL OR platform_id = $2)
       AND ($3::integer[] IS NULL OR ${slice} = ANY ($3))
     ORDER BY id LIMIT $4`,
    [page.after, page.platformId ?? null, page.slices ?? null, page.limit],
  );

interface SliceTally {
  readonly slice: number;
  readonly versions: number;
  readonly high: number;
  readonly low: number;
}

/** One row for each slice that has versions: their random digits, combined by exclusive or. */
const selectSliceTallies = (db: Queryable): Promise<SliceTally[]> =>
  rows(
    db,
    `SELECT ${slice} AS slice, count(*)::integer AS versions,
            bit_xor(${digits(32, 'substr(id::text, 20, 4)', 'substr(id::text, 25, 4)')}) AS high,
            bit_xor(${digits(32, 'right(id::text, 8)')}) AS low
     FROM image_versions GROUP BY 1`,
  );

export const versionExists = (db: Queryable, id: string) =>
  exists(db, `SELECT FROM image_versions WHERE id = $1`, [id]);

/** A key, whether the reclaim queue and a piece have it, and the version that it names, if any. */
type KeyRow = { readonly key: string; readonly listed: boolean; readonly isPiece: boolean } & (
  VersionRow | { readonly versionId: null }
);

/** @param versionIds the version that each key names, null if it names none. */
const selectObjectKeys = (
  db: Queryable,
  keys: readonly string[],
  versionIds: readonly (string | null)[],
): Promise<KeyRow[]> =>
  rows(
    db,
    `SELECT k.key, EXISTS (SELECT FROM object_reclaim r WHERE r.key = k.key) AS listed,
            EXISTS (SELECT FROM resumable_pieces p WHERE p.key = k.key) AS "isPiece", v.*
     FROM unnest($1::text[], $2::uuid[]) AS k (key, version_id)
     LEFT JOIN (${versions}) AS v ON v."versionId" = k.version_id`,
    [keys, versionIds],
  );

interface VersionRange {
  /** All platforms if omitted. */
  readonly platformId?: string | undefined;
  /** Only those after this id. */
  readonly after?: string | undefined;
  /** Only those in these slices. */
  readonly slices?: readonly number[] | undefined;
  /** Maximum number of versions per batch. */
  readonly limit: number;
}

/** Versions by id, in batches. */
export async function* versionBatches(
  db: Queryable,
  { after = NIL, ...range }: VersionRange,
): AsyncGenerator<VersionRow[]> {
  for (let behind: string = after; ;) {
    const versions = await selectVersions(db, { ...range, after: behind });
    const last = versions.at(-1);
    if (last) yield versions;
    if (!last || versions.length < range.limit) return;
    behind = last.versionId;
  }
}

export interface KeyState {
  readonly key: string;
  /** The version whose row refers to it. */
  readonly version: VersionRow | undefined;
  /** Whether it is a piece of an upload that is not finished. */
  readonly isPiece: boolean;
  /** Whether the reclaim queue has it. */
  readonly listed: boolean;
}

/** Whether each of the given keys is in rows, in the reclaim queue, in both, or in neither. */
export async function keyStates(db: Queryable, keys: readonly string[]): Promise<KeyState[]> {
  // Rows and queue in one statement, since concurrent deletions move keys from one to the other.
  const found = await selectObjectKeys(
    db,
    keys,
    keys.map((key) => parseOwner(key).versionId),
  );
  return found.map((row) => {
    const referred = row.versionId !== null && objectsOf(row).some(({ key }) => key === row.key);
    return {
      key: row.key,
      version: referred ? row : undefined,
      listed: row.listed,
      isPiece: row.isPiece,
    };
  });
}

/** Whether a key is in neither or both of rows and reclaim queue. */
export const isStray = ({ version, isPiece, listed }: KeyState): boolean =>
  (version !== undefined || isPiece) === listed;

const hex = (digits: string): number => Number.parseInt(digits, 16);

/**
 * A set of versions in 2 MB, regardless of their number: enough to locate differences from the
 * rows. Ids begin with a time, which divides them into slices of 17 minutes; for each slice, the
 * exclusive or of the random digits of its ids is kept, 60 bits. Slices are reused after nine
 * years.
 */
export class VersionTally {
  readonly #high = new Int32Array(sliceCount);
  readonly #low = new Int32Array(sliceCount);

  /** Adds a version. Adding it once more removes it. */
  add(id: string): void {
    this.#combine(
      hex(id.slice(0, 7)) & (sliceCount - 1),
      hex(id.slice(19, 23) + id.slice(24, 28)),
      hex(id.slice(28)),
    );
  }

  /** The slices whose versions differ from the rows. The set cannot be used afterward. */
  async compare(db: Queryable): Promise<{ rows: number; differing: number[] }> {
    let rows = 0;
    for (const { slice, versions, high, low } of await selectSliceTallies(db)) {
      this.#combine(slice, high, low);
      rows += versions;
    }
    const slices = Array.from(this.#high.keys());
    return {
      rows,
      differing: slices.filter((i) => this.#high[i] !== 0 || this.#low[i] !== 0),
    };
  }

  #combine(slice: number, high: number, low: number): void {
    this.#high[slice] = (this.#high[slice] ?? 0) ^ high;
    this.#low[slice] = (this.#low[slice] ?? 0) ^ low;
  }
}
