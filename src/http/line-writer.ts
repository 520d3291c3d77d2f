import type { Writable } from 'node:stream';
import { JsonWriter } from './streamed-json.js';

/** Writes JSON documents as lines, produced while they are sent. */
export class LineWriter {
  readonly #json: JsonWriter;

  constructor(destination: Writable, signal: AbortSignal) {
    this.#json = new JsonWriter({ open: () => destination }, signal);
  }

  /** Adds a line, and waits for the reader once there is enough to send. */
  async write(value: object): Promise<void> {
    await this.#json.write(value);
    await this.#json.endLine();
  }

  /** Sends what is still buffered. */
  flush(): Promise<void> {
    return this.#json.flush();
  }
}
