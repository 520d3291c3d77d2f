import { secondMs } from '../../base/units.js';

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
  #reported = this.#began;

  constructor(private readonly report: (progress: ImportProgress) => void) {}

  /** Counts a processed file, regardless of its outcome. */
  fileDone(): void {
    this.#files += 1;
    const now = performance.now();
    if (now - this.#reported < reportMs) return;
    this.#reported = now;
    this.report(this.now);
  }

  get now(): ImportProgress {
    const { of, bytes, uploaded } = this;
    const seconds = (performance.now() - this.#began) / secondMs;
    return { files: this.#files, of, bytes, uploaded, seconds };
  }
}
