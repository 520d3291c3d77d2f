import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { Home } from '../src/base/config/home.js';
import { readMasterKey } from '../src/http/auth/secrets.js';
import { DirectoryRepository } from '../src/ops/backup/directory-repository.js';
import { readGeneration, writeGeneration } from '../src/ops/backup/generation.js';
import { versionsById, wantedOf, type ManifestEntry } from '../src/ops/backup/manifest.js';
import { blankDatabase } from './database.js';
import { hosted } from './hosted-command.js';
import type { Ran } from './command.js';
import type { Scope } from './scope.js';

/** What `imgstore backup --json` prints. */
export interface MadeBackup {
  readonly generation: string;
  readonly objects: number;
  readonly object_bytes: number;
  readonly objects_reused: number;
  readonly faults: number;
  readonly lost: readonly string[];
  readonly deleted: readonly string[];
  readonly removed: readonly string[];
  readonly doubtful: readonly { readonly generation: string; readonly reason: string }[];
  readonly secrets: boolean;
}

/** What `imgstore verify backup --json` prints. */
export interface VerifiedBackup {
  readonly ok: boolean;
  readonly generation: string;
  readonly versions: number;
  readonly objects: number;
  readonly objects_read: number;
  readonly faults_total: number;
  readonly faults: readonly {
    readonly kind: string;
    readonly subject: string;
    readonly found: string | number | null;
  }[];
}

/** An empty database with the extensions, so that a trial restore needs no temporary server. */
export const scratchUrl = async (scope: Scope): Promise<string> => (await blankDatabase(scope)).url;

/** The command's result. Fails with its output unless it exited with this code. */
export async function resultOf<T>(running: Promise<Ran>, code = 0): Promise<T> {
  const ran = await running;
  assert.equal(ran.code, code, ran.stdout + ran.stderr);
  return ran.json<T>();
}

/** Verifies a backup without a home. */
export const verifyBackup = (
  dir: string,
  scratch: string,
  args: readonly string[] = [],
): Promise<Ran> =>
  hosted([
    'backup',
    'verify',
    dir,
    '--scratch',
    scratch,
    '--home',
    '/nonexistent',
    '--json',
    ...args,
  ]);

/** The entries of a generation's manifest. */
export async function manifestOf(dir: string, generation: string): Promise<ManifestEntry[]> {
  const path = join(dir, 'generations', generation, 'manifest.ndjson');
  const lines = (await readFile(path, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as ManifestEntry);
}

/** The ids of all generations, latest last. */
export const generationsIn = async (dir: string): Promise<string[]> =>
  (await readdir(join(dir, 'generations'))).sort();

/** Gives a backup another id, as though it had been made at another time. */
export async function renameGeneration(
  dir: string,
  from: string,
  to: string,
  home: Home,
): Promise<void> {
  const repository = await DirectoryRepository.open(dir, false);
  const made = await readGeneration(repository, from);
  assert.ok(made !== undefined && made !== 'damaged');
  await rename(join(dir, 'generations', from), join(dir, 'generations', to));
  await writeGeneration(repository, { ...made, id: to }, await readMasterKey(home));
}

/**
 * Makes the objects of all versions whose rows were seeded, and these rows as if they had been uploaded.
 * @returns the number of objects.
 */
export async function storeSeeded(
  { db, home }: { readonly db: DataSource; readonly home: Home },
  objectBytes: number,
): Promise<number> {
  await db.transaction(async (tx) => {
    await tx.query('ALTER TABLE image_versions DISABLE TRIGGER USER');
    await tx.query(
      `UPDATE image_versions SET bytes = $1::integer,
              hash = sha256(convert_to(rpad('', $1::integer, id::text), 'UTF8'))`,
      [objectBytes],
    );
    await tx.query('ALTER TABLE image_versions ENABLE TRIGGER USER');
  });
  let objects = 0;
  for await (const version of versionsById(db)) {
    const content = version.versionId.repeat(objectBytes).slice(0, objectBytes);
    for (const { key } of wantedOf(version)) {
      const path = join(home.store, key);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      objects += 1;
    }
  }
  return objects;
}
