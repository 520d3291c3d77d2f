import { secondMs } from '../../units.js';

/** Between two reports. */
const reportMs = 5 * secondMs;

export interface Progress {
  readonly files: number;
  readonly of: number;
  /** Hashed. */
  readonly bytes: number;
  readonly uploaded: number;
  readonly seconds: number;
}

/** How far an import is, which is reported now and then. */
export class ProgressMeter {
  of = 0;
  bytes = 0;
  uploaded = 0;
  #files = 0;
  readonly #began = performance.now();
  #reported = this.#began;

  constructor(private readonly report: (progress: Progress) => void) {}

  /** Notes that a file is done with, whatever has become of it. */
  fileDone(): void {
    this.#files += 1;
    const now = performance.now();
    if (now - this.#reported < reportMs) return;
    this.#reported = now;
    this.report(this.now);
  }

  get now(): Progress {
    const { of, bytes, uploaded } = this;
    const seconds = (performance.now() - this.#began) / secondMs;
    return { files: this.#files, of, bytes, uploaded, seconds };
  }
}
