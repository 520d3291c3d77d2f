import { open, type FileHandle } from 'node:fs/promises';
import { atMostEach } from '../../base/concurrency.js';
import { wrongUsage } from '../../base/errors/operator.js';
import { printable } from '../../base/text.js';
import { secondMs } from '../../base/units.js';
import type { GeotagSource } from './sidecars.js';

/** The outcome for a file. */
export type ImportOutcome =
  | 'imported'
  /** The user has the same bytes already, or another file of the tree had them. */
  | 'present'
  /** The user has them, but in the trash, where they stay. */
  | 'in_trash'
  /** The service or a limit refused it. */
  | 'refused'
  /** It is not imported; see `leftAlone`. */
  | 'left_alone';

/** A line of the report. */
export interface ReportEntry {
  /** Relative to the tree. */
  readonly path: string;
  readonly outcome: ImportOutcome;
  /** Why, as one word and as a sentence. */
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly image_id?: string | undefined;
  /** Where the time and the place of an imported picture come from. */
  readonly time_from?: GeotagSource | undefined;
  readonly place_from?: GeotagSource | undefined;
}

/** Entries that the result lists, of each kind; the report has all. */
const maxListed = 1_000;

/** The reason of a picture that lacks what others beside it have. */
export const noSidecar = 'no_sidecar';

/** Counts outcomes, and writes the report. */
export class Outcomes {
  readonly counts: Record<ImportOutcome, number> = {
    imported: 0,
    present: 0,
    in_trash: 0,
    refused: 0,
    left_alone: 0,
  };
  /** Imported pictures by where their times and places come from. */
  readonly sources = {
    time_from: { exif: 0, xmp: 0, takeout: 0, file: 0, none: 0 },
    place_from: { exif: 0, xmp: 0, takeout: 0, file: 0, none: 0 },
  } satisfies Record<string, Record<GeotagSource, number>>;
  /** Imported pictures that lack a sidecar, although others beside them have one. */
  withoutSidecar = 0;
  readonly #listed: ReportEntry[] = [];
  readonly #bare: ReportEntry[] = [];

  private constructor(private readonly report: FileHandle | undefined) {}

  /** @param path where the report is written, a JSON object on each line. */
  static async open(path: string | undefined): Promise<Outcomes> {
    if (path === undefined) return new Outcomes(undefined);
    const report = await open(path, 'w', 0o600).catch((cause: unknown) => {
      const { code } = cause as NodeJS.ErrnoException;
      throw wrongUsage(`${path} cannot be written (${code}).`, {
        setting: '--report',
        remedy: 'Name a file in an existing directory that you may write to.',
        cause,
      });
    });
    return new Outcomes(report);
  }

  async note(entry: ReportEntry): Promise<void> {
    const { outcome, time_from: time, place_from: place } = entry;
    this.counts[outcome] += 1;
    if (outcome === 'imported' && time && place) {
      this.sources.time_from[time] += 1;
      this.sources.place_from[place] += 1;
    }
    // Names of files may contain anything, and people read reports in terminals.
    await this.report?.appendFile(`${printable(JSON.stringify(entry))}\n`);
    const isBare = entry.reason === noSidecar;
    if (isBare) this.withoutSidecar += 1;
    const isListed = outcome === 'refused' || outcome === 'left_alone';
    const list = isBare ? this.#bare : isListed ? this.#listed : undefined;
    if (list && list.length < maxListed) list.push(entry);
  }

  /** The files that the result lists: refused or skipped, or without a sidecar. */
  get listed(): readonly ReportEntry[] {
    return [...this.#listed, ...this.#bare];
  }

  async close(): Promise<void> {
    await this.report?.close();
  }
}

/** Between two reports. */
const reportMs = 5 * secondMs;

export interface ImportProgress {
  readonly files: number;
  readonly of: number;
  /** Hashed. */
  readonly bytes: number;
  readonly uploaded: number;
  readonly seconds: number;
}

/** The progress of an import, reported at intervals. */
export class ImportMeter {
  of = 0;
  bytes = 0;
  uploaded = 0;
  #files = 0;
  readonly #began = performance.now();
  readonly #report: (make: () => ImportProgress) => void;

  constructor(report: (progress: ImportProgress) => void) {
    this.#report = atMostEach(reportMs, report);
  }

  /** Counts a processed file, regardless of its outcome. */
  fileDone(): void {
    this.#files += 1;
    this.#report(() => this.now);
  }

  get now(): ImportProgress {
    const { of, bytes, uploaded } = this;
    const seconds = (performance.now() - this.#began) / secondMs;
    return { files: this.#files, of, bytes, uploaded, seconds };
  }
}
