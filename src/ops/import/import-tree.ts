import { join, relative } from 'node:path';
import { forEachLimited, inGroups } from '../../base/concurrency.js';
import type { WallClock } from '../../base/time.js';
import { ChangedFileError, UploadRefusal } from './service-client.js';
import { ImportMeter, noSidecar, type ImportProgress, type Outcomes } from './outcomes.js';
import { Sidecars, type FoundGeotag } from './sidecars.js';
import {
  readSource,
  type SourceFile,
  isSidecar,
  leftAlone,
  scanTree,
  type Excludes,
  type FoundDirectory,
  type LeftAlone,
} from './scan-tree.js';
import type { FolderPaths, UserLibrary } from './user-library.js';

/** Files that are hashed, checked, and uploaded together; limits memory use. */
const groupSize = 200;

export interface TreeImportParts {
  readonly root: string;
  readonly library: UserLibrary;
  readonly folders: FolderPaths;
  readonly clock: WallClock;
  readonly outcomes: Outcomes;
  /** Larger files are not read. */
  readonly maxBytes: number;
  /** Files that are hashed, and that are uploaded, at a time. */
  readonly parallel: number;
  readonly isExcluded: Excludes;
  /** Only reports what would be done. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly report: (progress: ImportProgress) => void;
}

interface Candidate {
  readonly directory: FoundDirectory;
  readonly sidecars: Sidecars;
  readonly name: string;
}

interface Hashed extends Candidate {
  readonly path: string;
  readonly source: SourceFile;
}

/** Imports a tree of pictures; those that the user already has are recognized by their hashes. */
export class TreeImport {
  readonly #meter: ImportMeter;
  /** Hashes that a dry run would have uploaded. */
  readonly #wouldUpload = new Set<string>();

  constructor(private readonly parts: TreeImportParts) {
    this.#meter = new ImportMeter(parts.report);
  }

  /** @throws OperatorError; the reason of the signal. What was imported by then stays. */
  async run(): Promise<ImportProgress> {
    for await (const { files } of scanTree(this.parts.root, this.parts.isExcluded)) {
      this.#meter.of += files.filter((name) => !isSidecar(name)).length;
      this.parts.signal.throwIfAborted();
    }
    let uploading = Promise.resolve();
    for await (const group of inGroups(this.#candidates(), groupSize)) {
      const hashed = await this.#hash(group);
      await uploading;
      uploading = this.#settle(hashed);
      uploading.catch(() => undefined); // reported by the next await
    }
    await uploading;
    return this.#meter.now;
  }

  async *#candidates(): AsyncGenerator<Candidate> {
    const { root, isExcluded, clock } = this.parts;
    for await (const directory of scanTree(root, isExcluded)) {
      for (const { path, reason } of directory.left) await this.#leave(path, reason);
      const sidecars = new Sidecars(directory, clock);
      for (const name of sidecars.unmatched) {
        await this.#leave(relative(root, join(directory.path, name)), 'unmatched_sidecar');
      }
      for (const name of directory.files) {
        if (!isSidecar(name)) yield { directory, sidecars, name };
      }
    }
  }

  #leave(path: string, reason: LeftAlone['reason']): Promise<void> {
    const message = leftAlone[reason];
    return this.parts.outcomes.note({ path, outcome: 'left_alone', reason, message });
  }

  async #hash(group: readonly Candidate[]): Promise<Hashed[]> {
    const { root, maxBytes, parallel, signal, outcomes } = this.parts;
    const hashed: (Hashed | undefined)[] = group.map(() => undefined);
    await forEachLimited(group.entries(), parallel, async ([n, candidate]) => {
      signal.throwIfAborted();
      const at = join(candidate.directory.path, candidate.name);
      const path = relative(root, at);
      try {
        const source = await readSource(at, maxBytes);
        if (source === 'not_a_picture') {
          await this.#leave(path, source);
        } else if (source === 'too_large') {
          const message = `It is larger than limits.max_upload_mb.`;
          await outcomes.note({ path, outcome: 'refused', reason: 'upload_too_large', message });
        } else {
          this.#meter.bytes += source.bytes;
          hashed[n] = { ...candidate, path, source };
          return;
        }
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === undefined) throw error;
        await outcomes.note({ path, outcome: 'left_alone', reason: 'unreadable', message });
      }
      this.#meter.fileDone();
    });
    return hashed.filter((one) => one !== undefined);
  }

  /** Uploads what the user does not have. */
  async #settle(hashed: readonly Hashed[]): Promise<void> {
    const { library, parallel, outcomes } = this.parts;
    const present = await library.present([...new Set(hashed.map(({ source }) => source.hash))]);
    const first = new Map<string, string>();
    await forEachLimited(hashed, parallel, async (file) => {
      const { path, source } = file;
      const trashed = present.get(source.hash);
      const same = first.get(source.hash);
      first.set(source.hash, same ?? path);
      if (trashed !== undefined) {
        await outcomes.note({ path, outcome: trashed ? 'in_trash' : 'present' });
      } else if (same !== undefined || this.#wouldUpload.has(source.hash)) {
        const message = same === undefined ? undefined : `The same bytes as ${same}.`;
        await outcomes.note({ path, outcome: 'present', reason: 'duplicate', message });
      } else await this.#import(file);
      this.#meter.fileDone();
    });
  }

  async #import(file: Hashed): Promise<void> {
    const { outcomes, dryRun, library, signal } = this.parts;
    const { path, source } = file;
    signal.throwIfAborted();
    const geotag = await file.sidecars.of(file.name);
    const from = {
      time_from: geotag.timeFrom,
      place_from: geotag.placeFrom,
      ...(file.sidecars.isBare(file.name) && {
        reason: noSidecar,
        message: 'Other pictures in its directory have a sidecar; it has none.',
      }),
    };
    if (dryRun) {
      this.#wouldUpload.add(source.hash);
      return outcomes.note({ path, outcome: 'imported', ...from });
    }
    try {
      const fields = await this.#fieldsOf(file, geotag);
      const { id, alreadyStored } = await library.upload(path, source.hash, fields, source);
      if (!alreadyStored) this.#meter.uploaded += source.bytes;
      const outcome = alreadyStored ? 'present' : 'imported';
      await outcomes.note({ path, outcome, image_id: id, ...from });
    } catch (error) {
      if (error instanceof UploadRefusal) {
        const { code: reason, message } = error;
        await outcomes.note({ path, outcome: 'refused', reason, message });
      } else if (error instanceof ChangedFileError) {
        const message = 'It changed while it was imported.';
        await outcomes.note({ path, outcome: 'refused', reason: 'changed', message });
      } else throw error;
    }
  }

  async #fieldsOf({ directory, source }: Hashed, { coordinates, time }: FoundGeotag) {
    const folder = await this.parts.folders.idOf(directory.titles);
    return {
      created_at: this.parts.clock.format(time ?? source.modifiedAt),
      ...coordinates,
      ...(folder !== undefined && { folder_id: folder }),
    };
  }
}
