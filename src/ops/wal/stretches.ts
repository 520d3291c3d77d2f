import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { forEachLimited, inGroups } from '../../base/concurrency.js';
import type { Home } from '../../base/config/home.js';
import { failure } from '../../base/errors/operator.js';
import { version } from '../../base/installed-files.js';
import { secondMs, hourMs } from '../../base/units.js';
import type { OpenDatabase } from '../../database/postgres/provision.js';
import type { MasterKey } from '../../http/auth/secrets.js';
import type { ObjectStore } from '../../store/port.js';
import { addToPool } from '../backup/copy-objects.js';
import type { DirectoryRepository } from '../backup/directory-repository.js';
import { newGenerationId } from '../backup/generation.js';
import { wantedOf, versionsById, type WantedObject } from '../backup/manifest.js';
import { poolPath } from '../backup/repository.js';
import { putSecrets } from '../backup/secrets.js';
import { selectMigrationNames } from '../dumps.sql.js';
import {
  completeStretches,
  isAuthentic,
  segmentsOf,
  stretchFile,
  writeStretch,
  listGone,
  type Stretch,
} from './archive.js';
import { takeBase, createSlot, Receiver, type WalPrograms } from './programs.js';
import { slotOf, selectSlots, commitEmpty, type WalServer } from './server.js';

/** Between two checks for new objects while a base backup is being made. */
const passMs = 10 * secondMs;

export interface WalParts {
  readonly db: DataSource;
  readonly home: Home;
  /** Authenticates what is archived. */
  readonly masterKey: MasterKey;
  readonly server: OpenDatabase;
  readonly superuserUrl: string;
  readonly store: Pick<ObjectStore, 'get' | 'check'>;
  readonly repository: DirectoryRepository;
  /** How many stretches to keep; all if omitted. */
  readonly keep?: number | undefined;
  /** Encrypts the secrets; if omitted, they are not backed up. */
  readonly passphrase?: string | undefined;
  /** Path of an object as a file that may be linked; undefined if it must be copied. */
  readonly fileOf: ((key: string) => string) | undefined;
  readonly report: (message: string) => void;
  /** Reports the progress of a pass over all objects. */
  readonly copied: (progress: { objects: number; bytes: number }, total: number) => void;
  readonly signal: AbortSignal;
}

export interface StretchParts extends WalParts {
  readonly instanceId: string;
  readonly wal: WalServer;
  readonly programs: WalPrograms;
  readonly passes: ObjectPasses;
}

export interface RunningStretch {
  readonly stretch: Stretch;
  receiver: Receiver;
  /** Whether it has been reported to the operator. */
  reported?: boolean;
}

/** The last stretch, if the server still has all WAL since its end. */
export async function findResumable(parts: StretchParts): Promise<Stretch | undefined> {
  const { db, repository, wal, masterKey } = parts;
  const last = (await completeStretches(repository)).at(-1);
  if (!last) return undefined;
  const slot = (await selectSlots(db)).find(({ name }) => name === slotOf(last.id));
  const same = last.system_identifier === wal.systemIdentifier && last.timeline === wal.timeline;
  if (!isAuthentic(last, masterKey)) return undefined;
  return same && slot && slot.position !== null && slot.state !== 'lost' ? last : undefined;
}

/** Others may have put links there, through which pg_receivewal would write. @throws OperatorError 1. */
async function ownSegments(repository: DirectoryRepository, { id }: Stretch): Promise<string> {
  const folder = segmentsOf(repository, id);
  const entries = await repository.entriesOf(stretchFile(id, 'wal'));
  const link = entries.find((entry) => !entry.isFile());
  if (!link) return folder;
  throw failure(`${join(folder, link.name)} is not a file.`, {
    code: 'damaged',
    setting: 'DIR',
    remedy: 'Remove it, and run the same command again.',
  });
}

export const resumeStretch = async (
  { repository, programs }: StretchParts,
  stretch: Stretch,
): Promise<RunningStretch> => ({
  stretch,
  receiver: await Receiver.start(
    programs,
    slotOf(stretch.id),
    await ownSegments(repository, stretch),
  ),
});

/**
 * Makes a base backup while WAL is being received. New objects are copied meanwhile; the record,
 * which makes the stretch complete, is written after all of them.
 */
export async function beginStretch(parts: StretchParts): Promise<RunningStretch> {
  const { repository, programs, report } = parts;
  const id = newGenerationId();
  const segments = segmentsOf(repository, id);
  await mkdir(segments, { recursive: true, mode: 0o700 });
  await createSlot(programs, slotOf(id));
  const receiver = await Receiver.start(programs, slotOf(id), segments);
  const stop = new AbortController();
  const signal = AbortSignal.any([parts.signal, stop.signal]);
  try {
    report('Copying the files of the database, and objects');
    const copying = copyServer(parts, id, signal);
    try {
      await passUntil(copying, parts, signal);
    } catch (error) {
      stop.abort();
      await copying.catch(() => undefined);
      throw error;
    }
    const stretch = await copying;
    await repository.flush();
    await writeStretch(repository, stretch, parts.masterKey);
    return { stretch, receiver };
  } catch (error) {
    await receiver.stop();
    throw error;
  }
}

/** Copies new objects until a promise is settled, and once more afterward. */
async function passUntil(
  work: Promise<unknown>,
  { passes }: StretchParts,
  signal: AbortSignal,
): Promise<void> {
  const settled = new AbortController();
  const end = (): void => settled.abort();
  const ending = work.then(end, end);
  for (let last = false; ; last = settled.signal.aborted) {
    await passes.pass(signal);
    if (last) return ending;
    await delay(passMs, undefined, { signal: settled.signal }).catch(() => undefined);
  }
}

async function copyServer(parts: StretchParts, id: string, signal: AbortSignal): Promise<Stretch> {
  const { db, repository, programs, wal } = parts;
  const former = (await completeStretches(repository)).at(-1);
  if (former) await listGone(db, repository, id);
  const base = await takeBase(repository, id, programs, signal);
  const secrets = await putSecrets(parts, stretchFile(id, 'secrets.age'));
  const from = await commitEmpty(db);
  return {
    format: 1,
    id,
    instance_id: parts.instanceId,
    imgstore: version(),
    postgresql: programs.engine.major,
    architecture: process.arch,
    system_identifier: wal.systemIdentifier,
    timeline: wal.timeline,
    migrations: await selectMigrationNames(db),
    from: from.toISOString(),
    base,
    secrets,
    number: (former?.number ?? 0) + 1,
  };
}

const groupSize = 200;
const parallelCopies = 8;

/** An upload gets its id when it begins, and fails if it takes longer than this. */
const maxUploadMs = 1.5 * hourMs;

/** Copies newly stored objects at short intervals. */
export class ObjectPasses {
  /** Versions already copied or found in the pool that the next pass will see again. */
  #recent = new Set<string>();
  #first = true;

  constructor(private readonly parts: WalParts) {}

  /**
   * Copies every object that a row references into the pool. The first pass checks all versions, later ones only those with recent ids.
   */
  async pass(signal: AbortSignal): Promise<void> {
    const horizon = idAt(Date.now() - maxUploadMs);
    const seen = new Set<string>();
    const progress = { objects: 0, bytes: 0 };
    const versions = versionsById(this.parts.db, null, this.#first ? undefined : horizon);
    for await (const group of inGroups(versions, groupSize)) {
      signal.throwIfAborted();
      const fresh = group.filter(({ versionId }) => !this.#recent.has(versionId));
      await forEachLimited(fresh.flatMap(wantedOf), parallelCopies, async (wanted) => {
        progress.bytes += await this.#ensure(wanted);
        progress.objects += 1;
      });
      for (const { versionId } of group) if (versionId > horizon) seen.add(versionId);
      if (this.#first) this.parts.copied(progress, progress.objects);
    }
    this.#recent = seen;
    this.#first = false;
  }

  /** @returns the bytes that were copied. */
  async #ensure(wanted: WantedObject): Promise<number> {
    const { repository, report } = this.parts;
    const present = await repository.size(poolPath(wanted.key));
    if (present !== undefined && (wanted.bytes ?? present) === present) return 0;
    const { entry, sound } = await addToPool(this.parts, wanted);
    if (!sound) report(`Lost or damaged in the store: ${wanted.key}`);
    return entry.bytes ?? 0;
  }
}

/** The lowest id that can have been generated at a time, in milliseconds since 1970. */
function idAt(ms: number): string {
  const digits = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}
