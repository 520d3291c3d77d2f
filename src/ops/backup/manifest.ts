import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { z } from 'zod';
import { isKey, objectsOf, type VersionFiles } from '../../store/object-key.js';
import { joined } from './joined.js';
import { linesOf } from './lines.js';
import { generationFile, type Repository } from './repository.js';

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

/** The order of manifests: by version id, in which the database has an index, and by name. */
export const rankOf = ({ key }: { readonly key: string }): string =>
  key.split('/').slice(-2).join('/');

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
export async function* entriesOf(source: AsyncIterable<Buffer>): AsyncGenerator<ManifestEntry> {
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
  const there = await access(path).then(...([() => true, () => false] as const));
  if (there) yield* entriesOf(createReadStream(path) as AsyncIterable<Buffer>);
}

/** All entries of two manifests, those of the first where both have one. */
export async function* union(
  first: AsyncIterable<ManifestEntry>,
  second: AsyncIterable<ManifestEntry>,
): AsyncGenerator<ManifestEntry> {
  for await (const [one, other] of joined(first, rankOf, second, rankOf)) yield one ?? other;
}
