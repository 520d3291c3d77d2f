import { atMostEach } from '../base/concurrency.js';
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

/**
 * Reports the progress, the speed, and the remaining time of some work; the total of objects as far
 * as it is known.
 */
export function progressMeter(ui: Ui): (progress: Progress, total: number) => void {
  const began = performance.now();
  const report = atMostEach(ui.onTerminal ? terminalMs : pipeMs, ui.transient);
  return ({ objects, bytes }, total) =>
    report(() => {
      const seconds = (performance.now() - began) / secondMs;
      const left = objects > 0 ? (seconds / objects) * Math.max(0, total - objects) : 0;
      return [
        `${objects.toLocaleString('en')} of ${counted(total, 'object')}`,
        sizeText(bytes),
        `${sizeText(bytes / seconds)}/s`,
        ...(total > objects ? [`${spanText(left)} left`] : []),
      ].join(', ');
    });
}
