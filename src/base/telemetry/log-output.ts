import type { Writable } from 'node:stream';
import { guarded } from '../guarded.js';

/**
 * Characters written at once. A pipe takes up to 4,096 bytes atomically, so lines of several
 * processes that share a pipe do not mix.
 */
const batchSize = 4_096;

/** Bytes that may wait for a reader of the log; Node's pipe streams have no limit. */
const maxPending = 1024 * 1024;

/** For failures to write the log, which cannot be reported anywhere. */
const nowhere = (): void => undefined;

type Destination = Pick<Writable, 'write' | 'writableLength' | 'once'>;

/**
 * Writes the lines of the log in order. Those of requests are collected until the end of the event
 * loop's turn, since a write costs more than the line itself; any other line is written at once,
 * after those before it. Nobody waits for a slow reader: past a megabyte, lines are dropped and
 * counted.
 */
export class LogOutput {
  #collected = '';
  #collectedLines = 0;
  #scheduled = false;
  #dropped = 0;
  #report: (lines: number) => void = () => undefined;

  /** @param destination stderr; a function, because Node opens it at the first use. */
  constructor(private readonly destination: () => Destination) {}

  /** @param report logs how many lines were dropped, once the reader has caught up. */
  reportDropped(report: (lines: number) => void): void {
    this.#report = report;
  }

  /** Writes a line, without its end, by the end of this turn of the event loop. */
  collect(line: string): void {
    if (this.#collected.length + line.length >= batchSize) this.flush();
    this.#collected += `${line}\n`;
    this.#collectedLines += 1;
    if (this.#scheduled) return;
    this.#scheduled = true;
    const flush = guarded(nowhere, () => {
      this.#scheduled = false;
      this.flush();
    });
    setImmediate(flush);
  }

  /** Writes an entry of one or more lines now. */
  write(entry: string): void {
    this.flush();
    this.#pass(entry, 1);
  }

  flush(): void {
    if (this.#collectedLines === 0) return;
    const [text, lines] = [this.#collected, this.#collectedLines];
    this.#collected = '';
    this.#collectedLines = 0;
    this.#pass(text, lines);
  }

  #pass(text: string, lines: number): void {
    const destination = this.destination();
    if (destination.writableLength + text.length <= maxPending) {
      destination.write(text);
      return;
    }
    if (this.#dropped === 0) {
      const report = guarded(nowhere, () => {
        const dropped = this.#dropped;
        this.#dropped = 0;
        this.#report(dropped);
      });
      destination.once('drain', report);
    }
    this.#dropped += lines;
  }
}

/** The log of this process. */
export const logOutput = new LogOutput(() => process.stderr);

const flush = guarded(nowhere, () => logOutput.flush());
process.once('exit', flush);
