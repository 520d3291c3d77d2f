import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { guarded } from '../base/guarded.js';
import { JsonOutlet } from './compress.js';
import { Batches, isNotPlain, RawJson } from './paging/batches.js';

/** A handler's response that is raw bytes, produced while they are sent, instead of an envelope. */
export class StreamedResponse {
  constructor(
    /** Headers other than the content type, which the operation declares. */
    readonly headers: Readonly<Record<string, string>>,
    /**
     * Writes the body at the client's pace and ends `destination`; stops when `signal` is aborted
     * because the client disconnected. An error before the first byte becomes an ordinary error
     * response as long as `destination` is untouched; a later one breaks the connection.
     */
    readonly write: (destination: Writable, signal: AbortSignal) => Promise<void>,
    /** Media type, if it differs from the operation's first. */
    readonly type?: string,
    /** Called once when it is no longer needed, whether or not anything was written. */
    readonly release: () => Promise<void> = () => Promise.resolve(),
  ) {}
}

/** A request that is being answered. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Writes a chunk of a body, and waits until the client is ready for the next. */
export async function writeChunk(
  destination: Writable,
  chunk: string | Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (!destination.write(chunk)) await once(destination, 'drain', { signal });
}

/** @param type media type of the body. */
export async function sendStream(
  answer: StreamedResponse,
  type: string,
  exchange: Exchange,
): Promise<void> {
  try {
    await sendBody(answer, type, exchange);
  } finally {
    await answer.release();
  }
}

async function sendBody(
  answer: StreamedResponse,
  type: string,
  { request, response, signal }: Exchange,
): Promise<void> {
  response.set({ ...answer.headers, 'Content-Type': answer.type ?? type });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await answer.write(response, signal);
  } catch (error) {
    if (isClientGone(error)) return;
    if (!response.headersSent) {
      for (const name of ['Content-Type', ...Object.keys(answer.headers)]) {
        response.removeHeader(name);
      }
    }
    throw error;
  }
}

/** Characters collected before each write. */
const chunkLength = 32 * 1024;

/**
 * Responds with a body as JSON: in one write, unless an array in it comes in batches. In
 * that case it is produced at the client's pace. A failure before the first byte becomes an
 * ordinary error response; a later one breaks the connection.
 */
export async function sendJson(body: unknown, type: string, exchange: Exchange): Promise<void> {
  const { request, response, signal } = exchange;
  const outlet = new JsonOutlet(request, response);
  try {
    if (!outlet.compresses) return void response.type(type).json(body);
  } catch (error) {
    if (!isNotPlain(error)) throw error;
  }
  response.type(type);
  if (request.method === 'HEAD') return void response.end();
  try {
    const writer = new JsonWriter(outlet, signal);
    await writer.write(body);
    writer.end();
  } catch (error) {
    outlet.abandon();
    if (!isClientGone(error)) throw error;
  }
}

/** Writes a result as JSON, at the destination's pace, and ends it. */
export async function writeJson(result: unknown, destination: Writable): Promise<void> {
  const over = finished(destination);
  const failed = new AbortController();
  over.catch((error: unknown) => failed.abort(error));
  const writer = new JsonWriter({ open: () => destination }, failed.signal);
  try {
    await writer.write(result);
    writer.end();
  } catch (error) {
    destination.destroy(error as Error);
    await over.catch(() => undefined);
    throw failed.signal.aborted ? failed.signal.reason : error;
  }
  await over;
}

/**
 * Writes the same JSON as JSON.stringify, copies raw JSON text unchanged, and waits for batched
 * arrays and for the reader.
 */
class JsonWriter {
  /** Bytes before `#text`. */
  #raw: Buffer[] = [];
  #rawBytes = 0;
  #text = '';

  constructor(
    private readonly outlet: Pick<JsonOutlet, 'open'>,
    private readonly signal: AbortSignal,
  ) {}

  async write(value: unknown): Promise<void> {
    if (value instanceof RawJson) await this.#rawJson(value);
    else if (this.#whole(value)) return;
    else if (value instanceof Batches) {
      await this.#items((value as Batches<unknown>).batches);
    } else if (Array.isArray(value)) {
      await this.#items([value]);
    } else {
      await this.#object(value as object);
    }
  }

  /** Ends the body; if nothing has been written yet, its length is known. */
  end(): void {
    const lengths = this.#raw.map(({ length }) => length);
    const length = lengths.reduce((sum, one) => sum + one, Buffer.byteLength(this.#text));
    const destination = this.outlet.open(length);
    // Node passes all of it to the system in one call.
    for (const bytes of this.#raw) destination.write(bytes);
    destination.end(this.#text);
  }

  /** @returns false, with nothing written, if the value contains batches or text. */
  #whole(value: unknown): boolean {
    try {
      this.#text += JSON.stringify(value);
      return true;
    } catch (error) {
      if (isNotPlain(error)) return false;
      throw error;
    }
  }

  async #items(
    batches: AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>,
  ): Promise<void> {
    let separator = '';
    this.#text += '[';
    for await (const batch of batches) {
      for (const item of batch) {
        this.#text += separator;
        separator = ',';
        await this.write(item);
        await this.#flushEnough();
      }
    }
    this.#text += ']';
  }

  async #rawJson({ text }: RawJson<unknown>): Promise<void> {
    if (Buffer.isBuffer(text)) return this.#addRaw(text);
    for await (const chunk of text) {
      if (typeof chunk !== 'string') this.#addRaw(chunk);
      await this.#flushEnough();
      if (typeof chunk === 'string') this.#text += chunk;
    }
  }

  #addRaw(bytes: Buffer): void {
    this.#raw.push(Buffer.from(this.#takeText()), bytes);
    this.#rawBytes += bytes.length;
  }

  async #object(value: object): Promise<void> {
    let separator = '{';
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      this.#text += `${separator}${JSON.stringify(name)}:`;
      separator = ',';
      await this.write(field);
    }
    this.#text += '}';
  }

  /** Ends a line of several documents in one body. */
  async endLine(): Promise<void> {
    this.#text += '\n';
    await this.#flushEnough();
  }

  async #flushEnough(): Promise<void> {
    if (this.#text.length + this.#rawBytes >= chunkLength) await this.flush();
  }

  /** Sends everything written so far. */
  async flush(): Promise<void> {
    const raw = this.#raw;
    this.#raw = [];
    this.#rawBytes = 0;
    const text = this.#takeText();
    const destination = this.outlet.open();
    for (const bytes of raw) await writeChunk(destination, bytes, this.signal);
    await writeChunk(destination, text, this.signal);
  }

  #takeText(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

/** Writes JSON documents as lines, produced while they are sent. */
export class LineWriter {
  readonly #json: JsonWriter;

  constructor(
    private readonly destination: Writable,
    private readonly signal: AbortSignal,
  ) {
    this.#json = new JsonWriter({ open: () => destination }, signal);
  }

  /** Adds a line, and waits for the reader once there is enough to send. */
  async write(value: object): Promise<void> {
    await this.#json.write(value);
    await this.#json.endLine();
  }

  /** Sends lines that are JSON already. */
  async writeLines(lines: Buffer): Promise<void> {
    await this.flush();
    await writeChunk(this.destination, lines, this.signal);
  }

  /** Sends what is still buffered. */
  flush(): Promise<void> {
    return this.#json.flush();
  }
}

/** Aborted when the connection closes before the whole response has been sent. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const abort = new AbortController();
  const fail = (error: unknown): void => abort.abort(error);
  const leave = guarded(fail, () => {
    if (!response.writableFinished) abort.abort();
  });
  if (response.destroyed) leave();
  else response.once('close', leave);
  return abort.signal;
}

const codes = new Set<unknown>([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ECANCELED',
  'EPIPE',
]);

/**
 * Whether the client reset its connection. An error of an S3 gateway can have this code too, but
 * names no system call.
 */
const isReset = (error: Error): boolean =>
  'code' in error && error.code === 'ECONNRESET' && 'syscall' in error;

/**
 * Whether sending a body failed because the client disconnected, which is not worth reporting.
 * Determined from the error, since the connection is closed by then in any case.
 */
export const isClientGone = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || isReset(error) || ('code' in error && codes.has(error.code)));
