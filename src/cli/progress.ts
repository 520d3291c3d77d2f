import { secondMs, counted, sizeText, spanText } from '../base/units.js';
import type { Ui } from './ui.js';

/** Milliseconds between two lines: on a terminal, where one replaces the other, and elsewhere. */
const terminalMs = secondMs / 4;
const pipeMs = 10 * secondMs;

/** The progress of work on many objects. */
interface Progress {
  readonly objects: number;
  readonly bytes: number;
}

/** Reports the progress, the speed, and the remaining time of some work. */
export class ProgressMeter {
  readonly #began = performance.now();
  #reportedAt = performance.now();

  constructor(
    private readonly ui: Ui,
    private readonly noun = 'object',
  ) {}

  /** @param total of objects, as far as it is known. */
  report({ objects, bytes }: Progress, total: number): void {
    const now = performance.now();
    if (now - this.#reportedAt < (this.ui.onTerminal ? terminalMs : pipeMs)) return;
    this.#reportedAt = now;
    const seconds = (now - this.#began) / secondMs;
    const left = objects > 0 ? (seconds / objects) * Math.max(0, total - objects) : 0;
    const parts = [
      `${objects.toLocaleString('en')} of ${counted(total, this.noun)}`,
      sizeText(bytes),
      `${sizeText(bytes / seconds)}/s`,
      ...(total > objects ? [`${spanText(left)} left`] : []),
    ];
    this.ui.transient(parts.join(', '));
  }
}
