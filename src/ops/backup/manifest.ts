import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { exists } from '../../base/os/files.js';
import { lastLines, run } from '../../base/os/run.js';
import { rows, type Queryable } from '../../database/sql.js';
import { isKey, objectsOf, type VersionFiles } from '../../store/object-key.js';
import {
  generationFile,
  linesOf,
  listPool,
  writeLines,
  type PoolFile,
  type Repository,
} from './repository.js';

const entrySchema = z.object({
  key: z.string().refine(isKey),
  bytes: z.int().nonnegative().nullable(),
  sha256: z.string().nullable(),
});

/** An object of a generation; without size and hash if the store had lost it already. */
export type ManifestEntry = z.infer<typeof entrySchema>;

/** A version as of the snapshot, with the SHA-256 that its row has of the original. */
export interface SnapshotVersion extends VersionFiles {
  readonly bytes: number;
  readonly sha256: string;
}

/** An object that rows refer to; size and hash are known only for originals. */
export interface WantedObject {
  readonly key: string;
  readonly bytes: number | undefined;
  readonly sha256: string | undefined;
}

interface Ranked {
  readonly key: string;
}

/** The order of manifests: by version id, in which the database has an index, and by name. */
const rankOf = ({ key }: Ranked): string => key.split('/').slice(-2).join('/');

/** The objects of a version in the order of manifests. */
export const wantedOf = (version: SnapshotVersion): WantedObject[] =>
  objectsOf(version)
    .map(({ role, key }) => ({
      key,
      bytes: role === 'original' ? version.bytes : undefined,
      sha256: role === 'original' ? version.sha256 : undefined,
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));

/** @throws Error for a line that is no entry. */
async function* entriesOf(source: AsyncIterable<Buffer>): AsyncGenerator<ManifestEntry> {
  for await (const line of linesOf(source)) yield entrySchema.parse(JSON.parse(line));
}

/** The manifest of a generation; nothing if it is missing. */
export async function* readManifest(
  repository: Repository,
  generation: string,
): AsyncGenerator<ManifestEntry> {
  const source = await repository.read(generationFile(generation, 'manifest.ndjson'));
  if (source) yield* entriesOf(source as AsyncIterable<Buffer>);
}

/** Entries of a local file; nothing if it is missing. */
export async function* readEntries(path: string): AsyncGenerator<ManifestEntry> {
  if (await exists(path)) yield* entriesOf(createReadStream(path) as AsyncIterable<Buffer>);
}

/** All entries of two manifests, those of the first where both have one. */
export async function* union(
  first: AsyncIterable<ManifestEntry>,
  second: AsyncIterable<ManifestEntry>,
): AsyncGenerator<ManifestEntry> {
  for await (const [one, other] of joined(first, second)) yield one ?? other;
}

/**
 * Merges two sequences that are sorted by rank; items of the same rank are paired. Holds only one
 * item of each in memory.
 */
export async function* joined<L extends Ranked, R extends Ranked>(
  left: AsyncIterable<L>,
  right: AsyncIterable<R>,
): AsyncGenerator<readonly [L, R | undefined] | readonly [undefined, R]> {
  const [ones, others] = [left[Symbol.asyncIterator](), right[Symbol.asyncIterator]()];
  try {
    let one = await ones.next();
    let other = await others.next();
    while (!one.done || !other.done) {
      const order = one.done
        ? 1
        : other.done
          ? -1
          : compare(rankOf(one.value), rankOf(other.value));
      if (!one.done && order <= 0) {
        yield [one.value, order === 0 && !other.done ? other.value : undefined];
        one = await ones.next();
      } else if (!other.done) {
        yield [undefined, other.value];
      }
      if (order >= 0) other = await others.next();
    }
  } finally {
    await Promise.all([ones.return?.(), others.return?.()]);
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Lists the pool into a file, sorted like the manifests, so that memory use stays constant.
 * @param folder for that file. @returns its path, for `readPool`.
 */
export async function sortPool(repository: Repository, folder: string): Promise<string> {
  const list = join(folder, 'pool.list');
  await writeLines(list, rankedPool(repository));
  // Without a limit, sort takes as much memory as the list is long.
  const { code, output } = await run('sort', ['-S', '32M', '-T', folder, '-o', list, list]);
  if (code !== 0) throw new Error(`sort failed: ${lastLines(output)}`);
  return list;
}

async function* rankedPool(repository: Repository): AsyncGenerator<[rank: string, file: PoolFile]> {
  for await (const file of listPool(repository)) yield [rankOf(file), file];
}

export async function* readPool(list: string): AsyncGenerator<PoolFile> {
  for await (const line of linesOf(createReadStream(list) as AsyncIterable<Buffer>)) {
    yield (JSON.parse(line) as [rank: string, file: PoolFile])[1];
  }
}

/** The files of a sorted pool that none of these generations needs. */
export async function* extraFiles(
  repository: Repository,
  list: string,
  generations: readonly string[],
): AsyncGenerator<PoolFile> {
  const needed = generations.reduce<AsyncIterable<ManifestEntry>>(
    (known, id) => union(known, readManifest(repository, id)),
    none(),
  );
  for await (const [file, entry] of joined(readPool(list), needed)) {
    if (file && file.key !== entry?.key) yield file;
  }
}

export async function* none(): AsyncGenerator<never> {
  // Nothing.
}

/** Sorts before every id. */
const lowestId = '00000000-0000-0000-0000-000000000000';

/** Versions by id, read in pages. @param platformId only this platform. @param from only ids after this one. */
export async function* versionsById(
  db: Queryable,
  platformId: string | null = null,
  from: string = lowestId,
): AsyncGenerator<SnapshotVersion> {
  const limit = 1_000;
  for (let after = from; ;) {
    const page = await rows<SnapshotVersion>(
      db,
      `SELECT id AS "versionId", image_id AS "imageId", user_id AS "userId",
              platform_id AS "platformId", bytes, extension,
              display_extension AS "displayExtension", thumb_extension AS "thumbExtension",
              full_extension AS "fullExtension", encode(hash, 'hex') AS sha256
       FROM image_versions
       WHERE id > $1 AND ($2::uuid IS NULL OR platform_id = $2)
       ORDER BY id LIMIT $3`,
      [after, platformId, limit],
    );
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < limit) return;
    after = last.versionId;
  }
}
