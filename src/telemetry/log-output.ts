import type { Writable } from 'node:stream';
import { guarded } from '../guarded.js';

/**
 * Characters written at once. A pipe takes up to 4,096 bytes as a whole, so that lines of several
 * processes that share one do not mix.
 */
const batchSize = 4_096;

/** Bytes that may wait for a reader of the log; node's stream for a pipe has no limit of its own. */
const mostPending = 1024 * 1024;

/** A log that cannot be written has nowhere to say so. */
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
  #tell: (lines: number) => void = () => undefined;

  /** @param destination stderr; a function, because node opens it at the first use. */
  constructor(private readonly destination: () => Destination) {}

  /** @param tell logs how many lines were dropped, once the reader has caught up. */
  reportDropped(tell: (lines: number) => void): void {
    this.#tell = tell;
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
    if (destination.writableLength + text.length <= mostPending) {
      destination.write(text);
      return;
    }
    if (this.#dropped === 0) {
      const report = guarded(nowhere, () => {
        const dropped = this.#dropped;
        this.#dropped = 0;
        this.#tell(dropped);
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
