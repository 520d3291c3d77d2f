import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { failure } from '../../base/errors/operator.js';
import { stamp } from '../../base/os/files.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import {
  fileSum,
  generationFile,
  listGenerationFiles,
  readJson,
  sumAt,
  unfinishedPath,
  writeJson,
  type Repository,
} from './repository.js';

const recordSchema = z.object({
  format: z.literal(1),
  id: z.string(),
  instance_id: z.string(),
  /** Version of imgstore that made it. */
  imgstore: z.string(),
  /** The instant of the snapshot. */
  taken_at: z.string(),
  finished_at: z.string(),
  /** The only platform that it contains; null for a whole installation. */
  platform_id: z.string().nullable(),
  /** Major version of the database server. */
  postgresql: z.int(),
  migrations: z.array(z.string()),
  objects: z.int(),
  object_bytes: z.int(),
  /** Objects that the store had lost, or whose original differed from its row. */
  faults: z.int(),
  manifest: fileSum,
  dump: fileSum,
  secrets: fileSum.nullable(),
  /** Counts the backups of a repository, since clocks may be set back; 0.3 did not count. */
  sequence: z.int().optional(),
});

/** What a generation contains: `backup.json`, written last. */
export interface Generation extends z.infer<typeof recordSchema> {
  /** Made with the master key; backups of imgstore 0.2 have none. */
  readonly mac?: string | undefined;
}

const textOf = (generation: Generation): string => JSON.stringify(recordSchema.parse(generation));

const checksumOf = (generation: Generation): string =>
  createHash('sha256').update(textOf(generation)).digest('hex');

const label = 'backup';

/**
 * Whether the installation with this key made the backup: the record has the hashes of the manifest
 * and the dump, and the manifest those of all objects.
 */
export const isAuthentic = (generation: Generation, key: MasterKey): boolean =>
  key.isRecordMac(label, textOf(generation), generation.mac);

/** Begins with the time; also of stretches of WAL. */
export const newGenerationId = (): string => `${stamp()}-${randomBytes(4).toString('hex')}`;

/** Stores the record, which makes the generation complete. */
export async function writeGeneration(
  repository: Repository,
  generation: Generation,
  key: MasterKey,
): Promise<void> {
  const file = join(repository.staging, 'backup.json');
  const mac = key.recordMac(label, textOf(generation));
  const document = { ...generation, checksum: checksumOf(generation), mac };
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
  await repository.put(generationFile(generation.id, 'backup.json'), file);
}

/** @returns undefined if there is none, `damaged` if it is not what was written. */
export async function readGeneration(
  repository: Repository,
  id: string,
): Promise<Generation | 'damaged' | undefined> {
  const source = await repository.read(generationFile(id, 'backup.json'));
  if (!source) return undefined;
  const content = await text(source);
  try {
    const { checksum, mac, ...document } = JSON.parse(content) as Record<string, unknown>;
    const read = {
      ...recordSchema.strict().parse(document),
      mac: z.string().optional().parse(mac),
    };
    return read.id === id && checksum === checksumOf(read) ? read : 'damaged';
  } catch {
    return 'damaged';
  }
}

const unfinishedSchema = z.object({ generations: z.array(z.string()) });

/** Notes which generations are being written or removed. */
export const markUnfinished = (repository: Repository, generations: readonly string[]) =>
  writeJson(repository, unfinishedPath, { began_at: new Date().toISOString(), generations });

/** A generation of a repository, of whatever state. */
export interface Entry {
  readonly id: string;
  /** Undefined if its record cannot be understood. */
  readonly generation: Generation | undefined;
  /** Why it is never removed, and nothing is concluded from it; undefined for a sound one. */
  readonly doubt: string | undefined;
}

export interface Doubt {
  readonly generation: string;
  readonly reason: string;
}

export const doubtsOf = (entries: readonly Entry[]): Doubt[] =>
  entries.flatMap(({ id, doubt }) =>
    doubt === undefined ? [] : [{ generation: id, reason: doubt }],
  );

export const noRecord = 'it has no backup.json';
export const manifestChanged = 'its manifest is not what was written';

/**
 * Every generation, in the order in which they were made, and the files of those that an interrupted
 * command was writing or removing. @param key whether the installation made them; if omitted, that is
 * not checked.
 */
export async function survey(
  repository: Repository,
  key?: MasterKey,
): Promise<{ readonly entries: Entry[]; readonly leftovers: string[] }> {
  const { data } = unfinishedSchema.safeParse(await readJson(repository, unfinishedPath));
  const found: (Entry & { readonly order: number })[] = [];
  const leftovers: string[] = [];
  for (const [id, files] of await listGenerationFiles(repository)) {
    const hasRecord = files.includes(generationFile(id, 'backup.json'));
    if (!hasRecord && data?.generations.includes(id)) {
      leftovers.push(...files);
      continue;
    }
    const read = hasRecord ? await readGeneration(repository, id) : undefined;
    const generation = read === 'damaged' ? undefined : read;
    // One that cannot be understood stays behind the one that precedes it by its id.
    const order = generation ? (generation.sequence ?? 0) : (found.at(-1)?.order ?? 0);
    found.push({ id, generation, doubt: doubtOf(hasRecord, generation, key), order });
  }
  const entries = found.sort((a, b) => a.order - b.order);
  return { entries, leftovers };
}

function doubtOf(
  hasRecord: boolean,
  generation: Generation | undefined,
  key: MasterKey | undefined,
): string | undefined {
  if (!hasRecord) return noRecord;
  if (!generation) return 'its backup.json is damaged, or of a newer imgstore';
  if (!key || isAuthentic(generation, key)) return undefined;
  return 'its backup.json was not written with the master key of this home, or has been changed';
}

/** The same, and whether its manifest is what was written. */
export async function withManifestRead(repository: Repository, entry: Entry): Promise<Entry> {
  const found = await sumAt(repository, generationFile(entry.id, 'manifest.ndjson'));
  if (!entry.generation || found?.sha256 === entry.generation.manifest.sha256) return entry;
  return { ...entry, generation: undefined, doubt: entry.doubt ?? manifestChanged };
}

/** The ids of all that have a record, damaged ones included; latest last. */
const generationIds = async (repository: Repository): Promise<string[]> =>
  (await survey(repository)).entries.flatMap(({ id, doubt }) => (doubt === noRecord ? [] : [id]));

/** The requested id, or else the latest. @throws OperatorError 1 if there is none. */
export async function chooseGeneration(
  repository: Repository,
  wanted: string | undefined,
): Promise<string> {
  const ids = await generationIds(repository);
  const chosen = wanted === undefined ? ids.at(-1) : ids.find((id) => id === wanted);
  if (chosen !== undefined) return chosen;
  if (ids.length === 0) {
    throw failure(`There is no complete backup in ${repository.name}.`, { setting: 'DIR' });
  }
  throw failure(`There is no generation ${wanted} in ${repository.name}.`, {
    code: 'missing',
    setting: '--generation',
    remedy: `Choose one of these: ${ids.join(', ')}`,
  });
}
