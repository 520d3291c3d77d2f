import { Writable } from 'node:stream';
import { guarded, ignore } from '../../base/guarded.js';
import { keepMarks } from './url-marks.js';

/** Stores a piece of an answer. */
type Keep = (answer: string, isLast: boolean) => Promise<void>;

/** The destination of the JSON of an answer that is stored: each chunk becomes a piece. */
export class PieceWriter extends Writable {
  #pending: string | undefined;

  constructor(private readonly keep: Keep) {
    super({ decodeStrings: false });
  }

  override _write(chunk: string | Buffer, _encoding: string, done: (error?: Error) => void): void {
    const before = this.#pending;
    this.#pending = keepMarks(chunk.toString());
    if (before === undefined) done();
    else this.keep(before, false).then(() => done(), guarded(ignore, done));
  }

  override _final(done: (error?: Error) => void): void {
    this.keep(this.#pending ?? 'null', true).then(() => done(), guarded(ignore, done));
  }
}
